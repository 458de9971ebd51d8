"""Waiting for the public beacon at a table of the tests, and what its cards are dealt with."""

import time

from games import store
from games.engine import shuffle
from games.services import beacon, clocks
from games.services.deals import Deals
from tests.games.conftest import Sat
from tests.games.outages.conftest import Server, heart, rows, server  # noqa: F401 (fixtures)
from tests.games.test_shares import all_commit, open_share
from tock_league.common import clock

NEVER = "http://127.0.0.1:1"  # nobody listens there


def settle() -> None:
    """Wait until nobody is being asked any more."""
    until = time.monotonic() + 10
    while any(each.running for each in beacon.source._tries.values()):
        assert time.monotonic() < until
        time.sleep(0.005)


def until_published(sat: Sat, hand: clock.Frozen) -> None:
    """Let time pass until the round is published."""
    found = sat.state.shares.beacon
    assert found is not None
    hand.advance(seconds=max(0, found.due - clock.now_ms()) / 1000)


def ask(hand: clock.Frozen) -> None:
    """Let a process ask for the round, wait for the answer, and look again."""
    clocks.claim_due()
    settle()
    hand.advance(seconds=0.5)
    clocks.claim_due()


def begun(sat: Sat, *seats: int) -> None:
    """Let `seats` commit and open, and all get ready."""
    all_commit(sat, *seats)
    for seat in seats:
        assert not open_share(sat, seat).code


def dealt_with(sat: Sat, randomness: bytes) -> bool:
    """Return whether the first deck is that of the key that docs/deal.md gives for these public bytes."""
    shares = [bytes.fromhex(share) if share else bytes(32) for share in sat.state.shares.opened]
    key = shuffle.deal_key(Deals.of(sat.game)._seeds[1], sat.game.slug, 1, shares, randomness)
    deck = next(row.body["play"] for row in store.load(sat.game.pk) if "deck" in str(row.body.get("play")))
    return bool(deck == "deck " + " ".join(shuffle.deck(key, 54)))
