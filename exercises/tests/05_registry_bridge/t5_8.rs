use super::*;

const TWO: &str = r#"[{"name":"read.note","description":"Reads.","inputSchema":{"type":"object","title":"R"}},{"name":"search","inputSchema":{}}]"#;

#[test]
fn each_tool_gets_an_entry_after_those_that_are_there() {
    judge("5.8", "each listed tool gets an entry, after those that are there", || {
        let mut registry = registry_of(&[("add", Risk::Approve, &Fake::says(""))])?;
        let options = options("n__", Risk::Suggest, &[]);
        let merged = merged(&mut registry, TWO, &options).given(TWO)?;
        let search = "n__search".to_owned();
        let read = exposed("n__", "read.note")?;
        same(vec![read.clone(), search], merged.names)
            .given(TWO)
            .likely("`names` are those that the registry knows them by")?;
        same(Vec::<String>::new(), merged.skipped)
            .given(TWO)
            .likely("both are fine: a description may be missing, a schema empty")?;
        same(
            format!("add approve, {read} suggest, n__search suggest"),
            entries(&registry),
        )
        .given(TWO)
        .likely("one call of `register` for each tool, with the server's risk")?;
        let said = registry.specs().map(|spec| spec.info.description.as_str());
        same(vec!["Says it.", "Reads.", ""], said.collect())
            .given(TWO)
            .likely("a description is the server's, and may be missing")?;
        let schemas: Vec<_> =
            registry.specs().skip(1).map(|s| s.info.input_schema.to_string()).collect();
        same(
            [r#"{"type":"object","title":"R"}"#, "{}"].map(String::from).to_vec(),
            schemas,
        )
        .given(TWO)
        .likely("each entry has the parameters of its `inputSchema`")
    });
}

#[test]
fn a_description_is_the_servers_own_whole() {
    judge("5.8", "a description is not changed, and none is invented", || {
        let list = r#"[{"name":"a","title":"Title","description":" One.\n\tTwo: é. ","inputSchema":{},"annotations":{"title":"Title"}},{"name":"b","title":"Title","inputSchema":{"description":"Not of the tool."}}]"#;
        let mut registry = ToolRegistry::new();
        merged(&mut registry, list, &options("", Risk::Auto, &[])).given(list)?;
        let said = registry.specs().map(|spec| spec.info.description.as_str());
        same(vec![" One.\n\tTwo: é. ", ""], said.collect()).given(list).likely(
            "cut, trimmed, or another member's: a title is for people, and the model \
             reads the description",
        )
    });
}

#[test]
fn the_forwarder_is_made_with_the_servers_own_name() {
    judge_async("5.8", "the wire gets the name that the server gave", async || {
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
            let got = outcome(&registry, &call(&exposed, "{}"), &yes).await?;
            same(ToolResult::text(own), got)
                .given(format!(
                    "a call of `{exposed}`, and what its forwarder was given"
                ))
                .likely("the server does not know the exposed name")?;
        }
        Ok(())
    });
}

#[test]
fn the_host_decides_the_risk() {
    judge("5.8", "the risk is the host's word, by the server's own names", || {
        let list = r#"[{"name":"read.note","inputSchema":{}},{"name":"list","inputSchema":{},"risk":"auto","annotations":{"readOnlyHint":true,"destructiveHint":false}},{"name":"wipe","inputSchema":{},"risk":"approve","annotations":{"readOnlyHint":false,"destructiveHint":true}}]"#;
        let mut registry = ToolRegistry::new();
        let options = options("n__", Risk::Suggest, &[("read.note", Risk::Approve)]);
        merged(&mut registry, list, &options)?;
        let risks = registry.specs().map(|spec| spec.risk);
        same(vec![Risk::Approve, Risk::Suggest, Risk::Suggest], risks.collect())
            .given(format!("risk suggest, `read.note` approve, and {list}"))
            .likely("asked by the exposed name, or the server was believed")
    });
}

#[test]
fn an_unknown_override_ends_it_before_anything_is_merged() {
    judge(
        "5.8",
        "an override that names no tool is an error; nothing is merged",
        || {
            let mut registry = registry_of(&[("add", Risk::Auto, &Fake::says(""))])?;
            let rules = [("search", Risk::Approve), ("serach", Risk::Approve)];
            let options = options("", Risk::Auto, &rules);
            let given = "overrides of `search` and `serach`; the server has `search`";
            let list = value(TWO);
            let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
            let got = merge(&mut registry, list, &options, Fake::says);
            let named = match &got {
                Err(BridgeError::UnknownOverride(names)) => names == &["serach"],
                _ => false,
            };
            holds(named, "the error that `serach` is unknown", got)
                .given(given)
                .likely(
                    "a mistyped rule was dropped in silence, and its tool runs freely",
                )?;
            same("add auto".into(), entries(&registry))
                .given(given)
                .likely("look at all overrides before the first tool is registered")
        },
    );
}

#[test]
fn one_bad_tool_costs_itself_only() {
    judge("5.8", "a bad tool is skipped and reported; the others are merged", || {
        let list = r#"[{"name":"ok","inputSchema":{"type":"object"}},{"name":"none"},{"name":"nul","inputSchema":null},{"name":"arr","inputSchema":{"type":"array"}},{"inputSchema":{}},{"name":"","inputSchema":{}},{"name":5,"inputSchema":{}},null,"echo",{"name":"last","inputSchema":{}}]"#;
        let mut registry = ToolRegistry::new();
        let merged =
            merged(&mut registry, list, &options("", Risk::Auto, &[])).given(list)?;
        same("ok auto, last auto".into(), entries(&registry))
            .given(list)
            .likely("each tool is read separately, and an invalid one is skipped")?;
        same(vec!["ok".to_owned(), "last".into()], merged.names)
            .given(list)
            .likely("`names` has what was merged, and nothing else")?;
        let skipped = &merged.skipped;
        holds(skipped.len() == 8, "eight lines in `skipped`", skipped)
            .given(list)
            .likely("each tool that was left out has its line in `skipped`")?;
        for (name, line) in ["none", "nul", "arr"].iter().zip(&merged.skipped) {
            let described = line.contains(name) && line.len() > name.len();
            holds(described, format!("a line that names `{name}`, and why"), line)
                .given(list)
                .likely("a person reads this line and must find the tool")?;
        }
        Ok(())
    });
}

#[test]
fn another_reason_makes_another_line() {
    judge("5.8", "a line in `skipped` has the reason", || {
        let mut lines: Vec<String> = Vec::new();
        for tool in [
            r#"{"name":"a"}"#,
            r#"{"name":"a","inputSchema":{},"execution":{"taskSupport":"required"}}"#,
            r#"{"name":"a","inputSchema":{}}"#,
        ] {
            let mut registry = registry_of(&[("a", Risk::Auto, &Fake::says("local"))])?;
            let list = format!("[{tool}]");
            let merged = merged(&mut registry, &list, &options("", Risk::Auto, &[]))?;
            let line = merged.skipped.join("\n");
            holds(!lines.contains(&line), "a line that no other reason has", &line)
                .given(format!("{list}, where `a` is a local tool's name"))
                .likely("it names the skipped tool, but not the reason")?;
            lines.push(line);
        }
        Ok(())
    });
}

#[test]
fn a_report_is_one_visible_line() {
    judge("5.8", "each skipped tool has one line, without hidden characters", || {
        let list = r#"[{"name":"a\nb","inputSchema":{}},{"name":"\u001b[2Jx","inputSchema":{}},{"name":"a\u202eb","inputSchema":[]}]"#;
        let mut registry = ToolRegistry::new();
        let merged = merged(&mut registry, list, &options("", Risk::Auto, &[]))?;
        let skipped = &merged.skipped;
        holds(skipped.len() == 3, "three lines in `skipped`", skipped)
            .given(list)
            .likely(
                "names with control characters, and an array for a schema, are bad",
            )?;
        for line in merged.skipped {
            let hidden = line.chars().any(|c| c.is_control() || c == '\u{202e}');
            holds(!hidden && !line.is_empty(), "one line, all of it visible", line)
                .given(list)
                .likely(
                    "a peer's text goes through `escape_untrusted` before a person \
                     sees it",
                )?;
        }
        Ok(())
    });
}

#[test]
fn a_tool_that_runs_only_as_a_task_is_skipped() {
    judge(
        "5.8",
        "a tool that demands a task is skipped; one that may be, is not",
        || {
            let list = r#"[{"name":"a","inputSchema":{},"execution":{"taskSupport":"required"}},{"name":"b","inputSchema":{},"execution":{"taskSupport":"optional"}},{"name":"c","inputSchema":{},"execution":{"taskSupport":"forbidden"}},{"name":"d","inputSchema":{},"execution":{}}]"#;
            let mut registry = ToolRegistry::new();
            let merged = merged(&mut registry, list, &options("", Risk::Auto, &[]))?;
            same(["b", "c", "d"].map(String::from).to_vec(), merged.names)
                .given(list)
                .likely("skip a tool only if `execution.taskSupport` is `required`")?;
            let skipped = merged.skipped;
            holds(skipped.len() == 1, "one line in `skipped`", skipped)
                .given(list)
                .likely("what was left out is reported, with the reason")
        },
    );
}

#[test]
fn a_local_tool_is_untouched_by_a_remote_namesake() {
    judge_async(
        "5.8",
        "a taken name is skipped and reported; the tool that has it stays",
        async || {
            let list = r#"[{"name":"send","inputSchema":{}},{"name":"read","description":"Mine now.","inputSchema":{}}]"#;
            let local = Fake::says("local");
            let mut registry = registry_of(&[("read", Risk::Auto, &local)])?;
            let before: Vec<_> = registry.specs().cloned().collect();
            let first = options("", Risk::Suggest, &[]);
            let merged_bare = merged(&mut registry, list, &first).given(list)?;
            same(vec!["send".to_owned()], merged_bare.names)
                .given(list)
                .likely("what the registry refused was not merged")?;
            let skipped = merged_bare.skipped;
            holds(skipped.len() == 1, "one line in `skipped`", skipped)
                .given(list)
                .likely("a collision was dropped in silence: report it")?;
            same(before.first(), registry.specs().next())
                .given(list)
                .likely("a server took over a tool that the user trusts")?;
            let got = outcome(&registry, &call("read", "{}"), &yes).await?;
            same(ToolResult::text("local"), got)
                .given(format!("a call of `read`, after merging {list}"))
                .likely("the call went to the server that took the name")?;
            let second = options("second__", Risk::Suggest, &[]);
            merged(&mut registry, list, &second)?;
            same(
                "read auto, send suggest, second__send suggest, second__read suggest"
                    .into(),
                entries(&registry),
            )
            .given("the same list again, under the prefix `second__`")
            .likely(
                "under a prefix the namesake is within reach, with its server's risk",
            )
        },
    );
}

#[test]
fn of_two_tools_with_one_name_the_first_is_kept_whole() {
    judge("5.8", "of two listed tools with one name the first is kept whole", || {
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
        .likely("the second one replaced the first, or a part of it")?;
        same(vec!["a".to_owned()], merged.names)
            .given(list)
            .likely("one was merged, so there is one name")?;
        let skipped = merged.skipped;
        holds(skipped.len() == 1, "one line in `skipped`", skipped)
            .given(list)
            .likely("the second one is reported, like every collision")
    });
}
