use super::*;

#[test]
fn tools_are_in_the_order_of_registration() {
    judge("5.1", "tools are in the order of registration", || {
        let fake = Fake::says("");
        let registry = registry_of(&[
            ("b", Risk::Auto, &fake),
            ("c", Risk::Approve, &fake),
            ("a", Risk::Suggest, &fake),
        ])?;
        let given = "the tools b, c, a, registered one after the other";
        same("b auto, c approve, a suggest".into(), entries(&registry))
            .given(given)
            .likely("append the unchanged entry to `tools`")?;
        for name in ["a", "b", "c"] {
            holds(registry.contains(name), format!("a registry with {name}"), "none")
                .given(given)
                .likely("`places` must get the position of the name in `tools`")?;
        }
        Ok(())
    });
}

#[test]
fn a_taken_name_is_an_explicit_error() {
    judge("5.1", "a second tool of the same name is an error", || {
        let mut registry = registry_of(&[("say", Risk::Approve, &Fake::says("1"))])?;
        let second = registry.register(spec("say", Risk::Auto), Fake::says("2"));
        same(Err(DuplicateTool("say".into())), second)
            .given("a second tool `say`")
            .likely("it was taken, or dropped without a word: the caller must know")
    });
}

#[test]
fn a_collision_changes_nothing() {
    judge("5.1", "after a collision the registry is what it was before", || {
        let (first, second) = (Fake::says("first"), Fake::says("second"));
        let mut registry = registry_of(&[("say", Risk::Approve, &first)])?;
        let _ = registry.register(spec("say", Risk::Auto), second.clone());
        same("say approve".into(), entries(&registry))
            .given("`say` with the risk approve, then another `say` with auto")
            .likely(
                "look before you write: a second entry, or another risk, is left",
            )?;
        same((1, 0), (first.kept(), second.kept()))
            .given("how often the first and the second executor are kept")
            .likely("the approved name would now run another tool")
    });
}

#[test]
fn names_are_compared_whole_and_case_sensitively() {
    judge("5.1", "names are compared whole and case-sensitively", || {
        let fake = Fake::says("");
        let names = ["say", "Say", "say ", "sa", "say_it"];
        let registry = registry_of(&names.map(|name| (name, Risk::Auto, &fake)))?;
        same(names.len(), registry.specs().count())
            .given(format!("the names {names:?}"))
            .likely("a lower case, a trim or a prefix took two names for one")
    });
}
