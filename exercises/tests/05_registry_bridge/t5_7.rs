use super::*;

#[test]
fn without_an_override_the_risk_of_the_server_applies() {
    judge("5.7", "without an override a tool has the risk of its server", || {
        for risk in [Risk::Auto, Risk::Suggest, Risk::Approve] {
            let options = options("", risk, &[("other", Risk::Suggest)]);
            same(risk, options.risk_of("read"))
                .given(format!("the server's risk {risk}, an override for `other`"))
                .likely("an override applies only to the tool that it names")?;
        }
        Ok(())
    });
}

#[test]
fn an_override_applies_to_the_tool_with_exactly_that_name() {
    judge("5.7", "an override applies to the tool with exactly that name", || {
        for (server, tool) in [(Risk::Approve, Risk::Auto), (Risk::Auto, Risk::Approve)]
        {
            let options = options("", server, &[("read", tool)]);
            let given =
                format!("the server's risk {server}, an override {tool} of `read`");
            same(tool, options.risk_of("read"))
                .given(format!("{given}, and `read`"))
                .likely("an override takes precedence over the risk of the server")?;
            for name in ["readme", "rea", "Read", "read ", ""] {
                same(server, options.risk_of(name))
                    .given(format!("{given}, and {name:?}"))
                    .likely("compare the names exactly")?;
            }
        }
        Ok(())
    });
}

#[test]
fn of_two_overrides_the_stricter_applies() {
    judge("5.7", "of several overrides for one tool the strictest applies", || {
        let (auto, suggest, approve) = (Risk::Auto, Risk::Suggest, Risk::Approve);
        for order in
            [[auto, approve], [approve, auto], [auto, suggest], [suggest, auto]]
        {
            let options = options("", Risk::Auto, &order.map(|risk| ("a", risk)));
            same(order[0].max(order[1]), options.risk_of("a"))
                .given(format!("`a` overridden by {} and {}", order[0], order[1]))
                .likely("do not take the first or the last one: `Risk` is ordered")?;
        }
        Ok(())
    });
}

#[test]
fn an_override_that_names_no_tool_is_found() {
    judge("5.7", "each override without a listed tool is returned", || {
        let listed = r#"[{"name":"read.note"},{"name":"search"},{"name":5},{},null]"#;
        let list = value(listed);
        let listed_tools = list.as_array().map(Vec::as_slice).unwrap_or_default();
        let approve = |name| (name, Risk::Approve);
        let names = ["Search", "search", "read_note", "n__search", "", "search ", "5"];
        let unknown = options("n__", Risk::Auto, &names.map(approve));
        same(
            ["Search", "read_note", "n__search", "", "search ", "5"]
                .map(String::from)
                .to_vec(),
            unknown.unknown_overrides(listed_tools),
        )
        .given(format!("overrides {names:?} and the list {listed}"))
        .likely("a mistyped override protects no tool: compare the names exactly")?;
        let known = options("n__", Risk::Auto, &["search", "read.note"].map(approve));
        same(Vec::<String>::new(), known.unknown_overrides(listed_tools))
            .given(format!("overrides of `search` and `read.note`, the list {listed}"))
            .likely("an override uses the server's name of a tool, not the exposed one")
    });
}
