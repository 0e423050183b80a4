use super::*;

fn describe_reply(reply: Option<&Response>) -> Description {
    Description(match reply {
        None => "no response".into(),
        Some(Response { id, result }) => {
            let content = result.as_ref().map_or_else(
                |error| format!("the code {}", error.code),
                |result| format!("the result {result}"),
            );
            format!("a response with {}, {content}", describe_id(id.as_ref()))
        }
    })
}

/// Checks with every error code. `likely`: why the response or its id is wrong.
fn replies(
    expected: Option<Option<Id>>,
    id: Option<Id>,
    kind: MessageKind,
    likely: &str,
) -> Verdict {
    for code in [PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS] {
        let error = ErrorObject::new(code, "it is bad");
        let reply = expected.clone().map(|id| Response::error(id, error));
        let bad = ParseError { code, reason: "it is bad".into(), id: id.clone(), kind };
        let got = bad.reply();
        let likely = match (&reply, &got) {
            (Some(reply), Some(got)) if reply.id == got.id => {
                "the response is an error with the code `self.code`"
            }
            _ => likely,
        };
        let id = describe_id(id.as_ref());
        same(describe_reply(reply.as_ref()), describe_reply(got.as_ref()))
            .given(format!("a ParseError: code {code}, {id}, kind {kind:?}"))
            .likely(likely)?;
    }
    Ok(())
}

#[test]
fn a_malformed_request_gets_an_error_with_its_id() {
    judge("1.7", "a malformed request gets an error with its id and code", || {
        let likely = "the response has the id `self.id`, of any type";
        replies(Some(id(1)), id(1), MessageKind::Request, likely)?;
        replies(Some(string_id("1")), string_id("1"), MessageKind::Request, likely)?;
        let likely =
            "the id was null or invalid, but the client waits; do not invent an id";
        replies(Some(None), None, MessageKind::Request, likely)
    });
}

#[test]
fn an_unreadable_message_gets_an_error_without_an_id() {
    judge("1.7", "an unreadable message gets one error, with its id if any", || {
        let likely = "it may have been a request; respond, but do not invent an id";
        replies(Some(None), None, MessageKind::Unknown, likely)?;
        let likely = "the id was readable, so the response has it";
        replies(Some(id(1)), id(1), MessageKind::Unknown, likely)
    });
}

#[test]
fn a_notification_and_a_response_get_no_response() {
    judge("1.7", "a malformed notification or response gets no response", || {
        let likely =
            "the sender of a notification expects no response, not even an error";
        replies(None, None, MessageKind::Notification, likely)?;
        let likely = "two peers that respond to each other's errors never stop";
        replies(None, id(1), MessageKind::Response, likely)?;
        replies(None, None, MessageKind::Response, likely)
    });
}
