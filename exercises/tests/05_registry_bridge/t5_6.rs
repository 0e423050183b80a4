use super::*;

/// Each of these names must have a different exposed name.
fn stay_different(names: &[(&str, &str)], likely: &str) -> Verdict {
    let mut seen = HashSet::new();
    for (prefix, name) in names {
        let exposed = exposed(prefix, name)?;
        let others = seen.len();
        let given = format!("prefix {prefix:?}, name {name:?}, after {others} others");
        let is_new = !seen.contains(&exposed);
        holds(is_new, "a name that no other tool has", &exposed)
            .given(given)
            .likely(likely)?;
        seen.insert(exposed);
    }
    Ok(())
}

#[test]
fn a_valid_name_is_unchanged() {
    judge("5.6", "a valid prefix and name are unchanged", || {
        let long = "x".repeat(64);
        let names = ["echo", "read-file", "Read_File", "a__b", "0", "-", &long];
        for name in names {
            same(name.into(), exposed("", name)?)
                .likely("the name is valid: up to 64 characters are allowed")?;
        }
        for (prefix, name) in [("mcp__demo__", "echo"), ("s__", "mcp__a__b")] {
            same(format!("{prefix}{name}"), exposed(prefix, name)?)
                .given(format!("the prefix {prefix:?} and the name {name:?}"))
                .likely("put the prefix before the name, and change neither")?;
        }
        Ok(())
    });
}

#[test]
fn invalid_characters_are_replaced() {
    judge("5.6", "an exposed name has only characters that models accept", || {
        for name in ["admin.tools.list", "a/b", "has space", " ", "имя", "a\u{202e}b"]
        {
            exposed("", name)?;
        }
        exposed("my server.", "echo").map(drop)
    });
}

#[test]
fn a_long_name_is_cut_and_keeps_its_prefix() {
    judge("5.6", "an exposed name has at most 64 characters, prefix included", || {
        for name in ["x".repeat(65), "x".repeat(128), "x".repeat(60), "é".repeat(128)]
        {
            exposed("", &name)?;
            let cut = exposed("mcp__demo__", &name)?;
            holds(cut.starts_with("mcp__demo__"), "mcp__demo__ at its start", &cut)
                .given(format!("the prefix \"mcp__demo__\" and the name {name:?}"))
                .likely("the prefix names the server: shorten only the rest")?;
        }
        exposed("", &format!("{}é", "x".repeat(63))).map(drop)
    });
}

#[test]
fn shortened_names_stay_different() {
    judge("5.6", "different long names have different exposed names", || {
        let long = "x".repeat(100);
        let names: Vec<_> = (0..1000).map(|n| format!("{long}{n}")).collect();
        let names: Vec<_> = names.iter().map(|name| ("", name.as_str())).collect();
        let likely = "add a hash of the whole name, including the removed part";
        stay_different(&names, likely)?;
        stay_different(&[("mcp__a__", &long), ("mcp__b__", &long)], likely)?;
        let (dot, slash) = (format!("{long}."), format!("{long}/"));
        stay_different(
            &[("", &dot), ("", &slash), ("", &format!("{long}_"))],
            "hash the original name, before characters are replaced",
        )
    });
}

#[test]
fn names_in_other_scripts_stay_different() {
    judge("5.6", "names in other scripts have different exposed names", || {
        stay_different(
            &[("", "查询"), ("", "天气"), ("", "имя"), ("", "__"), ("", "___")],
            "underscores alone do not distinguish two names: add a hash",
        )?;
        // The first letter of the second one is Cyrillic.
        stay_different(
            &[("", "pay"), ("", "рay"), ("", "_ay")],
            "a replaced letter also needs a hash, even if it looks like ASCII",
        )?;
        stay_different(
            &[("服务__", "a"), ("机务__", "a"), ("服务__", "查询"), ("机务__", "查询")],
            "the prefix belongs to the name: hash it, too, if a character is replaced",
        )
    });
}

#[test]
fn a_name_is_the_same_every_time() {
    judge("5.6", "a name always has the same exposed name", || {
        for name in ["查询", &"x".repeat(100)] {
            let again = exposed("p__", name)?;
            same(again, exposed("p__", name)?)
                .given(format!("the name {name:?}, twice"))
                .likely(
                    "users write rules with it: do not count or choose at random",
                )?;
        }
        Ok(())
    });
}

#[test]
fn an_empty_name_or_a_control_character_is_rejected() {
    judge("5.6", "an empty name, or one with control characters, is rejected", || {
        for (prefix, name) in [
            ("", ""),
            ("mcp__demo__", ""),
            ("", "name\n"),
            ("", "\r"),
            ("", "a\0b"),
            ("", "a\u{7f}"),
            ("", "\u{1b}[2J"),
            ("", "a\u{85}"),
        ] {
            let got = exposed_name(prefix, name);
            holds(got.is_err(), "an error", got)
                .given(format!("the prefix {prefix:?} and the name {name:?}"))
                .likely(
                    "check the name before you add the prefix or replace characters",
                )?;
        }
        Ok(())
    });
}
