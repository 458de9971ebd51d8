"""A preview shows what an onlooker of the public pages then sees change, and taking everything back restores it.

One history of each kind of competition, with nine changes. `TOCK_HISTORIES=30` in the environment makes thirty, which
compares more than a thousand previews.
"""

import os

import pytest

from .onlooker import KINDS, STATES, whole

pytestmark = [pytest.mark.django_db, *([pytest.mark.timeout(0)] if "TOCK_HISTORIES" in os.environ else [])]
HISTORIES = int(os.environ.get("TOCK_HISTORIES", "1"))
# Seeds whose histories decide no match, so that taking everything back must restore what the onlooker saw.
FIRST = {"knockout": 2, "double_elimination": 0, "groups": 0, "best": 0, "swiss": 0, "league": 1}


@pytest.mark.parametrize("kind", KINDS)
def test_the_preview_is_what_an_onlooker_sees_change(hand, kind):
    compared = sum(whole(kind, FIRST[kind] + number, hand) for number in range(HISTORIES))
    assert compared >= HISTORIES * STATES // 3  # the others were refused, or decided a match
