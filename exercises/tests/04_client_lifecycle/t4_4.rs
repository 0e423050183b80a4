use super::*;

#[test]
fn a_number_returned_as_a_string_is_recognised() {
    judge("4.4", "\"2\" means 2, if 2 is pending", || {
        has_equivalent(&three(Instant::now()), string_id("2"), Some(id(2)))
            .likely("read the string's digits as a number, and look that up")
    });
}

#[test]
fn an_id_that_is_not_pending_has_no_equivalent() {
    judge("4.4", "a string without such a pending number means nothing", || {
        let mut pending = three(Instant::now());
        for unknown in [string_id("4"), string_id("a"), string_id(""), id(7)] {
            has_equivalent(&pending, unknown, None)
                .likely("a string may hold anything; and is its number waited for?")?;
        }
        has_equivalent(&pending, id(2), None)
            .likely("2 itself is not an unknown id: it is what was sent")?;
        pending.take(&id(2));
        same(None, pending.numeric_equivalent(&string_id("2")))
            .given("the id \"2\" after the response 2")
            .likely("it is not waited for any more")
    });
}

#[test]
fn a_large_number_is_recognised() {
    judge("4.4", "\"300\" means 300, if 300 is pending", || {
        let pending = many(300, Instant::now());
        for number in [9, 10, 255, 256, 300] {
            let text = number.to_string();
            same(Some(id(number)), pending.numeric_equivalent(&string_id(&text)))
                .given(format!("{text:?}, while 1 to 300 are open"))
                .likely(
                    "the digits are parsed into a type that is too small for an id",
                )?;
        }
        Ok(())
    });
}

#[test]
fn only_the_digits_that_were_sent_count() {
    judge("4.4", "\"01\" and \"+1\" are not how 1 was written", || {
        for unknown in ["01", "+1", " 1", "1.0"] {
            has_equivalent(&three(Instant::now()), string_id(unknown), None)
                .likely("`parse` accepts several spellings of a number")?;
        }
        Ok(())
    });
}
