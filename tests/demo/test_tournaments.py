"""The tournaments of the demo: one half played, with the effects of three rulings, and one open for registration."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client

from games.selectors import replays
from tests.demo.test_evening import start_again
from tock_league.accounts.models import Player
from tock_league.arbitration.models import Case, Ruling
from tock_league.common import clock
from tock_league.competitions.models import Competition, Entry, Match
from tock_league.demo import disputes, tournaments
from tock_league.demo.league import competition_of
from tock_league.demo.programme import CUP

from .conftest import NOW


@pytest.fixture
def cup(league: clock.Frozen) -> Competition:
    found = competition_of(CUP)
    assert found is not None
    return found


def semis(cup: Competition) -> list[Match]:
    return list(cup.matches.filter(label="semi").order_by("number"))


def sides(match: Match) -> list[str]:
    return [str(side.entry) for side in match.side_rows.select_related("entry__team").order_by("position")]


def test_the_groups_are_done_and_the_semi_finals_come_next(cup: Competition) -> None:
    assert cup.state == "running"
    assert set(cup.matches.filter(round__group__stage__ordinal=1).values_list("state", flat=True)) == {"confirmed"}
    assert [match.state for match in semis(cup)] == ["scheduled", "scheduled"]
    assert all(match.starts_at > NOW + timedelta(days=1) and match.table is None for match in semis(cup))
    assert {match.state for match in cup.matches.filter(label__in=["final", "third_place"])} == {"waiting"}


def test_the_overturned_game_has_sent_another_team_to_the_semi_finals(cup: Competition) -> None:
    """By the games alone, the Vieux Pieux would have been second in their group."""
    assert [sides(match) for match in semis(cup)] == [["Les Roches", "Les Castors"], ["Ciel ouvert", "Les Draveurs"]]
    overturned = Case.objects.get(match__round__group__name="B", match__round__number=3)
    game = overturned.game
    assert game is not None
    assert (game.ranks or []).index(0) == 0
    ruling = overturned.rulings.get()
    assert (ruling.outcome, ruling.row, ruling.step, ruling.penalty) == ("upheld", "talk_play", 2, "game_forfeit")


def test_the_ruling_book_holds_three_cases(cup: Competition) -> None:
    called, unfounded, again = Case.objects.order_by("number")
    assert [case.origin for case in (called, unfounded, again)] == ["call", "dispute", "dispute"]
    assert [str(ruling) for ruling in Ruling.objects.filter(case=unfounded).values_list("outcome", flat=True)] == [
        "dismissed",
        "dismissed",
    ]
    assert unfounded.appeals.get().grounds == "fact"
    assert unfounded.votes.count() == 3
    first, second = called.rulings.get(), again.rulings.get()
    assert (first.penalty, first.step, second.step) == ("warning", 1, 2)
    assert first.offender == second.offender == Player.objects.get(slug=disputes.TALKER)


def test_at_the_table_one_card_was_burned_blind_and_play_went_on(cup: Competition) -> None:
    game = Case.objects.earliest("number").game
    assert game is not None
    codes = list(game.events.order_by("seq").values_list("code", flat=True))
    assert [codes.count(code) for code in ("dispute", "freeze", "penalty", "resume", "resign")] == [1, 1, 1, 1, 1]
    seat = game.table.seatings.get(player__slug=disputes.TALKER).seat
    burned = [event for event in game.events.filter(code="play") if event.body.get("play", "").startswith("blind ")]
    assert [event.body["seat"] for event in burned] == [seat]
    assert burned[0].seq > codes.index("resume") + 1
    assert replays.faults(game) == []


def test_one_tournament_is_open_and_a_partner_has_not_answered_yet(league: clock.Frozen) -> None:
    made = Competition.objects.get(lots_seed=tournaments.OPEN_SEED)
    assert made.state == "open"
    assert made.entries_close_at is not None
    assert made.entries_close_at > NOW + timedelta(days=14)
    states = sorted(Entry.objects.filter(competition=made).values_list("state", flat=True))
    assert states == ["accepted"] * 4 + ["pending"]


def test_future_dates_stay_in_the_future_at_later_starts(cup: Competition, league: clock.Frozen) -> None:
    before = [match.starts_at for match in semis(cup)]
    start_again(league, hours=1)
    assert [match.starts_at for match in semis(cup)] == before
    start_again(league, days=20)
    assert all(match.starts_at > clock.now() + timedelta(days=1) for match in semis(cup))
    made = Competition.objects.get(lots_seed=tournaments.OPEN_SEED)
    assert made.entries_close_at is not None
    assert made.entries_close_at > clock.now() + timedelta(days=14)
    assert Case.objects.count() == 3


def test_the_journal_of_all_of_it_verifies(league: clock.Frozen, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify_journal")
    assert " entries in 8 streams" in capsys.readouterr().out


@pytest.mark.parametrize(
    "path",
    ["/rulings/", "/journal/", "/competitions/coupe-dautomne-2026/", "/competitions/coupe-dautomne-2026/rulings/"],
)
def test_their_pages_open(league: clock.Frozen, client: Client, path: str) -> None:
    assert client.get(path).status_code == 200
