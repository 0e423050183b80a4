use super::*;

#[test]
fn tools_are_in_the_order_of_registration() {
    judge("5.1", "tools are in the order in which they were registered", || {
        let fake = Fake::returning("");
        let registry = registry_of(&[
            ("b", Risk::Auto, &fake),
            ("c", Risk::Approve, &fake),
            ("a", Risk::Suggest, &fake),
        ])?;
        let given = "the tools b, c, a, registered one after the other";
        same("b auto, c approve, a suggest".into(), entries(&registry))
            .given(given)
            .likely("append the entry to `tools`")?;
        for name in ["a", "b", "c"] {
            holds(registry.contains(name), format!("a registry with {name}"), "none")
                .given(given)
                .likely("store the index of the tool in `places` under its name")?;
        }
        Ok(())
    });
}

#[test]
fn a_taken_name_is_an_explicit_error() {
    judge("5.1", "a second tool of the same name is an error", || {
        let mut registry =
            registry_of(&[("say", Risk::Approve, &Fake::returning("1"))])?;
        let second = registry.register(spec("say", Risk::Auto), Fake::returning("2"));
        same(Err(DuplicateTool("say".into())), second)
            .given("a second tool `say`")
            .likely(
                "the second tool was accepted or silently dropped: return the error",
            )
    });
}

#[test]
fn a_duplicate_changes_nothing() {
    judge("5.1", "a rejected duplicate does not change the registry", || {
        let (first, second) = (Fake::returning("first"), Fake::returning("second"));
        let mut registry = registry_of(&[("say", Risk::Approve, &first)])?;
        let _ = registry.register(spec("say", Risk::Auto), second.clone());
        same("say approve".into(), entries(&registry))
            .given("`say` with the risk approve, then another `say` with auto")
            .likely(
                "check the name first: a second entry, or another risk, was stored",
            )?;
        same((1, 0), (first.clones(), second.clones()))
            .given("how often the registry holds the first and the second tool")
            .likely("the approved name now runs another tool")
    });
}

#[test]
fn names_are_compared_exactly() {
    judge("5.1", "names are compared exactly", || {
        let fake = Fake::returning("");
        let names = ["say", "Say", "say ", "sa", "say_it"];
        let registry = registry_of(&names.map(|name| (name, Risk::Auto, &fake)))?;
        same(names.len(), registry.specs().count())
            .given(format!("the names {names:?}"))
            .likely("the names were compared without case, trimmed or by prefix")
    });
}
