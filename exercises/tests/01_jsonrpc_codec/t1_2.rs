use super::*;

/// A response with the id `response` is paired with the request `expected`.
fn is_paired(expected: Option<Id>, ids: &[Id], response: Option<Id>) -> Verdict {
    let request =
        |id: &Id| Request { id: id.clone(), method: "ping".into(), params: None };
    let requests: Vec<_> = ids.iter().map(request).collect();
    let listed: Vec<_> = ids.iter().map(Id::to_string).collect();
    let sent = format!("sent {}", listed.join(", "));
    let response_id = describe_id(response.as_ref());
    let responses = [
        Response { id: response.clone(), result: Ok(json!({})) },
        Response { id: response, result: Err(ErrorObject::new(-32603, "no")) },
    ];
    let describe = |id: Option<&Id>| {
        Description(id.map_or("no request".into(), |id| format!("request {id}")))
    };
    for response in responses {
        let got = pair(&requests, &response).map(|request| &request.id);
        let kind = if response.result.is_ok() { "a result" } else { "an error" };
        same(describe(expected.as_ref()), describe(got))
            .given(format!("{sent}; received {kind} with {response_id}"))?;
    }
    Ok(())
}

#[test]
fn responses_in_the_order_3_1_2_are_paired_by_id() {
    judge("1.2", "a response belongs to the request with the same id", || {
        for number in [3, 1, 2] {
            let sent = [1, 2, 3].map(Id::Integer);
            is_paired(id(number), &sent, id(number))
                .likely("paired by order of arrival: search for the id instead")?;
        }
        let sent = [Id::Integer(7), Id::String("b".into()), Id::Integer(0)];
        for wanted in &sent {
            is_paired(Some(wanted.clone()), &sent, Some(wanted.clone()))
                .likely("the id was used as a position; an id may be 0, or a string")?;
        }
        Ok(())
    });
}

#[test]
fn a_string_id_does_not_match_a_number() {
    judge("1.2", "1 and \"1\" are different ids", || {
        let likely = "the ids were compared as text: compare the `Id` values";
        let sent = [Id::Integer(1), Id::String("2".into())];
        is_paired(None, &sent, string_id("1")).likely(likely)?;
        is_paired(None, &sent, id(2)).likely(likely)
    });
}

#[test]
fn a_response_with_an_unknown_id_matches_no_request() {
    judge("1.2", "a response with an unknown id, or none, matches no request", || {
        let sent = [Id::Integer(1)];
        is_paired(None, &sent, id(7))
            .likely("the only request was returned without comparing its id")?;
        is_paired(None, &sent, id((1 << 64) + 1))
            .likely("an `i128` was truncated to 64 bits, so 2^64 + 1 became 1")?;
        is_paired(None, &sent, None).likely(
            "the peer omits the id if it could not read the request's id: match none",
        )
    });
}
