"""A suspended or banned player takes part in nothing that the sanction covers, from the moment it is in force."""

from datetime import timedelta

import pytest
from django.test import Client

from games.models import Game
from games.permissions import Person
from games.services import play, tables
from tests.competitions.world import a_player, a_tournament, decide, under_way
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_user
from tock_league.arbitration.models import Effect
from tock_league.arbitration.selectors.rulings import sanctioned
from tock_league.arbitration.services.rulings import signing
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Team, TeamPlayer
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.competitions.models import Competition, Entry, Match, RosterSpot
from tock_league.competitions.services.entries import checkin, registration, rosters
from tock_league.competitions.services.results import corrections, paper
from tock_league.competitions.services.rounds import draw
from tock_league.competitions.services.seasons import lifecycle, roles

from .browsers import signed_in, to, typed
from .sanctions import Struck, about_to_be_struck, next_match
from .world import World, decided


@pytest.fixture
def struck(world: World) -> Struck:
    """The head referee is about to suspend a player."""
    return about_to_be_struck(world)


def entered(made: Competition, player: Player, *, substitutes: int = 1) -> Entry:
    """Return the accepted entry of a pair with `player`, and with substitutes."""
    others = [a_player(f"Réserve {number}") for number in range(substitutes)]
    team = a_pair("Les Absents", player, a_player("Noé Roy"), *others)
    return registration.register(by=SITE, competition=made, team=team, substitutes=others)


def a_pair(name: str, *players: Player) -> Team:
    """Return a team of two, captain first, with further players as its substitutes."""
    team = clubs.form_team(by=SITE, name=name, players=players[:2])
    for slot, player in enumerate(players[2:], start=3):
        TeamPlayer.objects.create(team=team, player=player, slot=slot, joined=clock.now())
    return team


def captain_of(entry: Entry) -> Player:
    return entry.roster.get(role="starter", slot=1, left__isnull=True).player


def refusal(act) -> Refused:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value


def names(refused: Refused, player: Player, field: str | None) -> bool:
    """Return whether the refusal names the player, the day and the field."""
    end = Effect.objects.get(type="suspension").until
    assert end is not None
    day = f"{end.astimezone(sanctioned.HERE).day} "
    sentence = str(refused.sentence)
    return (refused.code, refused.field) == ("suspended", field) and player.display_name in sentence and day in sentence


def ready(match: Match, player: Player) -> play.Answer:
    """Sit down at the match's table."""
    match.refresh_from_db()
    game = match.table.games.order_by("-number").first()
    seat = match.table.seatings.get(player=player).seat
    return play.submit(
        game_id=game.pk,
        seat=seat,
        command_id=f"r-{game.pk}-{seat}-{clock.now_ms()}",
        turn="0.0",
        kind="ready",
        args={},
        by=Person(player_id=player.pk),
    )


def on_paper(player: Player, teams: int = 3, **more) -> tuple[Competition, Entry]:
    """Return a running knockout on paper in which `player` was entered before anything happened."""
    made = a_tournament(teams, state="open", **more)
    entry = entered(made, player)
    made = lifecycle.run_through(by=SITE, competition=made, to="closed")
    draw.draw(by=SITE, competition=made)
    return lifecycle.advance(by=SITE, competition=made, to="running"), entry


def match_of(entry: Entry) -> Match:
    return next(match for match in under_way(entry.competition) if match.side_rows.filter(entry=entry).exists())


def test_a_suspended_player_cannot_sit_down_at_a_match_and_the_partner_can(struck: Struck, hand) -> None:
    struck.sign()
    match = next_match(struck)
    answer = ready(match, struck.player)
    end = Effect.objects.get(type="suspension").until
    assert (answer.code, answer.why, answer.until) == ("illegal", "suspended", clock.ms(end))
    partner = match.table.seatings.exclude(player=struck.player).order_by("seat").first().player
    assert ready(match, partner).code == ""
    assert not Game.objects.get(table=match.table).events.filter(actor=f"seat:{_seat(match, struck.player)}").exists()


def _seat(match: Match, player: Player) -> int:
    return match.table.seatings.get(player=player).seat


def test_a_seat_taken_before_the_ban_is_refused_for_the_next_game(struck: Struck) -> None:
    match = next_match(struck)
    assert ready(match, struck.player).code == ""
    struck.sign("ban")
    with clock.frozen(clock.now() + timedelta(seconds=1)):
        tables.new_game(match.table)
        answer = ready(match, struck.player)
    assert (answer.why, answer.until) == ("suspended", 0)


def test_a_suspended_player_may_practise(struck: Struck) -> None:
    struck.sign()
    table = tables.open_practice(player=struck.player)
    game = table.games.get()
    answer = play.submit(
        game_id=game.pk,
        seat=0,
        command_id="p",
        turn="0.0",
        kind="ready",
        args={},
        by=Person(player_id=struck.player.pk),
    )
    assert answer.code == ""


def test_lifting_the_ruling_opens_the_seat_at_once(struck: Struck) -> None:
    struck.sign("ban")
    match = next_match(struck)
    assert ready(match, struck.player).why == "suspended"
    struck.lift()
    assert ready(match, struck.player).code == ""
    assert sanctioned.in_force([struck.player.pk]) == {}


def test_a_suspension_ends_on_its_day_by_itself(struck: Struck, hand) -> None:
    struck.sign()
    hand.advance(days=90, seconds=-1)
    assert struck.player.pk in sanctioned.in_force([struck.player.pk])
    hand.advance(seconds=1)
    assert sanctioned.in_force([struck.player.pk]) == {}


def test_a_suspended_player_is_not_checked_in_by_anybody(struck: Struck, hand) -> None:
    made = a_tournament(2, state="open", check_in=True)
    entry = entered(made, struck.player)
    struck.sign()
    hand.advance(minutes=40)
    for by in (struck.player, SITE):
        assert names(
            refusal(lambda by=by: checkin.check_in(by=by, entry=entry, player=struck.player)), struck.player, "player"
        )
    assert not entry.check_ins.exists()


def test_a_suspended_player_cannot_confirm_an_entry_and_is_not_admitted(struck: Struck) -> None:
    made = a_tournament(2, state="open")
    captain = a_player("Une Capitaine")
    team = clubs.form_team(by=SITE, name="Les Pressés", players=[captain, struck.player])
    entry = registration.register(by=captain, competition=made, team=team)
    struck.sign()
    assert names(refusal(lambda: registration.confirm(by=struck.player, entry=entry)), struck.player, "player")
    assert names(refusal(lambda: registration.admit(by=SITE, entry=entry)), struck.player, "entry")
    entry.refresh_from_db()
    assert entry.state == "pending"


def test_a_suspended_substitute_is_not_put_in(struck: Struck) -> None:
    made = a_tournament(2, state="open")
    captain = a_player("Une Capitaine")
    players = [captain, a_player("Son Partenaire"), struck.player]
    team = a_pair("Les Prévoyants", *players)
    entry = registration.register(by=SITE, competition=made, team=team, substitutes=[struck.player])
    struck.sign()
    for by in (captain, SITE):
        change = lambda by=by: rosters.substitute(by=by, entry=entry, leaves=players[1], comes=struck.player)  # noqa: E731
        assert names(refusal(change), struck.player, "comes")
    starters = RosterSpot.objects.filter(entry=entry, role="starter", left__isnull=True)
    assert {spot.player for spot in starters} == set(players[:2])


def test_at_the_end_of_check_in_a_substitute_takes_the_place_of_a_suspended_player(struck: Struck, hand) -> None:
    made = a_tournament(2, state="open", check_in=True)
    entry = entered(made, struck.player)
    hand.advance(minutes=40)
    for spot in entry.roster.filter(left__isnull=True):
        checkin.check_in(by=SITE, entry=entry, player=spot.player)
    struck.sign()
    checkin.close(by=SITE, competition=made)
    starters = {spot.player.display_name for spot in entry.roster.filter(role="starter", left__isnull=True)}
    assert starters == {"Réserve 0", "Noé Roy"}


def test_no_result_on_paper_is_certified_for_a_player_suspended_before_the_match(struck: Struck, hand) -> None:
    made, entry = on_paper(struck.player)
    captain, referee = captain_of(entry), a_player("Arbitre Ailleurs")
    roles.give(by=SITE, competition=made, player=referee, name="referee")
    hand.advance(minutes=-1)
    struck.sign()
    hand.advance(hours=3)
    match = match_of(entry)
    games = [paper.Game(0, 3)] * (match.best_of // 2 + 1)
    other = captain_of(match.side_rows.exclude(entry=entry).get().entry)
    for act in (
        lambda: paper.certify(by=referee, match=match, games=games),
        lambda: paper.report(by=captain, match=match, games=games),
        lambda: paper.report(by=other, match=match, games=games),
    ):
        assert names(refusal(act), struck.player, "games")
    assert not match.versions.exists()
    rosters.substitute(by=SITE, entry=entry, leaves=struck.player, comes=Player.objects.get(display_name="Réserve 0"))
    assert paper.certify(by=referee, match=match, games=games).fact == "played"


def test_the_desk_does_not_correct_an_absence_to_a_score_of_a_suspended_player(struck: Struck, hand) -> None:
    _made, entry = on_paper(struck.player)
    hand.advance(minutes=-1)
    struck.sign()
    hand.advance(hours=3)
    match = match_of(entry)
    absent = match.side_rows.get(entry=entry).position
    decide(match, 1 - absent)
    games = tuple([paper.Game(absent, 3)] * (match.best_of // 2 + 1))
    right = corrections.Right("paper", games=games)
    assert names(refusal(lambda: corrections.preview(by=SITE, match=match, right=right)), struck.player, "games")


def test_a_match_on_paper_that_began_before_the_suspension_keeps_its_result(struck: Struck, hand) -> None:
    made, entry = on_paper(struck.player)
    referee = a_player("Arbitre Ailleurs")
    roles.give(by=SITE, competition=made, player=referee, name="referee")
    match = match_of(entry)
    hand.set(match.starts_at + timedelta(minutes=30))
    struck.sign()
    games = [paper.Game(0, 3)] * (match.best_of // 2 + 1)
    assert paper.certify(by=referee, match=match, games=games).fact == "played"


def test_the_preview_lists_the_entries_and_matches_and_moves_with_them(struck: Struck) -> None:
    _cup, entry = on_paper(struck.player)
    struck.world.taken(struck.case)
    decision = struck.world.against(struck.case, penalty="ban", deviation_reason="Il a trois comptes.")
    shown = signing.preview(by=struck.world.head, case=struck.case, decision=decision)
    here = struck.world.match.side_rows.get(position=0).entry
    assert [row.entry for row in shown.sanctioned] == [here, entry]
    league, cup = shown.sanctioned
    assert struck.world.match not in league.matches
    assert {match.competition_id for match in league.ahead} == {struck.world.competition.pk}
    assert list(cup.matches) == [match_of(entry)]
    assert cup.substitute_names == "Réserve 0"
    mild = signing.preview(by=struck.world.head, case=struck.case, decision=decided(decision, penalty="warning"))
    assert mild.sanctioned == ()
    rosters.substitute(by=SITE, entry=entry, leaves=struck.player, comes=cup.substitutes[0])
    again = signing.preview(by=struck.world.head, case=struck.case, decision=decision)
    assert [row.starter for row in again.sanctioned] == [True, False]


def test_the_desk_names_the_team_and_what_to_do_for_organisers_only(struck: Struck) -> None:
    made, entry = on_paper(struck.player)
    organiser = a_player("Organisatrice")
    organiser.user = create_user(email="org@example.org")
    organiser.save()
    roles.give(by=SITE, competition=made, player=organiser, name="organiser")
    client = Client()
    client.force_login(organiser.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    address = f"/competitions/{made.slug}/organise/"
    assert 'id="sanctioned"' not in client.get(address).content.decode()
    struck.sign()
    page = client.get(address).content.decode()
    assert 'id="sanctioned"' in page
    assert struck.player.display_name in page
    assert "Réserve 0" in page
    assert f"/entries/{entry.slug}/" in page
    struck.lift()
    assert 'id="sanctioned"' not in client.get(address).content.decode()


def test_the_pages_of_the_player_and_of_the_next_match_say_who_may_not_play(struck: Struck, hand) -> None:
    entry = struck.world.match.side_rows.get(position=0).entry
    ahead = list(Match.objects.filter(side_rows__entry=entry, state="scheduled").order_by("starts_at"))
    Player.objects.filter(pk=struck.player.pk).update(page_for=Player.Readers.EVERYBODY)

    def said() -> list[bool]:
        """Return whether the page of the player, the past match, and each match ahead says so."""
        pages = [f"/players/{struck.player.slug}/", f"/matches/{struck.world.match.slug}/"]
        pages += [f"/matches/{match.slug}/" for match in ahead]
        return ["kept-out" in Client().get(page).content.decode() for page in pages]

    assert not any(said())
    struck.sign()
    end = Effect.objects.get(type="suspension").until
    Match.objects.filter(pk=ahead[-1].pk).update(starts_at=end)
    assert said() == [True, False, *[True] * (len(ahead) - 1), False]
    struck.lift()
    assert not any(said())


def test_a_team_without_a_free_substitute_is_told_to_withdraw(struck: Struck) -> None:
    made = a_tournament(2, state="open")
    entry = entered(made, struck.player, substitutes=0)
    struck.sign()
    [(row, sanction)] = sanctioned.on_desk(made)
    assert (row.entry, row.starter, row.substitutes, row.at_table) == (entry, True, (), False)
    assert sanction.player == struck.player.pk


def test_the_page_of_the_preview_names_the_teams_the_matches_and_what_to_do(struck: Struck) -> None:
    _cup, entry = on_paper(struck.player)
    world = struck.world
    case = world.taken(struck.case)
    sent = typed(world, penalty="ban", offender=struck.player.pk, deviation_reason="Il a trois comptes.")
    page = signed_in(world.head).post(to("rule", case.number), sent | {"do": "preview"}).content.decode()
    assert f"/entries/{entry.slug}/" in page
    assert f"/matches/{match_of(entry).slug}/" in page
    assert "Réserve 0" in page
    sent = typed(world, penalty="warning", offender=struck.player.pk, deviation_reason="Il est jeune.")
    page = signed_in(world.head).post(to("rule", case.number), sent | {"do": "preview"}).content.decode()
    assert "preview_digest" in page
    assert f"/entries/{entry.slug}/" not in page
