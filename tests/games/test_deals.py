"""The verifiable deal: the root, the decks and the first dealer can be computed from the exported record alone."""

import hashlib
import hmac
import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import store
from games.engine import shuffle
from games.models import DealSecret, Game, GameEvent
from games.services.deals import DEALS, Deals


@pytest.fixture
def record(sat_table: Any) -> list[dict[str, Any]]:
    """Return the exported record of a game given up in its second deck, one line each."""
    sat_table.all_ready()
    sat_table.exchange()
    while sat_table.state.decks < 2:
        sat_table.play_on(5)
    assert not sat_table.send(0, "resign").code
    out = io.StringIO()
    call_command("export_game", Game.objects.get().slug, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_the_record_alone_proves_commitments_decks_and_first_dealer(record: list[dict[str, Any]]) -> None:
    head, *rows = record
    commit = next(row["body"] for row in rows if row["code"] == "commit")
    opened = next(row["body"]["deals"] for row in rows if row["code"] == "open")
    assert rows[0]["code"] == "commit", "promised before anybody was ready"
    assert [deal["d"] for deal in opened] == [0, 1, 2]
    decks = {}
    for deal in opened:
        seed, salt = bytes.fromhex(deal["seed"]), bytes.fromhex(deal["salt"])
        leaf = hashlib.sha256(b"tock-commit-v1" + salt + seed).digest()
        path = [bytes.fromhex(node) for node in deal["path"]]
        assert shuffle.merkle_verify(bytes.fromhex(commit["root"]), leaf, deal["d"], commit["deals"], path)
        # The key, written out: the shares are zeros and there is no beacon.
        zero = hashlib.sha256(bytes(32)).digest()
        text = f"tock-deal-v1|{head['game']}|".encode() + deal["d"].to_bytes(4, "big") + b"|"
        text += hashlib.sha256(zero * head["seats"]).digest() + hashlib.sha256(b"").digest()
        decks[deal["d"]] = shuffle.deck(hmac.new(seed, text, "sha256").digest(), 54)
    dealer, drawn = shuffle.first_dealer(decks[0], head["seats"])
    draw = next(row["body"] for row in rows if row["code"] == "draw")
    assert (draw["dealer"], draw["cards"]) == (dealer, [list(pair) for pair in drawn])
    lines = [row["body"]["play"] for row in rows if row["code"] == "play" and row["body"]["play"].startswith("deck")]
    assert lines == ["deck " + " ".join(decks[d]) for d in (1, 2)]


def test_the_chain_seals_the_record(record: list[dict[str, Any]]) -> None:
    head, *rows = record
    chain = hashlib.sha256(b"tock-record-v1|" + head["game"].encode()).hexdigest()
    assert chain == head["chain"]
    for row in rows:
        line = {key: value for key, value in row.items() if key != "chain"}
        text = json.dumps(line, sort_keys=True, separators=(",", ":")).encode()
        chain = hashlib.sha256(bytes.fromhex(chain) + text).hexdigest()
        assert chain == row["chain"]


def test_a_seed_that_was_not_used_is_never_opened(record: list[dict[str, Any]]) -> None:
    seeds = bytes(DealSecret.objects.get().seeds)
    text = json.dumps(record)
    for d in range(DEALS):
        assert (seeds[32 * d : 32 * d + 32].hex() in text) == (d <= 2)


def test_every_deal_of_a_game_has_its_own_seed_and_salt(sat_table: Any) -> None:
    first = DealSecret.objects.get(game=sat_table.game)
    assert len({bytes(first.seeds)[i : i + 32] for i in range(0, 2048, 32)}) == DEALS
    assert len({bytes(first.salts)[i : i + 16] for i in range(0, 1024, 16)}) == DEALS


def test_a_game_of_more_than_63_decks_gets_a_new_root(sat_table: Any) -> None:
    game = sat_table.game
    short = DealSecret.objects.get(game=game)
    # 64 deals are committed at first; `draw_more` adds as many under a root of their own.
    deals = Deals.of(game)
    assert deals.committed() == DEALS
    from games.services.deals import draw_more

    draw_more(game)
    longer = Deals.of(game)
    assert longer.committed() == 2 * DEALS
    assert longer.commit().root == deals.commit().root
    assert longer.commit(DEALS).root != deals.commit().root
    (opened,) = longer.opened([DEALS + 3]).deals
    seed, salt = bytes.fromhex(opened["seed"]), bytes.fromhex(opened["salt"])
    assert seed not in bytes(short.seeds)
    path = [bytes.fromhex(node) for node in opened["path"]]
    root = bytes.fromhex(longer.commit(DEALS).root)
    assert shuffle.merkle_verify(root, shuffle.commit(seed, salt), 3, DEALS, path)


def test_a_running_game_is_not_exported(sat_table: Any) -> None:
    with pytest.raises(CommandError, match="secret"):
        call_command("export_game", sat_table.game.slug)
    with pytest.raises(CommandError, match="no such game"):
        call_command("export_game", "nothere")


def test_replay_game_finds_a_changed_row(sat_table: Any) -> None:
    sat_table.all_ready()
    out = io.StringIO()
    call_command("replay_game", stdout=out)
    assert "1 games folded, no difference" in out.getvalue()
    row = GameEvent.objects.get(game=sat_table.game, seq=2)
    GameEvent.objects.filter(pk=row.pk).update(at=row.at + 1)
    err = io.StringIO()
    with pytest.raises(CommandError, match="1 faults"):
        call_command("replay_game", sat_table.game.slug, stderr=err)
    assert "chain differs at row 2" in err.getvalue()
    assert store.load(sat_table.game.pk)
