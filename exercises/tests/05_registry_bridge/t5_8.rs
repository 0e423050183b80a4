use super::*;

const TWO: &str = r#"[{"name":"read.note","description":"Reads.","inputSchema":{"type":"object","title":"R"}},{"name":"search","inputSchema":{}}]"#;

#[test]
fn each_tool_gets_an_entry_after_the_existing_ones() {
    judge("5.8", "each listed tool gets an entry, after the existing ones", || {
        let mut registry =
            registry_of(&[("add", Risk::Approve, &Fake::returning(""))])?;
        let options = options("n__", Risk::Suggest, &[]);
        let merged = merged(&mut registry, TWO, &options).given(TWO)?;
        let search = "n__search".to_owned();
        let read = exposed("n__", "read.note")?;
        same(vec![read.clone(), search], merged.names)
            .given(TWO)
            .likely("`names` contains the exposed names")?;
        same(Vec::<String>::new(), merged.skipped).given(TWO).likely(
            "both are valid: a description may be missing, a schema may be empty",
        )?;
        same(
            format!("add approve, {read} suggest, n__search suggest"),
            entries(&registry),
        )
        .given(TWO)
        .likely("register each tool with the risk of the server")?;
        let described = registry.specs().map(|spec| spec.info.description.as_str());
        same(vec!["Repeats it.", "Reads.", ""], described.collect())
            .given(TWO)
            .likely("use the server's description; without one it is empty")?;
        let schemas: Vec<_> =
            registry.specs().skip(1).map(|s| s.info.input_schema.to_string()).collect();
        same(
            [r#"{"type":"object","title":"R"}"#, "{}"].map(String::from).to_vec(),
            schemas,
        )
        .given(TWO)
        .likely("each entry has the `inputSchema` of its tool")
    });
}

#[test]
fn a_description_is_unchanged() {
    judge("5.8", "a description is unchanged, and nothing replaces it", || {
        let list = r#"[{"name":"a","title":"Title","description":" One.\n\tTwo: é. ","inputSchema":{},"annotations":{"title":"Title"}},{"name":"b","title":"Title","inputSchema":{"description":"Not of the tool."}}]"#;
        let mut registry = ToolRegistry::new();
        merged(&mut registry, list, &options("", Risk::Auto, &[])).given(list)?;
        let described = registry.specs().map(|spec| spec.info.description.as_str());
        same(vec![" One.\n\tTwo: é. ", ""], described.collect()).given(list).likely(
            "do not shorten or trim the description; a title is for people and does \
             not replace it",
        )
    });
}

#[test]
fn the_forwarder_gets_the_servers_name() {
    judge_async("5.8", "a forwarder gets the server's name of its tool", async || {
        let long = "x".repeat(128);
        let list = format!(
            r#"[{{"name":"a.b","inputSchema":{{}}}},{{"name":"{long}","inputSchema":{{}}}},{{"name":"查询","inputSchema":{{}}}}]"#
        );
        let mut registry = ToolRegistry::new();
        let merged = merged(&mut registry, &list, &options("n__", Risk::Auto, &[]))?;
        let own = ["a.b", &long, "查询"];
        let skipped = &merged.skipped;
        holds(merged.names.len() == 3, "three tools, none of them skipped", skipped)
            .given(&list)
            .likely("a tool was skipped; `skipped` has the reason")?;
        for (own, exposed) in own.iter().zip(merged.names) {
            let result = execute(&registry, &call(&exposed, "{}"), &allow_all).await?;
            same(ToolResult::text(own), result)
                .given(format!(
                    "a call of `{exposed}`, and the name that its forwarder got"
                ))
                .likely("the server does not know the exposed name")?;
        }
        Ok(())
    });
}

#[test]
fn the_host_decides_the_risk() {
    judge("5.8", "the host decides the risk, by the server's tool names", || {
        let list = r#"[{"name":"read.note","inputSchema":{}},{"name":"list","inputSchema":{},"risk":"auto","annotations":{"readOnlyHint":true,"destructiveHint":false}},{"name":"wipe","inputSchema":{},"risk":"approve","annotations":{"readOnlyHint":false,"destructiveHint":true}}]"#;
        let mut registry = ToolRegistry::new();
        let options = options("n__", Risk::Suggest, &[("read.note", Risk::Approve)]);
        merged(&mut registry, list, &options)?;
        let risks = registry.specs().map(|spec| spec.risk);
        same(vec![Risk::Approve, Risk::Suggest, Risk::Suggest], risks.collect())
            .given(format!("risk suggest, `read.note` approve, and {list}"))
            .likely("look the risk up by the server's name; ignore the server's hints")
    });
}

#[test]
fn an_unknown_override_is_an_error_and_nothing_is_merged() {
    judge("5.8", "an override without a tool is an error; nothing is merged", || {
        let mut registry = registry_of(&[("add", Risk::Auto, &Fake::returning(""))])?;
        let rules = [("search", Risk::Approve), ("serach", Risk::Approve)];
        let options = options("", Risk::Auto, &rules);
        let given = "overrides of `search` and `serach`; the server has `search`";
        let list = value(TWO);
        let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
        let got = merge(&mut registry, list, &options, Fake::returning);
        let named = matches!(&got, Err(BridgeError::UnknownOverride(names)) if names == &["serach"]);
        holds(named, "the error that `serach` is unknown", got)
            .given(given)
            .likely("a mistyped override was ignored, so its tool runs unprotected")?;
        same("add auto".into(), entries(&registry))
            .given(given)
            .likely("check all overrides before you register the first tool")
    });
}

#[test]
fn one_invalid_tool_does_not_affect_others() {
    judge("5.8", "an invalid tool is skipped and reported; others are merged", || {
        let list = r#"[{"name":"ok","inputSchema":{"type":"object"}},{"name":"none"},{"name":"nul","inputSchema":null},{"name":"arr","inputSchema":{"type":"array"}},{"inputSchema":{}},{"name":"","inputSchema":{}},{"name":5,"inputSchema":{}},null,"echo",{"name":"last","inputSchema":{}}]"#;
        let mut registry = ToolRegistry::new();
        let merged =
            merged(&mut registry, list, &options("", Risk::Auto, &[])).given(list)?;
        same("ok auto, last auto".into(), entries(&registry))
            .given(list)
            .likely("read each tool separately, and skip the invalid ones")?;
        same(vec!["ok".to_owned(), "last".into()], merged.names)
            .given(list)
            .likely("`names` contains only the merged tools")?;
        let skipped = &merged.skipped;
        holds(skipped.len() == 8, "eight lines in `skipped`", skipped)
            .given(list)
            .likely("each skipped tool has a line in `skipped`")?;
        for (name, line) in ["none", "nul", "arr"].iter().zip(&merged.skipped) {
            let explains = line.contains(name) && line.len() > name.len();
            holds(explains, format!("a line with `{name}` and the reason"), line)
                .given(list)
                .likely("a person reads this line to find the tool")?;
        }
        Ok(())
    });
}

#[test]
fn each_reason_has_its_own_text() {
    judge("5.8", "a line in `skipped` has the reason", || {
        let mut lines: Vec<String> = Vec::new();
        for tool in [
            r#"{"name":"a"}"#,
            r#"{"name":"a","inputSchema":{},"execution":{"taskSupport":"required"}}"#,
            r#"{"name":"a","inputSchema":{}}"#,
        ] {
            let mut registry =
                registry_of(&[("a", Risk::Auto, &Fake::returning("local"))])?;
            let list = format!("[{tool}]");
            let merged = merged(&mut registry, &list, &options("", Risk::Auto, &[]))?;
            let line = merged.skipped.join("\n");
            holds(!lines.contains(&line), "a different line for each reason", &line)
                .given(format!("{list}, and a local tool `a`"))
                .likely("the line names the skipped tool, but not the reason")?;
            lines.push(line);
        }
        Ok(())
    });
}

#[test]
fn what_is_reported_is_one_visible_line() {
    judge("5.8", "each skipped tool has one line, without hidden characters", || {
        let list = r#"[{"name":"a\nb","inputSchema":{}},{"name":"\u001b[2Jx","inputSchema":{}},{"name":"a\u202eb","inputSchema":[]}]"#;
        let mut registry = ToolRegistry::new();
        let merged = merged(&mut registry, list, &options("", Risk::Auto, &[]))?;
        let skipped = &merged.skipped;
        holds(skipped.len() == 3, "three lines in `skipped`", skipped)
            .given(list)
            .likely(
                "control characters in a name, or an array as a schema, are invalid",
            )?;
        for line in merged.skipped {
            let hidden = line.chars().any(|c| c.is_control() || c == '\u{202e}');
            holds(!hidden && !line.is_empty(), "one line of visible characters", line)
                .given(list)
                .likely("escape the server's text: `escape_untrusted`")?;
        }
        Ok(())
    });
}

#[test]
fn a_tool_that_runs_only_as_a_task_is_skipped() {
    judge("5.8", "a tool that requires a task is skipped, others are not", || {
        let list = r#"[{"name":"a","inputSchema":{},"execution":{"taskSupport":"required"}},{"name":"b","inputSchema":{},"execution":{"taskSupport":"optional"}},{"name":"c","inputSchema":{},"execution":{"taskSupport":"forbidden"}},{"name":"d","inputSchema":{},"execution":{}}]"#;
        let mut registry = ToolRegistry::new();
        let merged = merged(&mut registry, list, &options("", Risk::Auto, &[]))?;
        same(["b", "c", "d"].map(String::from).to_vec(), merged.names)
            .given(list)
            .likely("skip a tool only if `execution.taskSupport` is `required`")?;
        let skipped = merged.skipped;
        holds(skipped.len() == 1, "one line in `skipped`", skipped)
            .given(list)
            .likely("report a skipped tool with the reason")
    });
}

#[test]
fn a_remote_tool_does_not_replace_a_local_one() {
    judge_async("5.8", "a tool with a taken name is skipped, reported", async || {
        let list = r#"[{"name":"send","inputSchema":{}},{"name":"read","description":"Mine now.","inputSchema":{}}]"#;
        let local = Fake::returning("local");
        let mut registry = registry_of(&[("read", Risk::Auto, &local)])?;
        let before: Vec<_> = registry.specs().cloned().collect();
        let first = options("", Risk::Suggest, &[]);
        let merged_bare = merged(&mut registry, list, &first).given(list)?;
        same(vec!["send".to_owned()], merged_bare.names)
            .given(list)
            .likely("a tool that the registry rejected is not merged")?;
        let skipped = merged_bare.skipped;
        holds(skipped.len() == 1, "one line in `skipped`", skipped)
            .given(list)
            .likely("report a duplicate name")?;
        same(before.first(), registry.specs().next())
            .given(list)
            .likely("a server replaced a tool that the user trusts")?;
        let result = execute(&registry, &call("read", "{}"), &allow_all).await?;
        same(ToolResult::text("local"), result)
            .given(format!("a call of `read`, after merging {list}"))
            .likely("the call went to the server's tool of the same name")?;
        let second = options("second__", Risk::Suggest, &[]);
        merged(&mut registry, list, &second)?;
        same(
            "read auto, send suggest, second__send suggest, second__read suggest"
                .into(),
            entries(&registry),
        )
        .given("the same list again, with the prefix `second__`")
        .likely("with a prefix both tools exist, each with its own risk")
    });
}

#[test]
fn of_two_tools_with_one_name_the_first_is_kept() {
    judge("5.8", "of two listed tools with one name the first is kept", || {
        let list = r#"[{"name":"a","description":"one","inputSchema":{"title":"one"}},{"name":"a","description":"two","inputSchema":{"title":"two"}}]"#;
        let mut registry = ToolRegistry::new();
        let merged = merged(&mut registry, list, &options("", Risk::Auto, &[]))?;
        let read = |spec: &ToolSpec| {
            format!("{} {}", spec.info.description, spec.info.input_schema)
        };
        same(
            vec![r#"one {"title":"one"}"#.to_owned()],
            registry.specs().map(read).collect(),
        )
        .given(list)
        .likely("the second tool replaced the first, or a part of it")?;
        same(vec!["a".to_owned()], merged.names)
            .given(list)
            .likely("only one tool was merged")?;
        let skipped = merged.skipped;
        holds(skipped.len() == 1, "one line in `skipped`", skipped)
            .given(list)
            .likely("report the second tool as a duplicate")
    });
}
