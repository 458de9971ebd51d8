"""The first page of a member: what is next, from whose side; nothing of others; a number of queries that does not grow."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.permissions import Person
from games.services import tables
from tests.arbitration.world import a_world
from tests.competitions.world import (
    FIRST_ROUND,
    START,
    a_club,
    a_league,
    a_plan,
    a_player,
    a_signed_up_player,
    a_team,
    a_tournament,
    decide,
    first_match,
    play_match,
    play_on,
)
from tests.documents import squeezed
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Team
from tock_league.common import clock
from tock_league.competitions.models import Competition, Match, RosterSpot
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.selectors.rankings.own_places import own_places
from tock_league.competitions.selectors.rounds import matches
from tock_league.competitions.selectors.rounds.matches import MatchView
from tock_league.competitions.services.entries import entering
from tock_league.competitions.services.rounds import publishing
from tock_league.pages.member import Member, first_page

pytestmark = pytest.mark.django_db
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def hand():
    with clock.frozen(START) as held:
        yield held


def player_of(match: Match, position: int, slot: int = 1) -> Player:
    return match.side_rows.get(position=position).entry.roster.get(slot=slot).player


def signed_in(player: Player) -> Client:
    """Return a browser signed in as `player`, who gets a login and reads English."""
    login = a_signed_up_player(f"{player.slug}@example.org", "Somebody Else")
    user, login.user = login.user, None
    login.save()
    player.user, player.language = user, "en"
    player.save()
    client = Client(headers=ENGLISH)
    client.force_login(user, backend=BACKEND)
    return client


def read(client: Client, address: str = "/") -> str:
    return squeezed(client.get(address).content.decode())


# --- whose page it is --------------------------------------------------------------------------------------------


def test_the_hero_is_for_visitors_and_for_players_with_nothing_yet(hand, client):
    league = a_league(2)
    visitor = squeezed(client.get("/", headers=ENGLISH).content.decode())
    assert 'class="hero stage"' in visitor
    assert "Your first three steps" not in visitor
    nobody = signed_in(a_player("Nadine Nouvelle"))
    newcomer = read(nobody)
    assert 'class="hero stage before-steps"' in newcomer
    assert "No account" in visitor
    assert "No account" not in newcomer
    steps = newcomer[newcomer.index("first-steps") :]
    for address in (reverse("games:practice"), reverse("clubs:list"), reverse("clubs:found_team")):
        assert f'"{address}"' in steps[: steps.index("</ol>")]
    member = read(signed_in(player_of(first_match(league), 0)))
    assert 'class="hero stage' not in member
    assert 'class="stage next-match"' in member


def test_a_practice_table_or_a_draft_makes_nobody_a_member_but_a_club_does(hand):
    player = a_player("Nadine Nouvelle")
    client, club = signed_in(player), a_club()
    tables.open_practice(player=player)
    assert "first-steps" in read(client)
    clubs.join(by=SITE, club=club, player=player)
    assert "first-steps" not in read(client)
    assert reverse("pages:club", args=[club.slug]) in read(client)


# --- what is next ------------------------------------------------------------------------------------------------


def test_the_next_match_counts_down_and_leads_to_its_table_once_it_is_open(hand):
    match = first_match(a_league(4))
    client = signed_in(player_of(match, 1))
    page = read(client)
    own, other = (str(match.side_rows.get(position=position).entry) for position in (1, 0))
    assert f"{own} against {other}" in page
    assert player_of(match, 0).display_name in page
    assert f'data-countdown="{int((FIRST_ROUND - START).total_seconds())}"' in page
    assert FIRST_ROUND.astimezone().isoformat()[:10] in page  # the date stands there without the script
    assert f'class="button big on-felt" href="{reverse("competitions:match", args=[match.slug])}"' in page
    hand.set(FIRST_ROUND - timedelta(minutes=15))
    publishing.open_due_tables()
    match.refresh_from_db()
    table = f'class="button primary big gold" href="{reverse("games:table", args=[match.table.slug])}"'
    assert table in read(client)
    hand.set(FIRST_ROUND)
    assert "data-countdown" not in read(client)
    assert table in read(client)
    stranger = a_player("Sylvie Doucet")
    clubs.join(by=SITE, club=a_club(), player=stranger)
    assert table not in read(signed_in(stranger))


def test_a_match_that_nobody_played_is_not_the_next_one(hand):
    league = a_league(2)
    match = first_match(league)
    player = player_of(match, 0)
    hand.set(FIRST_ROUND + timedelta(hours=7))
    page = first_page(player, [])
    assert page.lead is not None
    assert page.lead.match.pk != match.pk
    assert match.pk in {view.match.pk for view in page.ahead}
    Match.objects.update(starts_at=None, state=Match.State.READY)
    undated = first_page(player, [])
    assert undated.lead is not None
    assert undated.seconds is None
    assert "Date not set" in read(signed_in(player))


def test_what_waits_for_the_captain_is_an_entry_to_complete_and_a_team_that_lacks_players(hand):
    captain, partner = a_player("Martine Gélinas"), a_player("Réjean Lampron")
    clubs.found_team(by=captain, name="Les Seules")
    team = clubs.form_team(by=SITE, name="Les Deux", players=[captain, partner])
    event = a_tournament(2, state="open")
    from tock_league.competitions.services.entries import registration

    entry = registration.register(by=captain, competition=event, team=team)
    page = read(signed_in(captain))
    assert f'href="{reverse("competitions:entry", args=[entry.slug])}">Complete the entry' in page
    assert f'href="{reverse("clubs:invite", args=[Team.objects.get(name="Les Seules").slug])}"' in page
    clubs.invite(by=captain, team=Team.objects.get(name="Les Seules"), player=partner, slot=2)
    assert first_page(captain, []).waiting.teams == ()  # the answer is the partner's
    theirs = read(signed_in(partner))
    assert "Complete the entry" not in theirs
    assert "Yes, I play" in theirs


# --- results from the own side -------------------------------------------------------------------------------------


def test_a_result_is_told_from_the_side_of_the_reader_wherever_matches_are_listed(hand):
    league = a_league(2)
    hand.set(FIRST_ROUND)
    match = play_match(first_match(league), winner=0)
    winner, loser = player_of(match, 0), player_of(match, 1)
    names = [str(match.side_rows.get(position=position).entry) for position in (0, 1)]
    for player, own, word, score in ((winner, 0, "Won", "1 – 0"), (loser, 1, "Lost", "0 – 1")):
        client = signed_in(player)
        team = match.side_rows.get(position=own).entry.team
        for address in ("/", reverse("pages:player", args=[player.slug]), reverse("pages:team", args=[team.slug])):
            page = read(client, address)
            row = page[page.index(f"{names[own]} against {names[1 - own]}</a><span") :]
            results = page[page.index(">Results<" if address != "/" else "Your latest results") :]
            assert f">{word}</span>" in results, address
            assert f'aria-label="Result">{score}</span>' in results, address
            assert player_of(match, 1 - own, 2).display_name in row, address
    page = squeezed(Client().get(reverse("pages:team", args=[team.slug]), headers=ENGLISH).content.decode())
    assert " – ".join(names) in page
    assert 'aria-label="Result">1 – 0</span>' in page
    assert ">Won</span>" not in page


def test_a_view_without_the_reader_has_no_side(hand):
    match = first_match(a_league(2))
    view: MatchView = matches.match_view(match.slug, None)
    assert (view.mine, view.own, view.against, view.opponents, view.own_score) == (False, None, (), "", view.score)
    own = matches.match_view(match.slug, player_of(match, 1))
    assert own.own is own.away
    assert own.against == (own.home,)


# --- the places of the teams ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["league", "groups_knockout", "swiss"])
def test_the_places_are_those_of_the_standings_for_everybody(hand, kind):
    if kind == "league":
        event = a_league(4)
        for number, match in enumerate(event.matches.order_by("round__number", "number")[:5]):
            decide(match, number % 2)
        shown = [standings.table(event)]
    else:
        event = a_tournament(5 if kind == "swiss" else 6, plan=a_plan(kind))  # with a bye in each Swiss round
        play_on(event, matches=4)
        shown = [rows for _group, rows in standings.group_tables(event)]
    lines = [(line, len(rows)) for rows in shown for line in rows]
    assert len(lines) == event.entries.count()
    for line, of in lines:
        place = next(one for one in own_places(line.roster[0]) if one.entry.pk == line.entry.pk)
        assert (place.rank, place.of, place.points, place.form) == (line.row.rank, of, line.points, line.form)


def test_there_is_no_rank_in_a_knockout_before_the_first_result_or_after_the_end(hand):
    cup, league = a_tournament(4), a_league(2)
    for event in (cup, league):
        player = event.entries.first().roster.get(slot=1).player
        assert [(one.competition.pk, one.rank) for one in own_places(player)] == [(event.pk, None)]
        Competition.objects.filter(pk=event.pk).update(state="finished")
        assert own_places(player) == []


# --- nothing of others ---------------------------------------------------------------------------------------------


def test_nothing_private_of_others_is_on_the_page(hand):
    club = a_club()
    reader = a_player("Sylvie Doucet")
    clubs.join(by=SITE, club=club, player=reader)
    draft, rehearsal, open_one = a_league(2, state="draft"), a_league(2), a_league(2)
    for event in (draft, rehearsal, open_one):
        Competition.objects.filter(pk=event.pk).update(club=club, is_rehearsal=event == rehearsal)
    other = player_of(first_match(open_one), 0)
    table = tables.open_practice(player=other)
    page = read(signed_in(reader))
    assert open_one.name in page
    for hidden in (draft.name, rehearsal.name, table.slug):
        assert hidden not in page
    links = {player.slug for player in Player.objects.all() if f"/players/{player.slug}/" in page}
    assert links == {reader.slug}
    for event in (draft, rehearsal):
        assert own_places(event.entries.first().roster.get(slot=1).player) == []


def test_a_case_is_on_the_page_of_its_parties_and_of_who_judges_it_alone(hand):
    world = a_world()
    case = world.dispute()
    outsider = a_player("Yvon Voisin")
    clubs.join(by=SITE, club=a_club(), player=outsider)
    uninvolved = next(
        spot.player
        for spot in RosterSpot.objects.filter(competition=world.competition)
        if spot.player not in world.players
    )
    roles = {"accused": world.players[0], "accuser": world.players[1], "referee": world.referees[0],
             "other team": uninvolved, "outsider": outsider}  # fmt: skip
    told = {}
    for role, player in roles.items():
        waiting = first_page(player, []).waiting
        told[role] = [one.what for one in (*waiting.cases, *waiting.touching)]
    assert told["accused"] == ["answer"]
    assert told["referee"] == ["take"]
    assert told["other team"] == told["outsider"] == []
    address = reverse("arbitration:case", args=[case.number])
    assert address in read(signed_in(world.players[0]))
    assert address not in read(signed_in(uninvolved))
    assert address not in Client().get("/").content.decode()


# --- the number of queries -----------------------------------------------------------------------------------------


def a_rich_player(teams: int) -> Player:
    """Return a player with `teams` of everything: clubs, teams, leagues with results, practice tables, invitations."""
    player = a_signed_up_player(f"rich{teams}@example.org", f"Riche {teams}")
    for number in range(teams):
        club = a_club(f"Club {teams}.{number}")
        clubs.join(by=SITE, club=club, player=player, home=number == 0)
        team = clubs.form_team(by=SITE, name=f"Équipe {teams}.{number}", players=[player, a_player(f"P {number}")])
        league = a_league(2, state="draft", size=3)
        entering.enter_team(by=SITE, competition=league, team=team)
        start(league)
        for match in Match.objects.filter(side_rows__entry__team=team)[:2]:
            decide(match, 0)
        tables.open_practice(player=player)
        host = a_team(f"Hôtes {teams}.{number}")
        clubs.invite(by=SITE, team=host, player=player, slot=3)
    return player


def start(league: Competition) -> None:
    from tock_league.competitions.services.rounds import calendar
    from tock_league.competitions.services.seasons import lifecycle

    rounds = calendar.rounds_needed(league, legs=2)
    calendar.make_calendar(
        by=SITE, competition=league, times=[FIRST_ROUND + timedelta(days=7 * index) for index in range(rounds)], legs=2
    )
    lifecycle.run_through(by=SITE, competition=league, to="running")


def test_the_number_of_queries_is_that_of_one_of_everything(hand):
    counts = []
    for teams in (1, 3):
        player = a_rich_player(teams)
        client = Client()
        client.force_login(player.user, backend=BACKEND)
        client.get("/")
        with CaptureQueriesContext(connection) as asked:
            page: Member = client.get("/").context["member"]
        assert page.lead is not None
        assert (len(page.clubs), len(page.teams), len(page.waiting.invitations)) == (teams, teams, teams)
        assert len(page.tables) == teams
        assert all(one.places[0].rank for one in page.teams)
        counts.append(len(asked))
    assert counts[0] == counts[1] < 80


def test_my_games_are_counted_listed_and_replayed_by_their_person_alone(
    hand, client: Client, django_assert_num_queries: Callable[..., Any]
):
    from tests.games.test_own_tables import finished, opened

    player = a_player("Martine Gélinas")
    me = Person(player_id=player.pk)
    over, running = finished(me), opened(me)
    own = signed_in(player)
    for address in (reverse("pages:my_games"), reverse("pages:player", args=[player.slug])):
        page = read(own, address)
        assert f'href="{reverse("games:replay", args=[over.slug])}"' in page
        assert page.index(f'"{reverse("games:table", args=[running.table.slug])}">Play on') < page.index(over.slug)
        assert ">Lost</span>" in page
        assert over.slug not in client.get(address).content.decode()
    # 1 session, 1 user, 1 player; 1 running tables; 1 new notices; 3 how many games, the games, the figures
    with django_assert_num_queries(8):
        own.get(reverse("pages:my_games"))
    assert own.get(reverse("pages:my_games") + "?page=seven").status_code == 200
