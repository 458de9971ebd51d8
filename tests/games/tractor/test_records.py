"""Records of Tractor: exported, judged row by row, imported, replayed."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games.fold import (
    Row,
    merge,
    view_hash,
)
from games.models import DealSecret, Game, Table
from games.selectors import replays
from games.services.records import import_record, read_lines
from tock_league.common.errors import Refused

from .four import CLOCKS, reserve

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_steps")]


class TestRecords:
    def lines(self, game: Game) -> list[dict[str, Any]]:
        return [json.loads(json.dumps(line)) for line in replays.lines(game)]

    @pytest.fixture
    def record(self, played: Game) -> tuple[list[dict[str, Any]], list[Any]]:
        found = self.lines(played)
        players = [seating.player for seating in played.table.seatings.order_by("seat")]
        Table.objects.get(pk=played.table_id).delete()
        return found, players

    def test_the_record_is_imported_again(self, record: Any, played: Game) -> None:
        lines, players = record
        assert lines[0]["rounds"] == 2
        kept = import_record(record=read_lines(lines), table=reserve(players, clocks=CLOCKS))
        assert (kept.chain, kept.ranks) == (played.chain, played.ranks)

    def test_a_table_of_other_rounds_refuses_the_record(self, record: Any) -> None:
        lines, players = record
        with pytest.raises(Refused) as caught:
            import_record(record=read_lines(lines), table=reserve(players, clocks=CLOCKS, rounds=3))
        assert (caught.value.code, caught.value.field) == ("record_shape", "rounds")

    def spoil(self, lines: list[dict[str, Any]], word: str, change: Callable[[dict[str, Any]], None]) -> None:
        line = next(line for line in lines[1:] if str(line["body"].get("play", "")).startswith(word))
        change(line)

    @pytest.mark.parametrize(
        ("word", "change", "code"),
        [
            ("deck", lambda line: line["body"].update(play=swapped(line["body"]["play"])), "record_deal"),
            ("draw", lambda line: line["body"].update(play="draw 8"), "record_deal"),
            ("draw", lambda line: line.update(actor="seat:1"), "record_actor"),
            ("draw", lambda line: line["body"].update(seat=1), "record_deal"),
            ("show", lambda line: line["body"].update(play=line["body"]["play"][:8] + "RJ RJ RJ"), "record_play"),
            ("show", lambda line: line.update(actor="seat:9"), "record_actor"),
            ("pass", lambda line: line.update(actor="clock"), "record_actor"),
            ("bury", lambda line: line["body"].update(play="bury AS AS"), "record_play"),
            ("play", lambda line: line["body"].update(chance=True), "record_row"),
            ("play", lambda line: line.update(kind="act", code="timeout"), "record_act"),
            ("play", lambda line: line.update(kind="act", code="penalty"), "record_actor"),
        ],
    )
    def test_a_row_that_the_table_would_not_have_written_is_refused(
        self, record: Any, word: str, change: Callable[[dict[str, Any]], None], code: str
    ) -> None:
        lines, players = record
        self.spoil(lines, word, change)
        with pytest.raises(Refused) as caught:
            import_record(record=read_lines(lines), table=reserve(players, clocks=CLOCKS))
        assert caught.value.code == code
        assert caught.value.field is not None
        assert caught.value.field.startswith("rows.")
        assert not Game.objects.exists()

    def test_decks_and_who_draws_first_follow_from_the_seeds(self, played: Game, rows: list[Row]) -> None:
        from games.engine import shuffle

        secret = DealSecret.objects.get(game=played)
        opened = next(row.body["deals"] for row in rows if row.code == "open")
        decks = {}
        for deal in opened:
            seed = bytes.fromhex(deal["seed"])
            assert bytes(secret.seeds)[32 * deal["d"] :][:32] == seed
            key = shuffle.deal_key(seed, played.slug, deal["d"], [bytes(32)] * 4)
            decks[deal["d"]] = shuffle.deck(key, 108, "tractor")
        lines = [row.body["play"] for row in rows if str(row.body.get("play")).startswith("deck")]
        assert lines == ["deck " + " ".join(decks[d]) for d in range(1, len(lines) + 1)]
        draw = next(row.body for row in rows if row.code == "draw")
        dealer, drawn = shuffle.first_dealer(decks[0], 4)
        assert (draw["dealer"], draw["cards"]) == (dealer, [list(pair) for pair in drawn])


def swapped(line: str) -> str:
    word, one, two, *rest = line.split(" ")
    return " ".join([word, two, one, *rest])


@pytest.mark.django_db(transaction=True)
class TestReplay:
    @pytest.mark.parametrize("point", ["all", "seat:0", "seat:3", "spectator"])
    def test_the_frames_lead_to_the_last_view(self, client: Client, played: Game, point: str) -> None:
        frames = client.get(f"/api/games/{played.slug}/record?as={point}").json()["frames"]
        held = frames[0]["view"]
        for frame in frames[1:]:
            for event in frame["list"]:
                held = merge(held, event["set"])
            assert view_hash(held) == frame["hash"]
        assert held["result"]["ranks"] == played.ranks

    def test_there_is_no_analysis(self, client: Client, played: Game) -> None:
        page = client.get(f"/games/{played.slug}/")
        boot = page.context["boot"]
        assert (boot["analysis"], boot["family"], boot["rounds"], boot["touch"]) == ("", "tractor", 2, False)
        answer = client.post(f"/api/games/{played.slug}/analysis")
        assert answer.status_code == 422
        assert answer.json()["error"]["code"] == "no_analysis"
