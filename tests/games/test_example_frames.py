"""The worked example of the protocol: legal plays, patches and hashes must equal the printed ones."""

from games.engine import registry
from games.fold import (
    Clocks,
    ClockSettings,
    Row,
    Setup,
    Step,
    TableState,
    Viewer,
    apply_row,
    clocks_json,
    events,
    steps,
    view_hash,
)
from games.fold import view as view_of
from games.live import projection
from games.live.messages import body

SETUP = Setup(game="g7q2", rules="shawinigan/1", seats=4, teams=2, clocks=ClockSettings())
# Seat 1's cards are printed; the others' fit their plays. 12 cards of the deal are in hands or played, 4 in the stock.
POSITION = {
    "rules": "shawinigan/1",
    "seats": 4,
    "teams": 2,
    "dealer": 3,
    "deal": 1,
    "turn": 1,
    "phase": "play",
    "hands": [["7D", "2S", "6S"], ["10H", "4D", "9C", "KS"], ["10S", "2C", "6C", "8C"], ["3D", "4C", "5S", "JH"]],
    "stock": [f"{rank}H" for rank in ("A", "2", "3", "4", "5", "6", "7", "8")]
    + [f"{rank}D" for rank in ("A", "2", "5", "6", "8", "9", "10", "J")],
    "marbles": [["h4", "r", "t16", "t70"], ["r", "r", "t18", "t30"], ["r", "r", "t39", "t54"], ["r", "r", "r", "t51"]],
    "fresh": [1],
}
CLOCKS = Clocks(bank=(268400, 291000, 300000, 254250), run=1, opened=1790000412000, due=1790000472000)


def at_412() -> TableState:
    engine = registry.game(SETUP.rules)
    return TableState(
        setup=SETUP,
        seq=412,
        at=1790000412000,
        decision=412,
        ready=(True,) * 4,
        dealer=3,
        position=engine.from_json(POSITION),
        pile="3C",
        clocks=CLOCKS,
        timeouts=(0,) * 4,
        decks=1,
        deals=((1, 0), (409, 1790000402500)),
    )


def act(seq: int, at: int, code: str, **body: object) -> Row:
    return Row(seq=seq, kind="act", code=code, body=body, actor="seat:1", at=at)


def play(seq: int, at: int, seat: int, text: str) -> Row:
    return Row(seq=seq, kind="play", code="play", body={"seat": seat, "play": text}, actor=f"seat:{seat}", at=at)


def shown(state: TableState, row: Row, seat: int) -> tuple[TableState, dict, str]:
    after = apply_row(state, row)
    ((event, seen),) = events([Step(row, state, after)], Viewer(seat))
    assert seen == view_of(after, Viewer(seat))
    return after, event, view_hash(seen)


def test_the_first_view_of_seat_1_is_the_printed_one() -> None:
    seen = view_of(at_412(), Viewer(1))
    assert seen == {
        "game": "g7q2",
        "rules": "shawinigan/1",
        "seats": 4,
        "teams": 2,
        "phase": "play",
        "turn": 1,
        "decision": "0.412",
        "dealer": 3,
        "deal": 1,
        "marbles": {
            "0": ["h4", "r", "t16", "t70"],
            "1": ["r", "r", "t18", "t30"],
            "2": ["r", "r", "t39", "t54"],
            "3": ["r", "r", "r", "t51"],
        },
        "fresh": [1],
        "count": [3, 4, 4, 4],
        "owed": [0, 0, 0, 0],
        "pile": "3C",
        "hand": ["10H", "4D", "9C", "KS"],
        "legal": [
            "10H skip",
            "10H t18-t28",
            "10H t30-t40",
            "4D t18-t14",
            "4D t30-t26",
            "9C t18-t27",
            "9C t30-t39",
            "KS t18-t31",
            "KS t30-t7",
        ],
    }
    assert view_hash(seen) == "8dc30bdc97dbcf95"


def test_touches_plays_and_a_forced_burn_give_the_printed_events_and_hashes() -> None:
    state, event, mark = shown(at_412(), act(413, 1790000415100, "touch", seat=1, card="9C"), 1)
    assert event == {
        "seq": 413,
        "k": "touch",
        "d": {"seat": 1, "card": "9C"},
        "set": {"legal": ["9C t18-t27", "9C t30-t39"], "touched": {"card": "9C"}},
    }
    assert mark == "d42db3c442147027"
    assert clocks_json(state) == CLOCKS.to_json()

    state, event, mark = shown(state, act(414, 1790000417200, "touch", seat=1, marble="t30"), 1)
    assert event == {
        "seq": 414,
        "k": "touch",
        "d": {"seat": 1, "marble": "t30"},
        "set": {"legal": ["9C t30-t39"], "touched": {"marble": "t30"}},
    }
    assert mark == "1fb7eb6db61065f7"

    state, event, mark = shown(state, play(415, 1790000420000, 1, "9C t30-t39"), 1)
    assert event == {
        "seq": 415,
        "k": "play",
        "d": {"seat": 1, "play": "9C t30-t39"},
        "set": {
            "legal": None,
            "touched": None,
            "turn": 2,
            "decision": "0.415",
            "marbles": {"1": ["r", "r", "t18", "t39"], "2": ["r", "r", "r", "t54"]},
            "count": [3, 3, 4, 4],
            "pile": "9C",
            "hand": ["10H", "4D", "KS"],
        },
        "fx": [["move", 1, "t30", "t39"], ["eaten", 2, "t39"]],
    }
    assert mark == "de54ee34cc4e7d6e"
    assert clocks_json(state) == {
        "bank": [268400, 288000, 300000, 254250],
        "run": 2,
        "opened": 1790000420000,
        "due": 1790000480000,
    }

    _, event, mark = shown(state, play(416, 1790000426000, 2, "10S skip"), 3)
    assert event["set"] == {
        "phase": "forced",
        "turn": 3,
        "decision": "0.416",
        "count": [3, 3, 3, 4],
        "pile": "10S",
        "legal": ["burn 3D", "burn 4C", "burn 5S", "burn JH"],
    }
    assert event["fx"] == [["forced", 3]]
    assert mark == "1b6da11aa98aed84"
    state, event, _ = shown(state, play(416, 1790000426000, 2, "10S skip"), 1)
    assert event["set"] == {"phase": "forced", "turn": 3, "decision": "0.416", "count": [3, 3, 3, 4], "pile": "10S"}
    assert clocks_json(state) == {
        "bank": [268400, 288000, 299000, 254250],
        "run": 3,
        "opened": 1790000426000,
        "due": 1790000446000,
    }

    state, event, _ = shown(state, play(417, 1790000428600, 3, "burn 4C"), 1)
    assert "fx" not in event
    assert clocks_json(state)["bank"] == [268400, 288000, 299000, 254250]


def test_the_talking_penalty_gives_the_printed_frame_forced_burn_and_blind_burn_included() -> None:
    """Seat 1 reconnects at 415 and gets one `ev` with what it missed: ten, penalty, burn, blind burn."""
    state = at_412()
    for row in (
        act(413, 1790000415100, "touch", seat=1, card="9C"),
        act(414, 1790000417200, "touch", seat=1, marble="t30"),
        play(415, 1790000420000, 1, "9C t30-t39"),
    ):
        state = apply_row(state, row)
    penalty = {"seat": 0, "penalty": "talk", "at": 416, "by": "referee"}
    rows = [
        play(416, 1790000426000, 2, "10S skip"),
        Row(seq=417, kind="act", code="penalty", body=penalty, actor="referee", at=1790000427000),
        play(418, 1790000428600, 3, "burn 4C"),
        Row(418 + 1, "play", "play", {"seat": 0, "play": "blind 7D", "chance": True}, "system", 1790000428600),
    ]
    frame = projection.ev(list(steps(state, rows)), Viewer(1), now=1790000429800)
    assert body(frame) == {
        "t": "ev",
        "epoch": 0,
        "from": 416,
        "list": [
            {
                "seq": 416,
                "k": "play",
                "d": {"seat": 2, "play": "10S skip"},
                "set": {"phase": "forced", "turn": 3, "decision": "0.416", "count": [3, 3, 3, 4], "pile": "10S"},
                "fx": [["forced", 3]],
            },
            {"seq": 417, "k": "penalty", "d": penalty, "set": {"owed": [1, 0, 0, 0]}},
            {
                "seq": 418,
                "k": "play",
                "d": {"seat": 3, "play": "burn 4C"},
                "set": {"phase": "blind", "turn": 0, "decision": "0.418", "count": [3, 3, 3, 3], "pile": "4C"},
            },
            {
                "seq": 419,
                "k": "play",
                "d": {"seat": 0, "play": "blind 7D", "chance": True},
                "set": {
                    "phase": "play",
                    "turn": 1,
                    "decision": "0.419",
                    "count": [2, 3, 3, 3],
                    "owed": [0, 0, 0, 0],
                    "pile": "7D",
                    "legal": [
                        "10H skip",
                        "10H t18-t28",
                        "10H t39-t49",
                        "4D t18-t14",
                        "4D t39-t35",
                        "KS t18-t31",
                        "KS t39-t52",
                    ],
                },
            },
        ],
        "clocks": {
            "bank": [268400, 288000, 299000, 254250],
            "run": 1,
            "opened": 1790000428600,
            "due": 1790000488600,
        },
        "now": 1790000429800,
        "hash": "4cb93ee094327415",
    }


def test_a_spectator_sees_no_hand_and_no_legal_play() -> None:
    seen = view_of(at_412(), Viewer())
    assert "hand" not in seen
    assert "legal" not in seen


def test_the_view_of_a_spectator_has_the_printed_hash() -> None:
    engine = registry.game(SETUP.rules)
    marbles = [["h4", "r", "t16", "t67"], *POSITION["marbles"][1:]]
    position = POSITION | {
        "turn": 0,
        "hands": [["3C", "7D", "2S", "6S"], *POSITION["hands"][1:]],
        "marbles": marbles,
    }
    state = TableState(
        setup=SETUP,
        seq=409,
        decision=409,
        ready=(True,) * 4,
        dealer=3,
        position=engine.from_json(position),
        pile="JC",
    )
    assert view_hash(view_of(state, Viewer())) == "12c39202f18b44f4"
