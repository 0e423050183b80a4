use super::*;

#[test]
fn without_an_override_the_servers_risk_holds() {
    judge("5.7", "a tool has the risk of its server, unless it has its own", || {
        for risk in [Risk::Auto, Risk::Suggest, Risk::Approve] {
            let options = options("", risk, &[("other", Risk::Suggest)]);
            same(risk, options.risk_of("read"))
                .given(format!("the server's risk {risk}, an override for `other`"))
                .likely("an override is for the one tool that it names")?;
        }
        Ok(())
    });
}

#[test]
fn an_override_is_for_the_tool_of_exactly_that_name() {
    judge("5.7", "an override applies to the tool of exactly that name", || {
        for (server, own) in [(Risk::Approve, Risk::Auto), (Risk::Auto, Risk::Approve)]
        {
            let options = options("", server, &[("read", own)]);
            let given =
                format!("the server's risk {server}, an override {own} of `read`");
            same(own, options.risk_of("read"))
                .given(format!("{given}, and `read`"))
                .likely("the host's word on one tool goes before the one for all")?;
            for name in ["readme", "rea", "Read", "read ", ""] {
                same(server, options.risk_of(name))
                    .given(format!("{given}, and {name:?}"))
                    .likely("names are compared whole and case-sensitively")?;
            }
        }
        Ok(())
    });
}

#[test]
fn of_two_overrides_the_stricter_holds() {
    judge("5.7", "of several overrides for one tool the strictest holds", || {
        let (auto, suggest, approve) = (Risk::Auto, Risk::Suggest, Risk::Approve);
        for order in
            [[auto, approve], [approve, auto], [auto, suggest], [suggest, auto]]
        {
            let options = options("", Risk::Auto, &order.map(|risk| ("a", risk)));
            same(order[0].max(order[1]), options.risk_of("a"))
                .given(format!("`a` overridden by {} and {}", order[0], order[1]))
                .likely("the first or the last won; `Risk` has an order: use it")?;
        }
        Ok(())
    });
}

#[test]
fn an_override_without_a_tool_is_reported() {
    judge("5.7", "each override that names no listed tool is named", || {
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
        .likely("a rule that names nothing protects nothing: compare the very names")?;
        let known = options("n__", Risk::Auto, &["search", "read.note"].map(approve));
        same(Vec::<String>::new(), known.unknown_overrides(listed_tools))
            .given(format!("overrides of `search` and `read.note`, the list {listed}"))
            .likely("an override is by the name that the server gave, not the exposed")
    });
}
