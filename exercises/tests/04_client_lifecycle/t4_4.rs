use super::*;

#[test]
fn a_number_returned_as_a_string_is_recognized() {
    judge("4.4", "\"2\" was meant for 2, if the request 2 is pending", || {
        is_meant_for(Some(id(2)), string_id("2"), &three(Instant::now()))
            .likely("parse the digits of the string, and look the number up")
    });
}

#[test]
fn an_id_without_a_pending_number_means_no_request() {
    judge("4.4", "without a pending request of this number it is `None`", || {
        let mut pending = three(Instant::now());
        for unknown in [string_id("4"), string_id("a"), string_id(""), id(7)] {
            is_meant_for(None, unknown, &pending)
                .likely("the string is not a number, or its number is not pending")?;
        }
        is_meant_for(None, id(2), &pending)
            .likely("2 itself is a known id: there is nothing to explain")?;
        pending.take(&id(2));
        same(None, pending.numeric_equivalent(&string_id("2")))
            .given("a response with the id \"2\" after the response 2")
            .likely("the request 2 is no longer pending")
    });
}

#[test]
fn a_large_number_is_recognized() {
    judge("4.4", "\"300\" was meant for 300, if the request 300 is pending", || {
        let pending = many(300, Instant::now());
        for number in [9, 10, 255, 256, 300] {
            let text = number.to_string();
            same(Some(id(number)), pending.numeric_equivalent(&string_id(&text)))
                .given(format!("{text:?}, while 1 to 300 are pending"))
                .likely("the digits are parsed as a type that is too small")?;
        }
        Ok(())
    });
}

#[test]
fn only_the_digits_that_were_sent_count() {
    judge("4.4", "\"01\" and \"+1\" do not mean 1: it was sent as 1", || {
        for unknown in ["01", "+1", " 1", "1.0"] {
            is_meant_for(None, string_id(unknown), &three(Instant::now()))
                .likely("`parse` accepts several spellings of a number")?;
        }
        Ok(())
    });
}
