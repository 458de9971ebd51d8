"""The reference values of the chain (docs/journal.md gives the formulas), and the canonical form."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from tock_league.journal import chain

BODY = (
    '{"actor":"u7","at":"2026-05-01T18:00:00.000Z","case":"TL-2026-000123","kind":"case.filed","seq":1,'
    '"stream":"competition:demo","text":{"sha256":"f7dee561fe7c30ee796f9897cc57ec617e5cd90f3d4b97dd07f5d23a6d86ec68"}}'
)


def test_the_reference_values_are_reproduced() -> None:
    text = chain.personal_hash(b"\x11" * 16, "Il a parlé.")
    body = chain.canonical(
        {
            "stream": "competition:demo",
            "seq": 1,
            "kind": "case.filed",
            "actor": "u7",
            "at": datetime(2026, 5, 1, 18, tzinfo=UTC),
            "case": "TL-2026-000123",
            "text": {"sha256": text},
        }
    )
    assert body.decode() == BODY
    before = chain.first_hash("competition:demo")
    assert before == "22e68726b122d933a97c8c344297f9b353ac626acd3407a6ef582f2e0c984d23"
    assert chain.next_hash(before, body) == "6f91f574540070722843f9bc53ea442007d0424f81a2553063d7d0a35d4adc57"


def test_one_thing_has_one_text() -> None:
    composed = chain.canonical({"b": [1, None, True], "a": "é", "at": datetime(2026, 1, 1, 12, tzinfo=UTC)})
    eastern = datetime(2026, 1, 1, 7, 0, 0, 999, tzinfo=timezone(timedelta(hours=-5)))
    assert chain.canonical({"at": eastern, "a": "e\u0301", "b": (1, None, True)}) == composed
    assert composed.decode() == '{"a":"é","at":"2026-01-01T12:00:00.000Z","b":[1,null,true]}'


@pytest.mark.parametrize("value", [1.0, float("nan"), b"x", {1}, 2**53, datetime(2026, 1, 1), "\ud83d"])
def test_a_value_without_canonical_form_is_an_error(value: object) -> None:
    with pytest.raises(ValueError):
        chain.canonical({"value": value})


def test_two_spellings_of_one_key_are_an_error() -> None:
    with pytest.raises(ValueError):
        chain.canonical({"é": 1, "e\u0301": 2})
