use super::*;

/// The request that is paired with a response to `id`.
fn is_paired(expected: Option<Id>, ids: &[Id], response: Option<Id>) -> Verdict {
    let request =
        |id: &Id| Request { id: id.clone(), method: "ping".into(), params: None };
    let requests: Vec<_> = ids.iter().map(request).collect();
    let listed: Vec<_> = ids.iter().map(Id::to_string).collect();
    let sent = format!("sent {}", listed.join(", "));
    let of_response = of_id(response.as_ref());
    let responses = [
        Response { id: response.clone(), result: Ok(json!({})) },
        Response { id: response, result: Err(ErrorObject::new(-32603, "no")) },
    ];
    let words = |id: Option<&Id>| {
        Words(id.map_or("no request".into(), |id| format!("request {id}")))
    };
    for response in responses {
        let got = pair(&requests, &response).map(|request| &request.id);
        let kind = if response.result.is_ok() { "a result" } else { "an error" };
        same(words(expected.as_ref()), words(got))
            .given(format!("{sent}; received {kind} with {of_response}"))?;
    }
    Ok(())
}

#[test]
fn responses_in_the_order_3_1_2_find_their_requests() {
    judge("1.2", "a response belongs to the request with the same id", || {
        for number in [3, 1, 2] {
            let sent = [1, 2, 3].map(Id::Integer);
            is_paired(id(number), &sent, id(number))
                .likely("paired by the order of arrival: look for the id instead")?;
        }
        let sent = [Id::Integer(7), Id::String("b".into()), Id::Integer(0)];
        for wanted in &sent {
            is_paired(Some(wanted.clone()), &sent, Some(wanted.clone()))
                .likely("an id is not a position; it may be 0 or a string")?;
        }
        Ok(())
    });
}

#[test]
fn a_string_is_not_a_number() {
    judge("1.2", "1 and \"1\" are different ids", || {
        let likely = "ids compared as text: compare the `Id`s themselves";
        let sent = [Id::Integer(1), Id::String("2".into())];
        is_paired(None, &sent, string_id("1")).likely(likely)?;
        is_paired(None, &sent, id(2)).likely(likely)
    });
}

#[test]
fn a_response_with_an_unknown_id_belongs_to_no_request() {
    judge("1.2", "a response with an unknown id or none belongs to no request", || {
        let sent = [Id::Integer(1)];
        is_paired(None, &sent, id(7))
            .likely("some request was taken because there was one")?;
        is_paired(None, &sent, id((1 << 64) + 1))
            .likely("an `i128` was cut to 64 bits, and 2^64 + 1 became 1")?;
        is_paired(None, &sent, None)
            .likely("a response without an id is for an unreadable message, not for 1")
    });
}
