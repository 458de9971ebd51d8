"""Events under every rule set and at every kind of table for two sides: entries, tables, results, ladders."""

import json

import pytest
from django.urls import reverse

from games.models import Table
from games.selectors import rule_sets
from ratings.models import RatedResult
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.competitions.core.estimate import minutes_of
from tock_league.competitions.core.lots import draw_sides
from tock_league.competitions.models import CheckIn, Match, RosterSpot
from tock_league.competitions.selectors.rankings.standings import table as standings
from tock_league.competitions.selectors.seasons import competitions, shapes
from tock_league.competitions.services.entries import checkin, entering, registration, rosters
from tock_league.competitions.services.results import paper
from tock_league.competitions.services.rounds import draw, opening
from tock_league.competitions.services.seasons import lifecycle, nights, regulations, tournaments

from .world import (
    FIRST_ROUND,
    a_club,
    a_league,
    a_plan,
    a_player,
    a_signed_up_player,
    a_team,
    a_tournament,
    first_match,
    play_match,
    play_on,
    under_way,
)

pytestmark = pytest.mark.django_db
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
# Every rule set at every table with two teams, read from the engine, so that a new rule set is tested too.
SHAPES = [(one.id, seats) for one in rule_sets.offered() for seats, teams in sorted(one.shapes.items()) if 2 in teams]
LARGE = [("tock/1", 6), ("tock/1", 8)]


def refusal(act):
    with pytest.raises(Refused) as error:
        act()
    assert str(error.value.sentence)
    return error.value


# --- regulations


def test_regulations_of_four_seats_keep_the_digest_they_had_before_there_were_larger_tables():
    frozen = regulations.freeze(code="league", best_of=3)
    assert "seats" not in frozen.body
    assert frozen.seats == 4
    assert frozen.digest == "a7cbdf4c3f2bc6e48bc85371ad0abc83b4cfc652f246a4e8a7f3c6bcc47565f3"
    assert regulations.freeze(code="league", best_of=3, seats=4) == frozen
    larger = regulations.freeze(code="league", best_of=3, rules="tock/1", seats=6)
    assert (larger.body["seats"], larger.seats) == (6, 6)


@pytest.mark.parametrize(("rules", "seats"), SHAPES)
def test_every_two_team_table_of_the_registry_can_be_frozen_and_is_offered_by_the_forms(rules, seats):
    assert regulations.freeze(code="league", rules=rules, seats=seats).seats == seats
    assert shapes.shape_of(f"{rules}:{seats}") == shapes.Shape(rules, seats)


@pytest.mark.parametrize(
    ("rules", "seats"),
    [("shawinigan/1", 6), ("toc/1", 8), ("tock-air/1", 6), ("tock/1", 5), ("tock/1", 0), ("tock/1", -4)],
)
def test_a_table_where_two_teams_do_not_play_the_rules_is_refused(rules, seats):
    error = refusal(lambda: regulations.freeze(code="league", rules=rules, seats=seats))
    assert (error.field, error.code) == ("seats", "no_such_table")
    assert str(seats) in str(error.sentence)
    assert shapes.shape_of(f"{rules}:{seats}") is None


def test_a_larger_table_takes_longer():
    assert [minutes_of(seats) for seats in (4, 6, 8)] == [25, 40, 50]
    assert [minutes_of(4, in_rounds=True, rounds=rounds) for rounds in (0, 1, 5)] == [150, 8, 40]


# --- who may enter


@pytest.mark.parametrize("size", [2, 4])
def test_a_team_of_another_size_is_refused_and_both_numbers_are_named(hand, size):
    cup = a_tournament(0, state="open", rules="tock/1", seats=6)
    league = a_league(0, state="draft", rules="tock/1", seats=6, size=4)
    team = a_team("Les Draveurs", size=size)
    for act in (
        lambda: registration.register(by=SITE, competition=cup, team=team),
        lambda: entering.enter_team(by=SITE, competition=league, team=team),
    ):
        error = refusal(act)
        assert (error.field, error.code) == ("team", "side_size")
        assert str(size) in str(error.sentence)
        assert "3" in str(error.sentence)
    assert not RosterSpot.objects.exists()
    assert not competitions.teams_outside(cup).exists()
    fitting = a_team("Les Trois", size=3)
    assert list(competitions.teams_outside(cup)) == [fitting]


def test_a_team_that_lacks_one_of_three_is_refused(hand):
    cup = a_tournament(0, state="open", rules="tock/1", seats=6)
    captain = a_player("Martine")
    team = clubs.found_team(by=captain, name="Deux sur trois", size=3)
    clubs.answer(
        by=(other := a_player("Océane")),
        invitation=clubs.invite(by=captain, team=team, player=other, slot=2),
        accept=True,
    )
    error = refusal(lambda: registration.register(by=captain, competition=cup, team=team))
    assert (error.field, error.code) == ("team", "team_size")


@pytest.mark.parametrize(("rules", "seats"), LARGE)
def test_an_entry_waits_for_every_confirmation_and_the_check_in_for_the_whole_side(hand, rules, seats):
    size = seats // 2
    cup = a_tournament(2, state="open", check_in=True, rules=rules, seats=seats)
    team = a_team("Les Draveurs", size=size)
    substitute = a_player("Yvon")
    invitation = clubs.invite(by=SITE, team=team, player=substitute, slot=size + 1)
    clubs.answer(by=substitute, invitation=invitation, accept=True)
    players = [spell.player for spell in team.spells.order_by("slot")][:size]
    entry = registration.register(by=players[0], competition=cup, team=team, substitutes=[substitute])
    for player in players[1:]:
        assert entry.state == "pending"
        entry = registration.confirm(by=player, entry=entry)
    assert entry.state == "accepted"
    lifecycle.run_through(by=SITE, competition=cup, to="closed")
    hand.advance(minutes=35)
    for player in players[:-1]:
        entry = checkin.check_in(by=player, entry=entry, player=player)
        assert entry.state == "accepted"
    entry = checkin.check_in(by=substitute, entry=entry, player=substitute)
    assert entry.state == "checked_in"
    entry = checkin.undo(by=substitute, entry=entry, player=substitute)
    assert entry.state == "accepted"
    checkin.check_in(by=substitute, entry=entry, player=substitute)
    hand.advance(minutes=60)
    dropped = checkin.close(by=SITE, competition=cup)
    assert len(dropped) == 2
    starters = RosterSpot.objects.filter(entry=entry, role="starter", left__isnull=True).order_by("slot")
    assert [spot.player for spot in starters] == [*players[:-1], substitute]


def test_a_side_of_four_of_which_some_came_is_dropped_with_its_own_reason(hand):
    cup = a_tournament(3, state="closed", check_in=True, rules="tock/1", seats=8)
    hand.advance(minutes=35)
    for entry, come in zip(cup.entries.order_by("pk"), (0, 1, 3), strict=True):
        for spot in list(entry.roster.order_by("slot"))[:come]:
            checkin.check_in(by=SITE, entry=entry, player=spot.player)
    checkin.close(by=SITE, competition=cup)
    reasons = [entry.reason for entry in cup.entries.order_by("pk")]
    assert reasons == ["@late", "@late_one", "@late_some"]
    assert len({entry.why for entry in cup.entries.all()}) == 3
    assert CheckIn.objects.count() == 4


# --- tables


@pytest.mark.parametrize(("rules", "seats"), SHAPES)
def test_a_match_is_played_at_its_table_and_rated_on_the_ladder_of_its_rules(hand, rules, seats):
    league = a_league(2, legs=1, rules=rules, seats=seats)
    match = play_match(first_match(league), 1)
    size = seats // 2
    table = match.table
    assert (table.rules, table.seats, table.teams) == (rules, seats, 2)
    home, away = (
        [spot.player_id for spot in side.entry.roster.order_by("slot")] for side in match.side_rows.order_by("position")
    )
    seated = [seating.player_id for seating in table.seatings.order_by("seat")]
    assert seated == [player for pair in zip(home, away, strict=True) for player in pair]
    assert match.state == "confirmed"
    row = RatedResult.objects.get(kind="result")
    assert row.ladder.key == f"{rules.split('/')[0]}:2"
    assert row.sides == [home, away]
    assert [len(side) for side in row.sides] == [size, size]
    assert row.ranks == [1, 0]
    rows = standings(league)
    assert [line.points for line in rows] in (["3", "0"], ["2", "0"], [3, 0], [2, 0])


@pytest.mark.parametrize(("rules", "seats"), LARGE)
def test_a_match_whose_side_lacks_a_player_gets_no_table(hand, rules, seats):
    league = a_league(2, legs=1, rules=rules, seats=seats)
    match = first_match(league)
    RosterSpot.objects.filter(entry=match.side_rows.first().entry, slot=seats // 2).update(left=FIRST_ROUND)
    with pytest.raises(Refused):
        opening.open_table(match_id=match.pk, early=True)
    assert not Table.objects.exists()


@pytest.mark.parametrize(("rules", "seats"), LARGE)
@pytest.mark.parametrize("kind", ["knockout", "groups_knockout", "swiss"])
def test_a_tournament_of_larger_sides_comes_to_its_podium(hand, rules, seats, kind):
    plan = a_plan(kind)
    cup = a_tournament(6, plan=plan, rules=rules, seats=seats)
    play_on(cup)
    cup.refresh_from_db()
    assert cup.state == "finished"
    assert cup.seats == seats
    assert min(cup.entries.values_list("final_rank", flat=True)) == 1


def test_a_substitute_of_three_sits_in_the_seat_of_the_one_he_replaces(hand):
    cup = a_tournament(0, state="open", rules="tock/1", seats=6, on_paper=False)
    teams = [a_team(f"Trois {number}", size=3) for number in range(2)]
    substitute = a_player("Yvon")
    clubs.answer(by=substitute, invitation=clubs.invite(by=SITE, team=teams[0], player=substitute, slot=4), accept=True)
    first = registration.register(by=SITE, competition=cup, team=teams[0], substitutes=[substitute])
    registration.register(by=SITE, competition=cup, team=teams[1])
    lifecycle.run_through(by=SITE, competition=cup, to="closed")
    draw.draw(by=SITE, competition=cup)
    leaves = teams[0].spells.get(slot=2).player
    rosters.substitute(by=SITE, entry=first, leaves=leaves, comes=substitute)
    lifecycle.advance(by=SITE, competition=cup, to="running")
    match = Match.objects.get()
    opening.open_table(match_id=match.pk, early=True)
    match.refresh_from_db()
    position = match.side_rows.get(entry=first).position
    assert match.table.seatings.get(player=substitute).seat == position + 2
    assert not match.table.seatings.filter(player=leaves).exists()


# --- papers


@pytest.mark.parametrize(("rules", "seats"), [("toc/1", 4), *LARGE])
def test_a_paper_holds_as_many_marbles_as_a_side_has(hand, rules, seats):
    cup = a_tournament(2, rules=rules, seats=seats)
    [match] = under_way(cup)
    most = 2 * seats
    captain = match.side_rows.get(position=0).entry.roster.get(slot=1).player
    error = refusal(lambda: paper.report(by=captain, match=match, games=[paper.Game(0, most + 1)]))
    assert (error.field, error.code) == ("games", "margin")
    assert str(most) in str(error.sentence)
    paper.certify(by=SITE, match=match, games=[paper.Game(0, most)])
    match.refresh_from_db()
    assert match.state == "confirmed"
    row = RatedResult.objects.get(kind="result")
    assert (row.ladder.key, [len(side) for side in row.sides]) == (f"{rules.split('/')[0]}:2", [seats // 2] * 2)


def test_a_paper_of_a_side_that_was_not_whole_moves_no_rating(hand):
    cup = a_tournament(2, rules="tock/1", seats=6)
    [match] = under_way(cup)
    for side in match.side_rows.all():
        RosterSpot.objects.filter(entry=side.entry, slot=3).update(left=clock.now())
    paper.certify(by=SITE, match=match, games=[paper.Game(0, 3)])
    assert not RatedResult.objects.filter(kind="result").exists()


# --- club nights


@pytest.mark.parametrize(("rules", "seats"), SHAPES)
def test_a_night_draws_sides_of_half_a_table_that_anybody_draws_again(hand, rules, seats):
    size = seats // 2
    night = nights.announce_night(
        by=SITE, club=a_club(), name="Soirée", regulations=regulations.freeze(code="night", rules=rules, seats=seats)
    )
    players = [a_player(f"Joueur {number}") for number in range(3 * size)]
    made = nights.draw_and_start(by=SITE, night=night, players=players, starts_at=FIRST_ROUND)
    sides = [tuple(spot.player.slug for spot in entry.roster.order_by("slot")) for entry in made]
    assert sides == list(draw_sides(night.lots_seed, [player.slug for player in reversed(players)], size))
    assert {entry.team.size for entry in made} == {size}
    assert night.matches.count() == 3


@pytest.mark.parametrize("count", [0, 3, 5, 7, 8, 10])
def test_a_night_of_three_against_three_needs_whole_sides(hand, count):
    night = nights.announce_night(
        by=SITE, club=a_club(), name="Soirée", regulations=regulations.freeze(code="night", rules="tock/1", seats=6)
    )
    players = [a_player(f"Joueur {number}") for number in range(count)]
    error = refusal(lambda: nights.draw_teams(by=SITE, night=night, players=players))
    assert (error.field, error.code) == ("players", "odd_players")
    assert "3" in str(error.sentence)
    assert "6" in str(error.sentence)
    assert not night.entries.exists()


def test_long_names_of_four_are_shortened_and_fit_a_team_and_a_table(hand):
    night = nights.announce_night(
        by=SITE, club=a_club(), name="Soirée", regulations=regulations.freeze(code="night", rules="tock/1", seats=8)
    )
    long = "Marie-Antoinette-Joséphine{} de la Rochefoucauld"
    players = [a_player(long.format(number)[:40]) for number in range(8)]
    nights.draw_and_start(by=SITE, night=night, players=players, starts_at=FIRST_ROUND)
    match = first_match(night)
    opening.open_table(match_id=match.pk, early=True)
    match.refresh_from_db()
    assert len(match.table.name) <= 120
    assert all(name.count("&") == 3 for name in match.table.team_names)
    assert opening.table_name(["A" * 84, "Les Pieux"]).endswith(" – Les Pieux")
    assert opening.table_name(["Draveurs", "Pieux"]) == "Draveurs – Pieux"


# --- pages


@pytest.fixture
def organiser(client):
    person = a_signed_up_player("gaston@example.org", "Gaston Roy")
    club = a_club(by=person)
    client.force_login(person.user, backend=BACKEND)
    return person, club


@pytest.mark.parametrize("page", ["new_night", "new_tournament", "new"])
def test_the_forms_offer_every_shape_of_the_registry_in_words(hand, client, organiser, page):
    form = client.get(reverse(f"competitions:{page}")).context["form"]
    offered = [(key, words) for _name, group in form.fields["rules"].choices for key, words in group]
    assert sorted(key for key, _words in offered) == sorted(f"{rules}:{seats}" for rules, seats in SHAPES)
    assert all("/" not in words for _key, words in offered)


@pytest.mark.parametrize(("rules", "seats"), SHAPES)
def test_a_night_announced_through_its_form_says_its_rules_and_its_table(hand, client, organiser, rules, seats):
    _person, club = organiser
    sent = {"name": "Soirée", "club": club.pk, "rules": f"{rules}:{seats}", "best_of": 1, "clocks": "on"}
    sent["place"] = "tables"
    assert client.post(reverse("competitions:new_night"), sent).status_code == 302
    night = competitions.public().get()
    assert (night.rules, night.seats, night.regulations.seats) == (rules, seats, seats)
    page = client.get(reverse("competitions:regulations", args=[night.slug])).content.decode()
    assert rule_sets.name_of(rules) in page
    assert reverse("pages:rules", args=[rule_sets.page_of(rules)]) in page
    assert shapes.table_words(seats) in page
    listed = client.get(reverse("competitions:list")).content.decode()
    assert rule_sets.name_of(rules) in listed
    assert (shapes.table_words(seats) in listed) == (seats != 4)
    overview = client.get(reverse("competitions:competition", args=[night.slug])).content.decode()
    assert reverse("pages:rules", args=[rule_sets.page_of(rules)]) in overview


@pytest.mark.parametrize(
    "key", ["tock/1", "tock/1:5", "tock/1:06", "shawinigan/1:8", "tock/1:6:6", "", "\x00", "chess/1:4"]
)
def test_a_shape_that_is_not_offered_is_refused_beside_its_field(hand, client, organiser, key):
    _person, club = organiser
    sent = {"name": "Soirée", "club": club.pk, "rules": key, "best_of": 1, "place": "tables"}
    answer = client.post(reverse("competitions:new_night"), sent)
    assert "rules" in answer.context["form"].errors
    assert not competitions.public().exists()


def test_a_tournament_changes_its_table_until_the_draw_and_its_form_shows_it(hand, client, organiser):
    person, club = organiser
    cup = a_tournament(0, state="draft", rules="tock/1", seats=6, club=club)
    form = client.get(reverse("competitions:edit_tournament", args=[cup.slug])).context["form"]
    assert form["rules"].value() == "tock/1:6"
    tournaments.edit(by=person, competition=cup, regulations=regulations.freeze(code="t", rules="tock/1", seats=8))
    cup.refresh_from_db()
    assert (cup.seats, cup.side_size) == (8, 4)


def test_the_register_page_says_which_team_does_not_fit(hand, client):
    captain = a_signed_up_player("m@example.org")
    cup = a_tournament(0, state="open", rules="tock/1", seats=6)
    pair = clubs.form_team(by=SITE, name="La paire", players=[captain, a_player("Océane")])
    three = clubs.form_team(by=SITE, name="Le trio", players=[captain, a_player("Réjean"), a_player("Yvon")])
    client.force_login(captain.user, backend=BACKEND)
    address = reverse("competitions:register", args=[cup.slug])
    page = client.get(address).content.decode()
    assert f'value="{three.slug}"' in page
    assert f'value="{pair.slug}"' not in page
    answer = client.post(address, {"team": pair.slug})
    assert answer.status_code == 422
    assert answer.context["error"].code == "side_size"
    assert client.post(address, {"team": three.slug}).status_code == 302


@pytest.mark.parametrize(("rules", "seats"), LARGE)
def test_pages_of_a_match_of_larger_sides_name_everybody(hand, client, rules, seats):
    league = a_league(2, legs=1, rules=rules, seats=seats)
    match = first_match(league)
    page = client.get(reverse("competitions:match", args=[match.slug]))
    text = page.content.decode()
    for spot in RosterSpot.objects.filter(competition=league):
        assert spot.player.display_name in text
    odds = page.context["odds"]
    assert (odds.home, odds.away, odds.home_match, odds.comparable) == (50, 50, 50, False)
    assert shapes.table_words(seats) in text
    play_match(match, 0)
    for address in ("competitions:competition", "competitions:matches"):
        assert client.get(reverse(address, args=[league.slug])).status_code == 200
    assert json.dumps(client.get(reverse("competitions:match", args=[match.slug])).context["odds"]) == "null"
