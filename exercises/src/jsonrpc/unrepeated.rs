//! JSON without duplicate members, at any depth.
//!
//! [`Value`] keeps the last of two. Another reader may keep the first; then an approver
//! decides about one tool and the server runs the other (RFC 8259, §4).

#![allow(unused)]

use crate::transcript::truncate_escaped;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, map::Entry};
use std::fmt;

/// Reads one JSON value like [`Value`], but refuses a duplicate member.
pub fn read_unrepeated(json: &str) -> serde_json::Result<Value> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let value = Unrepeated.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

struct Unrepeated;

impl<'de> DeserializeSeed<'de> for Unrepeated {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unrepeated {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(Unrepeated)? {
            array.push(item);
        }
        Ok(array.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            match object.entry(name) {
                Entry::Vacant(place) => {
                    place.insert(members.next_value_seed(Unrepeated)?);
                }
                Entry::Occupied(place) => {
                    let name = truncate_escaped(place.key().as_bytes(), 60);
                    let text = format!("duplicate member `{name}`");
                    return Err(A::Error::custom(text));
                }
            }
        }
        Ok(object.into())
    }
}
