"""Cheaters at the shuffle, as docs/deal.md names them: a server that grinds, withholds, drops messages or starts again,
and seats that collude. Each plays as well as the protocol lets it, against the real key, with real decks.

What a cheater wants is a good hand: the value of the five cards that its seat is dealt. A cheater that gains nothing has
the values of random decks; one that may choose among n decks has the best of n. Everything is seeded, so a test that
passes once passes always.
"""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from itertools import chain, combinations
from statistics import mean, stdev

import pytest

from games import store
from games import verifier as deal_verifier
from games.engine import shuffle
from games.fold import acts, by_seat
from games.fold.shares import no_shares
from games.services import deals, tables
from tests.games.conftest import Sat
from tests.games.drand import Drand
from tests.games.paper import Paper

GAME, CHEAT, HONEST = "g7q2table", 1, 0
# Which of the three cheating seats withhold.
SETS = list(chain.from_iterable(combinations((1, 2, 3), count) for count in range(4)))
WORTH = {"JK": 10, "A": 6, "K": 6, "7": 4, "J": 3, "5": 2}
TRIALS, GRIND = 200, 16
ZERO = bytes(32)


def worth(seed: bytes, shares: Sequence[bytes], beacon: bytes = b"") -> int:
    """Return the worth of the first hand of CHEAT: its seat takes every fourth card of the first deck."""
    deck = shuffle.deck(shuffle.deal_key(seed, GAME, 1, shares, beacon), 54)
    return sum(WORTH.get(card if card == "JK" else card[:-1], 0) for card in deck[CHEAT:20:4])


def counted(share: bytes, own: Mapping[int, bytes], lost: Sequence[int]) -> list[bytes]:
    """Return the shares that count when the seats of `lost` withhold theirs."""
    return [share, *(ZERO if seat in lost else own[seat] for seat in (1, 2, 3))]


def best(values: Sequence[int]) -> int:
    return max(values)


def honest(trial: int) -> bytes:
    return random.Random(f"honest {trial}").randbytes(32)


def played(cheat: Callable[[random.Random, bytes], int]) -> list[int]:
    """Return the worth of the cheater's hand in each trial; `cheat` gets the share of the honest seat, which it must
    not look at earlier than the protocol shows it.
    """
    return [cheat(random.Random(trial), honest(trial)) for trial in range(TRIALS)]


@pytest.fixture(scope="module")
def fair() -> list[int]:
    return [worth(random.Random(f"fair {trial}").randbytes(32), [ZERO] * 4) for trial in range(TRIALS)]


def apart(values: Sequence[int], others: Sequence[int]) -> float:
    """Return the difference of the means in standard errors."""
    error = (stdev(values) ** 2 / len(values) + stdev(others) ** 2 / len(others)) ** 0.5
    return (mean(values) - mean(others)) / error


def test_without_shares_a_grinding_server_chooses_the_hand(fair: list[int]) -> None:
    """What the shares are for: the statistics below do notice a cheater who gains."""

    def cheat(roll: random.Random, share: bytes) -> int:
        return best([worth(roll.randbytes(32), [ZERO] * 4) for _ in range(GRIND)])

    assert apart(played(cheat), fair) > 10


def test_a_server_that_grinds_seeds_gains_nothing_against_one_honest_seat(fair: list[int]) -> None:
    """It chooses its seed before it knows the honest share: the best one it finds for zeros is a random one then.

    Its three seats collude: they choose their shares with it, also before the honest one is opened.
    """

    def cheat(roll: random.Random, share: bytes) -> int:
        tries = [(roll.randbytes(32), [ZERO] + [roll.randbytes(32) for _ in range(3)]) for _ in range(GRIND)]
        seed, shares = max(tries, key=lambda one: worth(*one))
        return worth(seed, [share, *shares[1:]])

    assert abs(apart(played(cheat), fair)) < 3


def test_three_seats_that_commit_last_learn_nothing_from_the_commitment_of_the_fourth(fair: list[int]) -> None:
    """They know the seed (the server helps) and the honest commitment, and choose their shares to fit what they can
    compute from it: the commitment in place of H(share), which enters the key.
    """

    def cheat(roll: random.Random, share: bytes) -> int:
        seed = roll.randbytes(32)
        guess = shuffle.share_commitment(share, GAME, HONEST)  # all that is public now
        tries = [[roll.randbytes(32) for _ in range(3)] for _ in range(GRIND)]
        chosen = max(tries, key=lambda others: worth(seed, [guess, *others]))
        return worth(seed, [share, *chosen])

    assert abs(apart(played(cheat), fair)) < 3


def test_if_seats_published_the_hash_that_enters_the_key_the_last_to_commit_would_choose(fair: list[int]) -> None:
    """Why the commitment is another hash: the key needs no more of a share than H(share)."""

    def with_hashes(seed: bytes, hashes: Sequence[bytes]) -> int:
        original = shuffle.shares_hash
        try:
            shuffle.shares_hash = lambda _shares: shuffle.sha256(b"".join(hashes)).digest()  # type: ignore[assignment]
            return worth(seed, [ZERO] * 4)
        finally:
            shuffle.shares_hash = original

    def cheat(roll: random.Random, share: bytes) -> int:
        seed, published = roll.randbytes(32), shuffle.sha256(share).digest()
        tries = [[roll.randbytes(32) for _ in range(3)] for _ in range(GRIND)]
        values = [with_hashes(seed, [published, *(shuffle.sha256(one).digest() for one in own)]) for own in tries]
        chosen = tries[values.index(max(values))]
        assert worth(seed, [share, *chosen]) == max(values)
        return max(values)

    assert apart(played(cheat), fair) > 10


def test_who_sees_the_outcome_and_withholds_gains_one_more_draw_each_and_is_named(fair: list[int]) -> None:
    """The server opens the honest share, computes all decks, and lets the best set of its three seats withhold.

    No protocol without an outside source prevents it (Cleve 1986). It gains the best of eight, and the record names
    the seats.
    """

    def cheat(roll: random.Random, share: bytes) -> int:
        seed, own = roll.randbytes(32), {seat: roll.randbytes(32) for seat in (1, 2, 3)}
        return best([worth(seed, counted(share, own, lost)) for lost in SETS])

    gained = played(cheat)
    of_eight = [
        best([worth(random.Random(f"{i} {t}").randbytes(32), [ZERO] * 4) for i in range(8)]) for t in range(TRIALS)
    ]
    assert apart(gained, fair) > 8
    assert abs(apart(gained, of_eight)) < 3, "never more than the best of eight"
    roll = random.Random(1)
    shares = {seat: roll.randbytes(32) for seat in range(4)}
    record = Paper(roll, ("shawinigan/1", 4, 2, False), shares=shares, withheld=[2, 3]).begin()
    assert [row.body for row in record.rows if row.code == "shared"] == [{"withheld": [2, 3]}]


def test_with_a_beacon_that_comes_later_who_withholds_gains_nothing(fair: list[int]) -> None:
    """The same cheaters choose their set when all shares are open, but the round is not published before it is settled:
    the best they can do is to choose by the rounds that are.
    """
    source = Drand()

    def cheat(roll: random.Random, share: bytes) -> int:
        seed, own, round_ = (
            roll.randbytes(32),
            {seat: roll.randbytes(32) for seat in (1, 2, 3)},
            roll.randrange(1, 10**6),
        )
        known, coming = (sha256(bytes.fromhex(source.sign(each))).digest() for each in (round_, round_ + 8))
        lost = max(SETS, key=lambda one: worth(seed, counted(share, own, one), known))
        return worth(seed, counted(share, own, lost), coming)

    assert abs(apart(played(cheat), fair)) < 3


def test_a_server_that_says_the_beacon_was_absent_is_seen(fair: list[int]) -> None:
    """It takes back what the beacon has taken from it: the best of nine. The record says `absent`, each time."""

    def cheat(roll: random.Random, share: bytes) -> int:
        seed, own, public = roll.randbytes(32), {seat: roll.randbytes(32) for seat in (1, 2, 3)}, roll.randbytes(32)
        values = {lost: worth(seed, counted(share, own, lost)) for lost in SETS}
        lost = max(SETS, key=values.__getitem__)
        return best([values[lost], worth(seed, counted(share, own, lost), public)])

    of_nine = [
        best([worth(random.Random(f"{i} {t}").randbytes(32), [ZERO] * 4) for i in range(9)]) for t in range(TRIALS)
    ]
    gained = played(cheat)
    assert apart(gained, fair) > 8
    assert abs(apart(gained, of_nine)) < 3
    record = Paper(random.Random(1), ("shawinigan/1", 4, 2, False), shares={0: honest(1)}, beacon=Drand(), absent=True)
    said = deal_verifier.told(deal_verifier.verify(map(json.dumps, record.begin().lines())))
    assert "BEACON ABSENT" in said


def test_without_a_withheld_share_the_seats_have_exactly_one_outcome() -> None:
    """The order in which shares arrive, or who opens last, changes nothing."""
    roll = random.Random(4)
    seeds, shares = roll.randbytes(64 * 32), {seat: roll.randbytes(32) for seat in range(4)}
    shape = ("shawinigan/1", 4, 2, False)
    decks = set()
    for order in range(12):
        table = Paper(random.Random(order), shape, shares=shares, seeds=seeds, game="g1").begin().play(1)
        decks.add(next(row.body["play"] for row in table.rows if row.body.get("play", "").startswith("deck")))
    assert len(decks) == 1


def test_a_server_that_starts_the_table_again_has_other_seeds_and_leaves_the_first_commitment() -> None:
    """A share opened in one game does not fit another one: the game is part of commitment and key."""
    share = honest(0)
    promise = shuffle.share_commitment(share, "first", 0).hex()
    again = no_shares(4, "00" * 32).commit(0, promise)
    assert again.fits("first", 0, share.hex())
    assert not again.fits("second", 0, share.hex())
    seed = random.Random(9).randbytes(32)
    assert shuffle.deal_key(seed, "first", 1, [share] * 4) != shuffle.deal_key(seed, "second", 1, [share] * 4)


def test_a_server_that_swaps_its_seed_after_the_shares_is_caught() -> None:
    """It has 64 seeds under its root and may open no other one, and each only at its own place."""
    roll = random.Random(6)
    game = Paper(roll, ("shawinigan/1", 4, 2, False), shares={0: honest(1)}).begin()
    root = bytes.fromhex(game.state.shares.root)
    opened = game.deals.opened(range(3)).deals
    for at in range(3):
        path = [bytes.fromhex(node) for node in opened[at]["path"]]
        for d in range(3):
            leaf = shuffle.commit(bytes.fromhex(opened[d]["seed"]), bytes.fromhex(opened[d]["salt"]))
            assert shuffle.merkle_verify(root, leaf, at, 64, path) == (d == at)


def test_a_share_that_is_opened_after_the_deal_is_refused_in_a_record() -> None:
    game = Paper(
        random.Random(2), ("shawinigan/1", 4, 2, False), shares={0: honest(2), 1: honest(3)}, withheld=[1]
    ).begin()
    game.act(acts.Share(seat=1, value=honest(3).hex()), by_seat(1))
    with pytest.raises(deal_verifier.Bad, match="no share of this seat"):
        deal_verifier.verify(map(json.dumps, game.lines()))


class TestAtATable:
    """The server itself is changed: it looks for seeds that give seat 1 the best hand it finds."""

    @pytest.fixture
    def wanted(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """Let the server grind as long as it takes for a joker and two aces or kings; return the hand."""
        monkeypatch.setattr(tables, "new_slug", lambda: GAME)
        roll, dealer, seed = random.Random(11), -1, b""
        while dealer != 0:  # seat 1 is dealt to first
            draw = roll.randbytes(32)
            dealer, _drawn = shuffle.first_dealer(shuffle.deck(shuffle.deal_key(draw, GAME, 0, [ZERO] * 4), 54), 4)
        while (hand := dealt(seed := roll.randbytes(32), [ZERO] * 4)).count("JK") < 1 or rich(hand) < 3:
            pass
        monkeypatch.setattr(deals.secrets, "token_bytes", lambda size: (draw + seed).ljust(size, b"x")[:size])
        return hand

    def test_alone_it_deals_the_hand_that_it_chose(self, wanted: list[str], sat_table: Sat) -> None:
        sat_table.all_ready()
        assert self.first_hand(sat_table) == wanted

    def test_with_one_honest_seat_it_does_not(self, wanted: list[str], sat_table: Sat) -> None:
        share = honest(7)
        promise = shuffle.share_commitment(share, GAME, 2).hex()
        for seat in range(4):
            assert not sat_table.send(seat, "ready", **({"share": promise} if seat == 2 else {})).code
        assert not sat_table.send(2, "share", value=share.hex()).code
        assert self.first_hand(sat_table) != wanted

    def first_hand(self, table: Sat) -> list[str]:
        """Return the hand that seat 1 had if it was dealt to first."""
        deck = next(row.body["play"] for row in store.load(table.game.pk) if "deck" in str(row.body.get("play")))
        return deck.split()[1:][0:20:4]


def dealt(seed: bytes, shares: Sequence[bytes]) -> list[str]:
    """Return the first hand of the seat that is dealt to first."""
    return shuffle.deck(shuffle.deal_key(seed, GAME, 1, shares), 54)[0:20:4]


def rich(hand: Sequence[str]) -> int:
    """Return how many cards bring a marble out."""
    return sum(card == "JK" or card[0] in "AK" for card in hand)
