"""A match that a ruling decided says so wherever its score stands, and its score never contradicts its winner."""

import pytest
from django.urls import reverse

from tock_league.accounts.models import Player
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Case
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.selectors.rounds.matches import match_view

from .browsers import signed_in, words_of
from .test_brackets import cup  # noqa: F401
from .world import TALK, World, a_world, decided

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]


@pytest.fixture
def world(db, hand) -> World:
    return a_world()


def turned(world: World, **more: object) -> Case:
    """Return the case in which position 0, which had won, loses the match by a ruling."""
    case = world.taken(world.heard(world.dispute(winner=0)))
    wanted: dict[str, object] = {"result": "result", "winner": 1, "offender": world.players[0].pk} | more
    world.rule(case, decided(TALK, **wanted))
    world.match.refresh_from_db()
    return case


@pytest.mark.parametrize("page", ["calendar", "player", "home"])
def test_a_list_shows_a_win_by_decision_as_one_of_the_winner(world: World, page: str) -> None:
    turned(world)
    player = world.players[1]
    Player.objects.filter(pk=player.pk).update(page_for=Player.Readers.EVERYBODY)
    address = {
        "calendar": reverse("competitions:matches", args=[world.competition.slug]),
        "player": reverse("pages:player", args=[player.slug]),
        "home": reverse("pages:home"),
    }[page]
    text = words_of(signed_in(None).get(address))
    title = match_view(world.match.slug, None).title
    rows = [part[:120] for part in text.split(title)[1:]]
    told = [row for row in rows if "By decision" in row]
    assert told
    assert all("0 – 1" in row for row in told)
    assert "1 – 0" not in text


def test_the_page_of_the_match_says_so_and_keeps_the_score_of_the_table(world: World) -> None:
    turned(world)
    view = match_view(world.match.slug, None)
    assert ([side.games for side in view.sides], view.score, str(view.how)) == ([1, 0], "0 – 1", "by decision")
    text = words_of(signed_in(None).get(reverse("competitions:match", args=[world.match.slug])))
    assert "0 – 1 By decision at the table: 1 – 0" in text


FORFEIT = {"result": "", "winner": None, "deviation_reason": "Récidive."}


@pytest.mark.parametrize(
    ("given", "how"),
    [
        ({"game_number": 1}, "by decision"),
        (FORFEIT | {"penalty": "match_forfeit"}, "forfeit by decision"),
        (FORFEIT | {"penalty": "game_forfeit"}, "forfeit by decision"),
    ],
)
def test_every_ruling_that_takes_a_win_reads_as_one_of_the_other_side(world: World, given, how) -> None:
    turned(world, **given)
    view = match_view(world.match.slug, None)
    assert (view.score, str(view.how), view.effective.winner) == ("0 – 1", how, 1)
    text = words_of(signed_in(None).get(reverse("competitions:match", args=[world.match.slug])))
    assert f"0 – 1 {how[0].upper()}{how[1:]}" in text


def test_the_standings_explain_the_points_of_a_decision(world: World) -> None:
    turned(world)
    [winner] = [line for line in standings.table(world.competition) if line.points != "0"]
    [term] = winner.points_terms
    assert (term.value, str(term.note)) == ("2", "by decision")
    page = signed_in(None).get(reverse("competitions:explained", args=[world.competition.slug, winner.entry.slug]))
    assert "(by decision)" in words_of(page)


def test_a_ruling_that_takes_nothing_leaves_the_score_as_it_was_played(world: World) -> None:
    case = world.taken(world.heard(world.dispute(winner=0)))
    world.rule(
        case, Decision("upheld", row="talk", offender=world.players[0].pk, rules=("8",), facts="A.", reasons="B.")
    )
    view = match_view(world.match.slug, None)
    assert (view.score, view.how, view.at_the_table) == ("1 – 0", "", "")


def test_a_bracket_says_so_under_the_match_and_gives_its_winner_the_score(cup: World) -> None:  # noqa: F811
    turned(cup)
    page = signed_in(None).get(reverse("competitions:competition", args=[cup.competition.slug]))
    text = words_of(page)
    names = [side.name for side in match_view(cup.match.slug, None).sides]
    assert f"{names[0]} 0, {names[1]} 1. finished, by decision" in page.content.decode()
    assert "finished, by decision" in text


def test_the_end_of_the_table_links_to_the_rulings_about_its_game(world: World) -> None:
    case = world.taken(world.heard(world.dispute(winner=0)))
    boot = signed_in(None).get(reverse("games:table", args=[world.match.table.slug])).context["boot"]
    assert boot["rulings"] == reverse("arbitration:of_game", args=[world.game.slug])
    assert signed_in(None).get(boot["rulings"]).json() == {"rulings": []}
    world.rule(case, decided(TALK, offender=world.players[0].pk, result="result", winner=1))
    [told] = signed_in(None).get(boot["rulings"]).json()["rulings"]
    assert told["url"] == reverse("arbitration:ruling", args=[case.number])
    assert told["words"] == f"Ruling {case.number[-6:]}: talking."
    assert f"The win goes to {match_view(world.match.slug, None).sides[1].name}." in told["effects"]
    assert signed_in(None).get(reverse("arbitration:of_game", args=["nothing"])).json() == {"rulings": []}
