use super::*;

fn of_reply(reply: Option<&Response>) -> Words {
    Words(match reply {
        None => "no response".into(),
        Some(Response { id, result }) => {
            let result_or_error = result.as_ref().map_or_else(
                |error| format!("the code {}", error.code),
                |result| format!("the result {result}"),
            );
            format!("a response with {}, {result_or_error}", of_id(id.as_ref()))
        }
    })
}

/// For any code. `likely`: why a response, its absence or its id is wrong.
fn has_reply(
    expected: Option<Option<Id>>,
    id: Option<Id>,
    kind: MessageKind,
    likely: &str,
) -> Verdict {
    for code in [PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS] {
        let error = ErrorObject::new(code, "it is bad");
        let wanted = expected.clone().map(|id| Response::error(id, error));
        let bad = ParseError { code, reason: "it is bad".into(), id: id.clone(), kind };
        let got = bad.reply();
        let like = |one: &Response, other: &Response| one.id == other.id;
        let likely = match (&wanted, &got) {
            (Some(wanted), Some(got)) if like(wanted, got) => {
                "the response is an error with the code `self.code`"
            }
            _ => likely,
        };
        let of_id = of_id(id.as_ref());
        same(of_reply(wanted.as_ref()), of_reply(got.as_ref()))
            .given(format!("a refusal: code {code}, {of_id}, kind {kind:?}"))
            .likely(likely)?;
    }
    Ok(())
}

#[test]
fn a_malformed_request_gets_a_response_with_its_id() {
    judge("1.7", "a malformed request gets a response with its id", || {
        let likely = "the response has `self.id`, whatever it is";
        has_reply(Some(id(1)), id(1), MessageKind::Request, likely)?;
        has_reply(Some(string_id("1")), string_id("1"), MessageKind::Request, likely)?;
        let likely = "its id was null or broken, but its sender waits; do not invent \
                      an id";
        has_reply(Some(None), None, MessageKind::Request, likely)
    });
}

#[test]
fn an_unreadable_message_gets_a_response_without_an_id() {
    judge("1.7", "an unreadable message gets one response, without an id", || {
        let likely = "it may have been a request, and its sender waits; invent no id";
        has_reply(Some(None), None, MessageKind::Unknown, likely)?;
        let likely = "an id could be read, so the response has it";
        has_reply(Some(id(1)), id(1), MessageKind::Unknown, likely)
    });
}

#[test]
fn a_notification_and_a_response_get_no_response() {
    judge("1.7", "a notification or a response gets no response", || {
        let likely = "the sender of a notification expects no response, not even an \
                      error";
        has_reply(None, None, MessageKind::Notification, likely)?;
        let likely = "two peers that respond to each other's errors never stop";
        has_reply(None, id(1), MessageKind::Response, likely)?;
        has_reply(None, None, MessageKind::Response, likely)
    });
}
