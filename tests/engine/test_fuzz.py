"""Randomly corrupted lines and positions over the wire: the answer is always one JSON object with an error that names
the key or the rule, never a traceback, and nothing changes. Where the rulebook decides (the reference knows), the
answer agrees.
"""

import json
import random
import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import conformance
from tests.engine import built, reference
from tests.engine.agree import level
from tests.engine.configurations import ALL
from tests.engine.lines import strange
from tests.engine.reference.checks import FURTHER, NEEDED, PHASES, checked, silent

KEYS = (*NEEDED, *FURTHER)
TRACE = re.compile(r"Traceback|File \"|Error\b|object at 0x|<class|line \d+ in")


def position_of(seed: int) -> dict[str, Any]:
    roll = random.Random(seed)
    return built.built(roll, roll.choice(ALL), roll.choice(sorted(built.KINDS)))


positions = st.integers(0, 1 << 30).map(position_of)
junk: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 9),
    st.integers(-(10**40), 10**40),
    st.floats(allow_nan=False),
    st.text(max_size=6),
    st.sampled_from(["r", "t0", "t007", "t-1", "t72", "x7", "h0", "h5", "0h1", "9h1", "ｔ1", "t１"]),
    st.sampled_from(["JK", "BJ", "1S", "10s", "play", "blind"]),
    st.lists(st.integers(-1, 8), max_size=9),
    st.lists(st.sampled_from(["r", "t1", "h1", "x7", "9C", None]), max_size=9),
    st.dictionaries(st.sampled_from(KEYS), st.integers(0, 3), max_size=2),
    st.recursive(st.none(), lambda deeper: st.lists(deeper, min_size=1, max_size=2), max_leaves=8),
)  # fmt: skip


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    """Return a position with one change, and the key that was changed."""
    position = draw(positions)
    key = draw(st.sampled_from([*position, *FURTHER, "colour", "", "Rules"]))
    how = draw(st.sampled_from(["likely", "likely", "likely", "replace", "remove", "inside", "inside", "twice"]))
    if how == "likely" and key in KEYS:
        change_likely(draw, position, key)
    elif how == "remove" and key in position:
        del position[key]
    elif how in ("inside", "twice") and isinstance(position.get(key), list) and position[key]:
        change_inside(draw, position[key], twice=how == "twice")
    else:
        position[key] = draw(junk)
    return position, key


def change_likely(draw: st.DrawFn, position: dict[str, Any], key: str) -> None:
    """Change one thing to another of its kind: half of these positions are possible."""
    n = position["seats"]
    seat, seats = st.integers(0, n - 1), st.lists(st.integers(0, n - 1), unique=True, max_size=3)
    place = draw(
        st.sampled_from(["r", "r", "h1", "h2", "h3", "h4", *(f"t{space}" for space in range(18 * n)), "x7", "x25"])
    )
    if key == "marbles":
        position["marbles"][draw(seat)][draw(st.integers(0, 3))] = place
    elif key in ("hands", "stock") and position["stock"]:
        position["hands"][draw(seat)].append(position["stock"].pop())
    else:
        like: dict[str, st.SearchStrategy[Any]] = {
            "dealer": seat,
            "turn": seat,
            "deal": st.integers(0, 2),
            "phase": st.sampled_from(PHASES),
            "fresh": seats,
            "thrown": seats,
            "finished": seats,
            "penalties": st.lists(st.integers(0, 2), min_size=n, max_size=n),
            "joker": st.sampled_from([None, place, "0h1", "1h4"]),
            "given": st.just([None] * n),
            "rules": st.sampled_from(sorted(reference.sheets.TABLES)),
            "seats": st.sampled_from([4, 6, 8]),
            "teams": st.sampled_from([2, 3, 4, 6, 8]),
        }
        position[key] = draw(like.get(key, st.booleans()))


def judged(position: dict[str, Any]) -> dict[str, Any] | str:
    """Return the position as the reference reads it, or the text of its refusal."""
    try:
        return checked(position)
    except reference.Refused as refusal:
        return str(refusal)


def change_inside(draw: st.DrawFn, items: list[Any], *, twice: bool) -> None:
    at = draw(st.integers(0, len(items) - 1))
    if isinstance(items[at], list) and items[at] and draw(st.booleans()):
        change_inside(draw, items[at], twice=twice)
    elif twice:
        items.insert(at, items[at])
    elif draw(st.booleans()):
        items[at] = draw(junk)
    else:
        del items[at]


def asked(request: Any) -> dict[str, Any]:
    """Return the answer over the wire: one line, one JSON object with one key, no traceback; the request is not
    changed.
    """
    before = json.dumps(request)
    line = conformance.answer_line(before)
    assert "\n" not in line
    answer = json.loads(line)
    assert isinstance(answer, dict)
    assert len(answer) == 1
    if "error" in answer:
        assert isinstance(answer["error"], str)
        assert len(answer["error"]) > 10
        assert not TRACE.search(answer["error"]), answer
    if isinstance(request, dict):
        conformance.answer(request)
        assert json.dumps(request) == before
    return answer


@settings(max_examples=900, deadline=None)
@given(spoilt(), st.sampled_from(["legal", "result"]))
def test_a_corrupted_position_is_judged_as_the_reference_judges_it(case: tuple[dict[str, Any], str], op: str) -> None:
    position, _ = case
    answer = asked({"op": op, "position": position})
    book = judged(position)
    if isinstance(book, str):
        assert "error" in answer, f"accepted, but {book}"
        assert any(key in answer["error"] for key in (*KEYS, *map(repr, position.keys() - set(KEYS))))
        return
    if not silent(book):
        wanted = {"plays": reference.legal(position)} if op == "legal" else {"ranks": reference.result(position)}
        assert answer == wanted


@settings(max_examples=300, deadline=None)
@given(spoilt())
def test_the_error_about_a_position_names_the_key_where_one_thing_was_changed(case: tuple[dict[str, Any], str]) -> None:
    """One thing was changed, so the error names that key, or one that must agree with it."""
    position, key = case
    answer = asked({"op": "legal", "position": position})
    if "error" in answer:
        named = {other for other in KEYS if re.search(rf"\b{other}\b", answer["error"])}
        assert named & ({key} | AGREES.get(key, set(KEYS))) or repr(key) in answer["error"] or key in answer["error"]


CARDS = {"hands", "stock", "given"}
AGREES = {
    "hands": {*CARDS, "turn", "finished", "phase"},
    "stock": {*CARDS, "deal"},
    "given": {*CARDS, "turn"},
    "marbles": {"marbles", "fresh", "joker", "finished"},
    "fresh": {"fresh"},
    "joker": {"joker", "phase"},
    "penalties": {"penalties", "phase"},
    "finished": {"finished", "stock", "hands", "turn"},
    "dealer": {"dealer"},
    "deal": {"deal", "stock"},
    "first": {"first"},
    "thrown": {"thrown"},
    "full_ranking": {"full_ranking", "finished"},
}


# --- lines -----------------------------------------------------------------------------------------------------------

letters = st.one_of(
    st.text(max_size=12), st.text("thx0123456789-r SHDCJKQA", max_size=24), st.binary(max_size=8).map(str)
)


@st.composite
def line_for(draw: st.DrawFn) -> tuple[dict[str, Any], Any]:
    """Return a position and a line for it: listed, similar to a listed one, corrupted letter by letter, or unrelated."""
    position = draw(positions)
    plays = reference.legal(position)
    kind = draw(st.sampled_from(["near", "letters", "letters", "junk", "any"]))
    if kind == "near" or not plays:
        return position, draw(
            st.sampled_from(strange(random.Random(draw(st.integers(0, 999))), position, plays) or ["x"])
        )
    if kind == "junk":
        return position, draw(junk)
    if kind == "any":
        return position, draw(letters)
    line = draw(st.sampled_from(plays))
    at = draw(st.integers(0, len(line)))
    cut = draw(st.integers(0, 2))
    return position, line[:at] + draw(st.text("thx0123456789- \tSHDCé０", max_size=2)) + line[at + cut :]


@settings(max_examples=600, deadline=None)
@given(line_for())
def test_a_corrupted_line_is_refused_unless_the_reference_accepts_it(case: tuple[dict[str, Any], Any]) -> None:
    position, line = case
    answer = asked({"op": "apply", "position": position, "play": line})
    try:
        book = reference.apply(position, line)
    except reference.Refused:
        assert "error" in answer, line
    else:
        assert level(answer["position"]) == book


@settings(max_examples=300, deadline=None)
@given(positions, st.integers(0, 1 << 30))
def test_a_request_with_corrupted_bytes_gets_one_answer_too(position: dict[str, Any], seed: int) -> None:
    roll = random.Random(seed)
    text = bytearray(json.dumps({"op": "legal", "position": position}).encode())
    for _ in range(roll.randint(1, 4)):
        at = roll.randrange(len(text))
        how = roll.randrange(3)
        if how == 0:
            del text[at : at + roll.randint(1, 6)]
        elif how == 1:
            text[at] = roll.randrange(256)
        else:
            text[at:at] = roll.choice([b"[", b"{", b'"', b"\xff", b"9" * 5000, b"null", b"\x00", b"1e999", b"\\ud800"])
    line = conformance.answer_line(text.decode("utf-8", "replace"))
    answer = json.loads(line)
    assert list(answer) in (["error"], ["plays"])
    assert not TRACE.search(line)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(ALL), st.sampled_from(["rules", "seats", "teams", "dealer", "full_ranking", "op"]), junk)
def test_a_new_game_that_cannot_be_is_refused(table: Any, key: str, value: Any) -> None:
    request = {"op": "new", "rules": table.rules, "seats": table.seats, "teams": table.teams, "dealer": 1}
    answer = asked(request | {key: value})
    fine = {
        "rules": value == table.rules,
        "seats": type(value) is int and table.teams in reference.sheets.TABLES[table.rules].get(value, ()),
        "teams": type(value) is int and value in reference.sheets.TABLES[table.rules][table.seats],
        "dealer": type(value) is int and 0 <= value < table.seats,
        "full_ranking": type(value) is bool,
        "op": False,
    }[key]
    assert list(answer) == (["position"] if fine else ["error"]), answer


@settings(max_examples=100, deadline=None)
@given(positions, junk)
def test_an_invalid_depth_is_refused(position: dict[str, Any], depth: Any) -> None:
    if type(depth) is int and 3 <= depth <= 10:
        return
    answer = asked({"op": "perft", "position": position, "depth": depth})
    assert list(answer) == (["nodes"] if type(depth) is int and 0 <= depth < 3 else ["error"])
    assert "depth" in answer.get("error", "depth")
