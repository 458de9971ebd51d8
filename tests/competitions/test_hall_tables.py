"""The tables of the hall: their list, reserved tables, teams that stay, matches that wait, two at one table."""

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.models import CompetitionRole, HallTable
from tock_league.competitions.services.rounds import draw, placing
from tock_league.competitions.services.seasons import hall_tables, lifecycle

from .tournament_desk import address, captain_of, text
from .world import a_league, a_plan, a_player, a_tournament, decide, play_on, under_way

pytestmark = pytest.mark.django_db


def listed(made, first=1, last=8, **more):
    return hall_tables.put_tables(by=SITE, competition=made, first=first, last=last, **more)


def drawn(teams=8, rows=((1, 8, {}),)):
    """Return a Swiss tournament before its draw, with the tables of `rows`: first, last and what else is said of them."""
    made = a_tournament(teams, plan=a_plan("swiss", rounds=3), state="closed")
    for first, last, more in rows:
        listed(made, first, last, **more)
    return made


def begin(made):
    draw.draw(by=SITE, competition=made)
    return lifecycle.advance(by=SITE, competition=made, to="running")


def numbers(made, number):
    return [match.table_no for match in made.matches.filter(round__number=number).order_by("number")]


def refused(code, act, **of):
    with pytest.raises((Refused, Conflict)) as error:
        act(**of)
    assert error.value.code == code
    return str(error.value.sentence)


def test_matches_get_the_tables_of_the_list_with_their_rooms(hand):
    made = begin(drawn(rows=[(11, 12, {"room": "Salle A"}), (20, 22, {"room": "Salle B"})]))
    assert [(match.table_no, match.room) for match in made.matches.order_by("number")] == [
        (11, "Salle A"), (12, "Salle A"), (20, "Salle B"), (21, "Salle B"),
    ]  # fmt: skip
    listed(made, 20, 22, room="Mezzanine")
    assert made.matches.get(table_no=20).room == "Mezzanine"


def test_a_match_waits_until_a_table_is_free_or_one_is_added(hand):
    made = begin(drawn(rows=[(1, 2, {})]))
    assert numbers(made, 1) == [1, 2, None, None]
    decide(made.matches.get(table_no=2), 0)
    assert numbers(made, 1) == [1, 2, 2, None]
    listed(made, 3, 3, room="Salle B")
    assert numbers(made, 1) == [1, 2, 2, 3]


def test_reserved_tables_are_for_their_team_and_for_the_final(hand):
    made = a_tournament(4, state="closed")
    listed(made, 1, 4)
    entry = made.entries.order_by("pk")[2]
    listed(made, 1, 1, entry=entry, accessible=True)
    listed(made, 2, 2, for_finals=True)
    made = begin(made)
    own = made.matches.get(side_rows__entry=entry, round__number=1)
    assert own.table_no == 1
    assert sorted(numbers(made, 1)) == [1, 3]
    play_on(made, matches=2)
    final = made.matches.get(label="final")
    assert final.table_no == (1 if final.side_rows.filter(entry=entry) else 2)


def test_a_table_that_is_kept_for_a_team_is_refused_to_others(hand, english):
    made = drawn()
    entry = made.entries.first()
    listed(made, 8, 8, entry=entry)
    made = begin(made)
    match = made.matches.exclude(side_rows__entry=entry).first()
    assert str(entry) in refused("table_kept", placing.put, by=SITE, match=match, number=8)


def test_a_reserved_table_moves_with_its_team_and_needs_one_number_and_one_purpose(hand):
    made = drawn()
    entry = made.entries.first()
    listed(made, 2, 2, entry=entry)
    listed(made, 5, 5, entry=entry)
    assert list(HallTable.objects.filter(entry=entry).values_list("number", flat=True)) == [5]
    refused("table_range", listed, made=made, first=1, last=2, entry=entry)
    refused("for_finals", listed, made=made, first=1, last=1, entry=entry, for_finals=True)
    refused("entry", listed, made=a_tournament(2), first=1, last=1, entry=entry)
    for first, last in ((0, 1), (3, 2), (1, 501)):
        refused("table_range", listed, made=made, first=first, last=last)
    assert HallTable.objects.count() == 8


def test_teams_keep_their_table_from_round_to_round_where_they_may(hand):
    made = drawn(teams=16)
    hall_tables.keep_tables(by=SITE, competition=made, keep=True)
    made = begin(made)
    for number in (2, 3):
        play_on(made, matches=8)
        before = {}
        for match in made.matches.filter(round__number=number - 1):
            for side in match.side_rows.all():
                before[side.entry_id] = match.table_no
        stayed = [
            match.table_no in {before[side.entry_id] for side in match.side_rows.all()}
            for match in made.matches.filter(round__number=number)
        ]
        assert all(stayed)  # tables joined by matches make rings, and in a ring every match can have one of its own
    assert sorted(numbers(made, 3)) == list(range(1, 9))


def test_no_two_matches_are_at_one_table_and_no_team_at_two(hand, english):
    made = begin(drawn())
    first, second, *_rest = under_way(made)
    said = refused("table_taken", placing.put, by=SITE, match=first, number=second.table_no)
    assert str(second.side_rows.first().entry) in said
    refused("no_such_table", placing.put, by=SITE, match=first, number=9)
    placing.put(by=SITE, match=first, number=8)
    first.refresh_from_db()
    assert (first.table_no, placing.put(by=SITE, match=first, number=8).table_no) == (8, 8)


def test_a_team_with_a_match_under_way_elsewhere_is_at_no_second_table(hand, english):
    league = a_league(4)
    first = league.matches.filter(round__number=1).first()
    entry = first.side_rows.first().entry
    other = league.matches.filter(side_rows__entry=entry).exclude(pk=first.pk).first()
    placing.put(by=SITE, match=first, number=1)
    placing.put(by=SITE, match=other, number=2)  # another evening
    other.refresh_from_db()
    other.starts_at = first.starts_at
    other.save()
    said = refused("team_at_table", placing.put, by=SITE, match=other, number=3)
    assert entry.team.name in said
    assert "table 1" in said


def test_a_decided_match_and_one_that_waits_need_no_table(hand):
    cup = a_tournament(4)
    refused("match_begun", placing.put, by=SITE, match=cup.matches.get(label="final"), number=1)
    match = decide(under_way(cup)[0], 0)
    refused("match_begun", placing.put, by=SITE, match=match, number=7)


def test_the_list_is_for_organisers_and_the_desk_moves_matches(sign_in, client, organiser, club, hand):
    made = a_tournament(4, club=club)
    referee, match = a_player("Sylvie Doucet"), under_way(made)[0]
    CompetitionRole.objects.create(competition=made, player=referee, name="referee", since=clock.now())
    placing.put(by=referee, match=match, number=5)
    for nobody in (a_player("Réjean"), captain_of(match.side_rows.first().entry)):
        with pytest.raises(NotAllowed):
            placing.put(by=nobody, match=match, number=6)
    for nobody in (referee, a_player("Yvon")):
        for act, more in (
            (hall_tables.put_tables, {"first": 1, "last": 2}),
            (hall_tables.remove_table, {"number": 1}),
            (hall_tables.keep_tables, {"keep": True}),
        ):
            with pytest.raises(NotAllowed):
                act(by=nobody, competition=made, **more)
    here = address("hall_tables", made.slug)
    assert client.get(here).status_code == 302
    assert sign_in(a_player("Marc")).get(here).status_code == 403
    assert sign_in(referee).get(here).context["form"] is None
    client = sign_in(organiser)
    assert client.post(here, {"act": "list", "first": "1", "last": "9", "room": "Salle B"}).status_code == 302
    assert client.post(here, {"act": "keep", "keep": "yes"}).status_code == 302
    page = text(client.get(here))
    assert "Salle B" in page
    taken = client.post(here, {"act": "remove", "number": "5"})
    assert taken.status_code == 409
    assert client.post(here, {"act": "remove", "number": "9"}).status_code == 302
    for bad in (
        {"act": "list", "first": "x"},
        {"act": "list", "first": "4", "last": "2"},
        {"act": "put", "table": "1"},
    ):
        assert client.post(here, bad).status_code == 422
    assert client.post(here, {"act": "put", "match": "nowhere", "table": "1"}).status_code == 404
    assert client.post(here, {"act": "put", "match": match.slug, "table": "7"}).status_code == 302
    assert HallTable.objects.count() == 8


def test_players_read_table_and_room_on_their_pages(sign_in, hand):
    made = begin(drawn(rows=[(1, 8, {"room": "Salle B"})]))
    match = under_way(made)[0]
    client = sign_in(captain_of(match.side_rows.first().entry))
    for page in (address("match", match.slug), "/", address("matches", made.slug)):
        assert "Table 1, Salle B" in text(client.get(page)), page
