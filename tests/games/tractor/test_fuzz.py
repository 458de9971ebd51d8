"""Random commands at a table of Tractor: each one is answered, and a refusal leaves no row."""

import random
from collections.abc import Callable

import pytest

from games.engine.cards import TEXTS
from games.live.messages import NAK_CODES, BadFrame, command
from games.models import GameEvent
from games.selectors import replays

from .four import Four

pytestmark = pytest.mark.django_db
WORDS = (
    "play",
    "bury",
    "show 0:",
    "show 3:",
    "pass 1",
    "pass 7",
    "draw 4",
    "deck",
    "give",
    "burn",
    "blind",
    "throw",
    "",
)
TIMES = 160


def anything(roll: random.Random, four: Four, seat: int) -> tuple[str, dict[str, str]]:
    """Return a kind with arguments: with cards of the hand or not, valid or not."""
    hand = four.hand(seat) or list(TEXTS)
    cards = [
        roll.choice(hand if roll.random() < 0.8 else TEXTS)
        for _ in range(roll.choice((1, 1, 2, 2, 3, 4, 8, 8, 25, 33)))
    ]
    if roll.random() < 0.3:
        cards = sorted(cards * 2)
    text = " ".join(cards)
    return roll.choice(
        [
            ("show", {"cards": text}),
            ("pass", {}),
            ("bury", {"cards": text}),
            ("burn", {"card": roll.choice(["3S", "JK"])}),
            ("touch", {"card": "3S"}),
            ("exchange", {"card": "3S"}),
            ("play", {"play": f"{roll.choice(WORDS)} {text}"[:200]}),
            ("play", {"play": "".join(chr(roll.randrange(32, 127)) for _ in range(roll.randrange(1, 60)))}),
        ]
    )


@pytest.mark.parametrize("seed", range(2))
def test_every_command_is_answered_and_a_refusal_writes_nothing(open_tractor: Callable[..., Four], seed: int) -> None:
    roll, four = random.Random(seed), open_tractor()
    four.all_ready()
    refused = 0
    for number in range(TIMES):
        if four.state.result is not None:
            break
        if number == TIMES // 8 and four.state.phase == "show":
            four.name_trumps()
        if number % 8 == 7 and four.state.to_act:
            four.play_on(1)
        seat = roll.randrange(4)
        kind, args = anything(roll, four, seat)
        before, id = GameEvent.objects.count(), f"00000000-0000-4000-8000-{number:012d}"
        try:
            asked = command({"id": id, "turn": four.state.decision_id, "kind": kind, "args": args})
        except BadFrame:
            continue
        answer = four.send(seat, asked.kind, id=id, **asked.args)
        if answer.code:
            refused += 1
            assert answer.code in NAK_CODES
            assert answer.code != "internal"
            assert answer.why.replace("_", "").isalnum()
            assert GameEvent.objects.count() == before
    assert refused > TIMES // 3
    assert replays.faults(four.game) == []
