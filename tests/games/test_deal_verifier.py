"""The one-file program that checks deals: it accepts what tables write, and nothing that was altered."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from games import verifier as deal_verifier
from games.engine import shuffle
from games.models import Table
from games.selectors import replays
from games.services import deals as deals_service
from games.services.judge import judge
from tests.games import alterations, paper
from tests.games.conftest import Sat
from tests.games.drand import Drand
from tests.games.paper import SHAPES, Paper, random_game
from tock_league.demo import packing

PROGRAM = Path(deal_verifier.__file__)


def text(lines: list[dict[str, Any]]) -> list[str]:
    return [json.dumps(line) for line in lines]


def refused(lines: list[dict[str, Any]]) -> str:
    """Return why the record is refused; an empty text if it is accepted."""
    try:
        deal_verifier.verify(text(lines))
    except deal_verifier.Bad as error:
        return str(error)
    return ""


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_record_of_every_kind_of_table_is_accepted(shape: paper.Shape) -> None:
    game = random_game(random.Random(str(shape)), shape, plays=120)
    check = deal_verifier.verify(text(game.lines()))
    assert check.decks == game.state.decks > 0
    assert {seat: bytes.fromhex(share) for seat, share in check.shares.items()} == {
        seat: share for seat, share in game.given.items() if seat not in game.withheld
    }
    assert set(check.withheld) == game.withheld


def test_the_records_of_the_demo_have_no_shares_and_are_accepted() -> None:
    for name in list(packing.load())[:2]:
        record = packing.unpack(packing.load()[name], 1_790_000_000_000)
        head = {"record": "tock-record/1", "game": record.game, "rules": record.rules, "seats": record.seats}
        head |= {"teams": record.teams, "chain": paper.first_link(record.game)}
        check = deal_verifier.verify(text(paper.sealed(head, [paper.record_line(row) for row in record.rows])))
        assert (check.by_seats, check.shares) == (False, {})
        assert "the server alone" in deal_verifier.told(check)


@pytest.mark.parametrize("shape", SHAPES[:-1], ids=str)
def test_a_game_that_begins_at_a_position_is_accepted_and_no_other_stock(shape: paper.Shape) -> None:
    game = paper.played_on(random.Random(f"on {shape}"), shape)
    lines = game.lines()
    check = deal_verifier.verify(text(lines))
    assert (check.begun, check.shares, check.decks) == (True, {}, game.state.decks)
    for row in forged_beginnings(lines):
        assert refused(row)


def forged_beginnings(lines: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yield the record with another beginning, sealed anew: another stock, other hands, another table, another place."""
    head, *rows = lines
    position = rows[1]["body"]["position"]
    stock, hands = position["stock"], position["hands"]
    held = next(seat for seat, hand in enumerate(hands) if hand)
    others = [{"seats": 12}, {"hands": hands[1:]}, {"deal": 3}]
    others += [{"stock": [*stock[1:], stock[0]]}] if len(set(stock)) > 1 else []
    others += [{"hands": [["2C"] * 5 if seat == held else hand for seat, hand in enumerate(hands)]}]
    for other in others:
        begun = rows[1] | {"body": rows[1]["body"] | {"position": position | other}}
        yield paper.sealed(head, [rows[0], begun, *rows[2:]])
    yield paper.sealed(head, [rows[0], rows[1] | {"actor": "seat:0"}, *rows[2:]])


@pytest.fixture(scope="module")
def whole() -> list[dict[str, Any]]:
    """A record with three commitments, one of which is not opened, a beacon, blind burns and a rewind."""
    roll = random.Random(5)
    shares = {0: roll.randbytes(32), 2: roll.randbytes(32), 3: roll.randbytes(32)}
    game = Paper(roll, SHAPES[0], shares=shares, withheld=[3], beacon=Drand())
    game.begin().play(75, penalties=0.15, rewinds=0.1)
    lines = game.lines()
    burns = sum(str(row.body.get("play")).startswith("blind") for row in game.rows)
    assert (burns > 3, game.state.epoch > 0, refused(lines)) == (True, True, "")
    return lines


def test_every_altered_value_is_refused(whole: list[dict[str, Any]]) -> None:
    """A sample; `python -m tests.soak.deals` tries all of them."""
    every = list(alterations.single(whole))
    assert len(every) > 2000
    for what, lines in random.Random(1).sample(every, 80):
        assert refused(lines), what


def test_a_forged_file_with_a_new_chain_is_refused_where_it_changes_the_deal(whole: list[dict[str, Any]]) -> None:
    every = list(alterations.forged(whole))
    assert len(every) > 200
    for what, lines in every[::4]:
        assert refused(lines), what


def test_seeds_after_deal_63_follow_from_the_first_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals_service, "DEALS", 4)
    monkeypatch.setattr(deal_verifier, "BLOCK", 4)
    for module in ("games.services.judge.opened", "games.services.judge.shares"):
        monkeypatch.setattr(sys.modules[module], "DEALS", 4)
    shape = ("tock/1", 4, 2, False)
    game = Paper(random.Random(8), shape, shares={1: bytes(range(32))}, beacon=Drand()).begin().play(300)
    assert game.state.decks > 4
    lines = game.lines()
    assert not refused(lines)
    table = Table(kind=Table.Kind.MATCH, rules=game.setup.rules, seats=4, teams=2)
    judge(table=table, setup=game.setup, rows=game.rows, now=game.at)  # agrees, also with the chain in each commitment
    monkeypatch.setattr(shuffle, "later_secret", lambda secret, d, size: bytes([d]) * size)
    chosen = Paper(random.Random(8), shape, shares={1: bytes(range(32))}).begin().play(300)
    assert "does not follow from deal 0" in refused(chosen.lines())


@pytest.mark.parametrize("absent", [False, True])
def test_a_game_that_waited_for_a_beacon_is_accepted_and_its_round_is_printed(absent: bool) -> None:
    """With and without a share, with an answer and without."""
    for shares in ({}, {2: bytes(range(32))}):
        game = Paper(random.Random(9), SHAPES[0], shares=shares, beacon=Drand(), absent=absent).begin().play(40)
        said = deal_verifier.told(deal_verifier.verify(text(game.lines())))
        assert ("BEACON ABSENT" in said, "its random bytes" in said) == (absent, not absent)
        assert ("rest on the server and the beacon" in said) == (not shares and not absent)
        assert f"round {game.state.shares.beacon and game.state.shares.beacon.round} of chain" in said


def test_a_record_from_a_real_table_is_accepted_by_the_program(sat_table: Sat, client: Any, tmp_path: Path) -> None:
    share = bytes(range(32))
    promise = shuffle.share_commitment(share, sat_table.game.slug, 1).hex()
    for seat in range(4):
        sat_table.send(seat, "ready", **({"share": promise} if seat == 1 else {}))
    assert not sat_table.send(1, "share", value=share.hex()).code
    sat_table.exchange()
    sat_table.play_on(20)
    sat_table.send(0, "resign")
    game = sat_table.game
    record = tmp_path / "game.jsonl"
    record.write_text("".join(json.dumps(line) + "\n" for line in replays.lines(game)))
    program = tmp_path / "deal_verifier.py"
    program.write_bytes(client.get(reverse("games:deal_verifier")).content)
    root = replays.rows(game)[0].body["root"]

    def run(*words: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-I", str(program), *words], capture_output=True, text=True, cwd=tmp_path, check=False
        )
        return done.returncode, done.stdout + done.stderr

    code, said = run("game.jsonl", "--share", f"1={share.hex()}", "--root", root)
    assert code == 0, said
    assert f"seat 1: share {share.hex()}" in said
    assert "seat 2: gave no share" in said
    assert run("game.jsonl", "--share", f"2={share.hex()}")[0] == 1
    assert run("game.jsonl", "--root", "0" * 64)[0] == 1
    assert run("nothing.jsonl")[0] == 2
    record.write_text(record.read_text().replace(share.hex(), bytes(32).hex()))
    code, said = run("game.jsonl")
    assert (code, said.startswith("BAD: row ")) == (1, True)


def test_what_is_no_record_is_named() -> None:
    for lines in ([""], ["{}"], ['{"record": 1}'], ["[]"], ["\x00"], ['{"a":1,"a":2}'], []):
        with pytest.raises(deal_verifier.Bad):
            deal_verifier.verify(lines)
