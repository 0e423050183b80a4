use super::*;

/// These names must be exposed under different ones.
fn are_unique(names: &[(&str, &str)], likely: &str) -> Verdict {
    let mut seen = HashSet::new();
    for (prefix, name) in names {
        let exposed = exposed(prefix, name)?;
        let others = seen.len();
        let given = format!("{prefix:?} before {name:?}, after {others} other names");
        let first = !seen.contains(&exposed);
        holds(first, "a name that no other one has", &exposed)
            .given(given)
            .likely(likely)?;
        seen.insert(exposed);
    }
    Ok(())
}

#[test]
fn a_name_that_models_take_is_kept() {
    judge("5.6", "prefix and name stay as they are where a model takes them", || {
        let long = "x".repeat(64);
        let names = ["echo", "read-file", "Read_File", "a__b", "0", "-", &long];
        for name in names {
            same(name.into(), exposed("", name)?)
                .likely("changed without need: 64 characters are allowed")?;
        }
        for (prefix, name) in [("mcp__demo__", "echo"), ("s__", "mcp__a__b")] {
            same(format!("{prefix}{name}"), exposed(prefix, name)?)
                .given(format!("the prefix {prefix:?} and the name {name:?}"))
                .likely("the prefix comes before the name, and both are kept")?;
        }
        Ok(())
    });
}

#[test]
fn what_models_refuse_is_replaced() {
    judge("5.6", "an exposed name has only characters that models take", || {
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
                .likely("the prefix names the server; cut after it")?;
        }
        exposed("", &format!("{}é", "x".repeat(63))).map(drop)
    });
}

#[test]
fn names_that_were_cut_stay_unique() {
    judge("5.6", "different long names are exposed under different names", || {
        let long = "x".repeat(100);
        let names: Vec<_> = (0..1000).map(|n| format!("{long}{n}")).collect();
        let names: Vec<_> = names.iter().map(|name| ("", name.as_str())).collect();
        let likely = "what was cut off must still count: a hash of the whole name";
        are_unique(&names, likely)?;
        are_unique(&[("mcp__a__", &long), ("mcp__b__", &long)], likely)?;
        let (dot, slash) = (format!("{long}."), format!("{long}/"));
        are_unique(
            &[("", &dot), ("", &slash), ("", &format!("{long}_"))],
            "hash the original name, before anything is replaced",
        )
    });
}

#[test]
fn names_that_are_not_ascii_stay_unique() {
    judge("5.6", "names of other scripts do not all become the same", || {
        are_unique(
            &[("", "查询"), ("", "天气"), ("", "имя"), ("", "__"), ("", "___")],
            "two underscores for two Chinese characters are not a usable name",
        )?;
        // The first letter of the second one is Cyrillic.
        are_unique(
            &[("", "pay"), ("", "рay"), ("", "_ay")],
            "a letter that only looks like one of ASCII makes another name",
        )?;
        are_unique(
            &[("服务__", "a"), ("机务__", "a"), ("服务__", "查询"), ("机务__", "查询")],
            "the prefix names the server: it is part of the hash, and may require one",
        )
    });
}

#[test]
fn a_name_is_the_same_every_time() {
    judge("5.6", "the same name is exposed under the same name each time", || {
        for name in ["查询", &"x".repeat(100)] {
            let again = exposed("p__", name)?;
            same(again, exposed("p__", name)?)
                .given(format!("the name {name:?}, twice"))
                .likely("rules and habits hang on a name: no counter and no chance")?;
        }
        Ok(())
    });
}

#[test]
fn an_empty_name_or_a_control_character_is_refused() {
    judge("5.6", "an empty name, or one with control characters, is refused", || {
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
            holds(got.is_err(), "a refusal", got)
                .given(format!("the prefix {prefix:?} and the name {name:?}"))
                .likely("refuse it before prefix and underscores hide what it was")?;
        }
        Ok(())
    });
}
