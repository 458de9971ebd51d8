"""Attacks on entries and results: players who stay checked in alone, texts and numbers that no page sends."""

import contextlib

import pytest

from tests.competitions.world import a_plan, a_player, a_tournament, decide, play_on, under_way
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.common.errors import Conflict, Refused
from tock_league.competitions.models import CheckIn, Competition, Entry
from tock_league.competitions.services.entries import checkin, registration, withdrawals
from tock_league.competitions.services.results import corrections, paper, settlement
from tock_league.competitions.services.rounds import publishing, ties
from tock_league.competitions.services.seasons import lifecycle, roles

pytestmark = pytest.mark.django_db
EVIL = ["\x00", "a" * 1_000_000, "<b>gras</b>", "à l’envers \u202e", "ligne\nligne"]


def test_a_team_of_which_a_substitute_who_was_here_steps_back_is_no_longer_checked_in(hand) -> None:
    tournament = a_tournament(3, check_in=True, state="open")
    team = clubs.found_team(by=(captain := a_player("Cap")), name="Les Seuls", club=None)
    for slot, name in ((2, "Partner"), (3, "Sub")):
        player = a_player(name)
        clubs.answer(by=player, invitation=clubs.invite(by=captain, team=team, player=player, slot=slot), accept=True)
    substitute = player
    entry = registration.register(by=SITE, competition=tournament, team=team, substitutes=[substitute])
    hand.advance(minutes=31)
    checkin.check_in(by=SITE, entry=entry, player=captain)
    entry = checkin.check_in(by=SITE, entry=entry, player=substitute)
    assert entry.state == "checked_in"
    registration.refuse(by=substitute, entry=entry)
    entry.refresh_from_db()
    assert CheckIn.objects.filter(entry=entry).count() == 1
    assert entry.state == "accepted"


@pytest.mark.parametrize("evil", EVIL)
def test_a_reason_of_bad_words_is_refused_and_nothing_is_written(hand, evil: str) -> None:
    tournament = a_tournament(4)
    match = under_way(tournament)[0]
    entry = match.side_rows.get(position=0).entry
    for act in (
        lambda: settlement.award(by=SITE, match=match, winner=0, reason=evil),
        lambda: withdrawals.no_show(by=SITE, match=match, position=0, reason=evil),
        lambda: withdrawals.withdraw(by=SITE, entry=entry, reason=evil),
        lambda: withdrawals.disqualify(by=SITE, entry=entry, reason=evil),
        lambda: paper.certify(by=SITE, match=match, games=[paper.Game(0)], reason=evil),
        lambda: lifecycle.advance(by=SITE, competition=tournament, to="suspended", reason=evil),
        lambda: lifecycle.advance(by=SITE, competition=tournament, to="cancelled", reason=evil),
    ):
        with pytest.raises(Refused):
            act()
    assert match.versions.count() == 0
    tournament.refresh_from_db()
    assert tournament.state == "running"


@pytest.mark.parametrize(
    "games",
    [[], [paper.Game(-1)], [paper.Game(2)], [paper.Game(0, -1)], [paper.Game(0, 10**30)], [paper.Game(0)] * 9999],
)
def test_a_paper_with_impossible_games_is_refused(hand, games: list[paper.Game]) -> None:
    match = under_way(a_tournament(2))[0]
    with pytest.raises(Refused):
        paper.certify(by=SITE, match=match, games=games)
    assert match.versions.count() == 0


@pytest.mark.parametrize("position", [-1, 2, 10**30])
def test_a_side_that_is_not_there_wins_nothing(hand, position: int) -> None:
    match = under_way(a_tournament(2))[0]
    for act in (
        lambda: settlement.award(by=SITE, match=match, winner=position, reason="x"),
        lambda: withdrawals.no_show(by=SITE, match=match, position=position, reason="x"),
        lambda: withdrawals.forfeit(by=SITE, match=match, position=position, reason="x"),
    ):
        with pytest.raises(Refused):
            act()


@pytest.mark.parametrize(
    ("kind", "count", "third"),
    [
        ("knockout", 2, True),
        ("knockout", 3, False),
        ("groups_knockout", 2, False),
        ("groups_knockout", 3, True),
        ("swiss", 2, True),
        ("swiss", 3, False),
    ],
)
def test_a_tournament_of_two_or_three_teams_comes_to_its_end(hand, count: int, kind: str, third: bool) -> None:
    more = {"groups_knockout": {"groups": 1, "qualify": 2}, "swiss": {"rounds": 1 if count == 2 else 3}}.get(kind, {})
    tournament = a_tournament(count, plan=a_plan(kind, third_place=third, **more))
    play_on(tournament)
    tournament.refresh_from_db()
    assert tournament.state == "finished"
    ranks = sorted(tournament.entries.values_list("final_rank", flat=True))
    assert ranks == list(range(1, count + 1))


@pytest.mark.parametrize(("count", "groups"), [(7, 2), (8, 3)])
def test_groups_of_unequal_size_come_to_their_end(hand, groups: int, count: int) -> None:
    tournament = a_tournament(count, plan=a_plan("groups_knockout", groups=groups, qualify=2))
    play_on(tournament)
    tournament.refresh_from_db()
    assert tournament.state == "finished"


def test_a_double_forfeit_in_a_semi_final_and_in_the_final_ends_the_tournament(hand) -> None:
    tournament = a_tournament(4)
    first, second = under_way(tournament)
    settlement.award(by=SITE, match=first, winner=None, reason="Personne n’est venu.")
    decide(second, 0)
    tournament.refresh_from_db()
    assert tournament.state == "finished"
    ranks = dict(Entry.objects.filter(competition=tournament).values_list("pk", "final_rank"))
    assert ranks[second.side_rows.get(position=0).entry_id] == 1
    other = a_tournament(4)
    for match in under_way(other):
        settlement.award(by=SITE, match=match, winner=None, reason="Personne n’est venu.")
    other.refresh_from_db()
    assert other.state == "finished"


@pytest.mark.parametrize(
    ("kind", "played", "leavers"),
    [
        ("knockout", 0, 2),
        ("knockout", 1, 1),
        ("knockout", 3, 3),
        ("groups_knockout", 0, 3),
        ("groups_knockout", 3, 2),
        ("groups_knockout", 5, 1),
        ("swiss", 0, 1),
        ("swiss", 1, 3),
        ("swiss", 5, 2),
    ],
)
def test_the_tournament_ends_whoever_leaves_at_any_time(hand, kind: str, played: int, leavers: int) -> None:
    tournament = a_tournament(5 if kind == "swiss" else 6, plan=a_plan(kind))
    play_on(tournament, matches=played)
    for entry in list(tournament.entries.order_by("seed"))[:leavers]:
        with contextlib.suppress(Conflict):  # the tournament may be over by then
            withdrawals.withdraw(by=SITE, entry=entry, reason="Malade.")
    for _try in range(6):
        play_on(tournament)
        tournament.refresh_from_db()
        if tournament.state == "finished":
            break
        for group in tournament_groups(tournament):
            with contextlib.suppress(Conflict):
                ties.settle_tie(by=SITE, group=group, how="lots", order=[])
            try:  # the last two of a Swiss tournament have met already: the organiser lets them meet again
                publishing.publish_next(by=SITE, group=group)
            except Refused as refused:
                if refused.code == "needs_relaxing":
                    publishing.publish_next(
                        by=SITE, group=group, relaxed=[tuple(pair) for pair in refused.details["pairs"]]
                    )
    assert tournament.state == "finished"


def test_a_paper_by_a_referee_of_the_home_club_of_one_side_s_players_is_marked(hand) -> None:
    tournament = a_tournament(2)
    match = under_way(tournament)[0]
    officer = a_player("Officière")
    club = clubs.found_club(by=officer, name="Les Pieux", town="Shawinigan")
    referee = a_player("Arbitre")
    roles.give(by=SITE, competition=tournament, player=referee, name="referee")
    clubs.join(by=referee, club=club, player=referee)
    first, second = [list(match.side_rows.get(position=at).entry.roster.all()) for at in (0, 1)]
    clubs.join(by=first[0].player, club=club)
    assert paper.certify(by=referee, match=match, games=[paper.Game(0)]).tied
    clubs.join(by=second[1].player, club=club)  # now the referee is equally close to both sides
    match.refresh_from_db()
    wanted = corrections.Right("paper", games=(paper.Game(1),))
    shown = corrections.preview(by=referee, match=match, right=wanted)
    made = corrections.correct(by=referee, match=match, right=wanted, reason="coquille", digest=shown.digest)
    assert not made.tied


def tournament_groups(competition: Competition) -> list[object]:
    return [group for stage in competition.stages.all() for group in stage.groups.all()]


@pytest.mark.parametrize(
    ("teams", "rounds_", "leavers", "after"), [(3, 3, 2, 1), (5, 5, 4, 2), (4, 3, 3, 2), (7, 7, 4, 6)]
)
def test_a_swiss_tournament_that_cannot_go_on_can_end(hand, teams: int, rounds_: int, leavers: int, after: int) -> None:
    tournament = a_tournament(teams, plan=a_plan("swiss", rounds=rounds_))
    play_on(tournament, matches=after)
    for entry in tournament.entries.order_by("-seed")[:leavers]:
        withdrawals.withdraw(by=SITE, entry=entry, reason="Malade.")
    (group,) = tournament_groups(tournament)
    for _round in range(rounds_):
        play_on(tournament)
        tournament.refresh_from_db()
        if tournament.state == "finished":
            break
        try:
            publishing.publish_next(by=SITE, group=group)
        except Refused as refused:
            if refused.code != "needs_relaxing":  # an odd number of entries, and each has had the bye
                lifecycle.advance(by=SITE, competition=tournament, to="finished")
            else:
                with pytest.raises(Refused, match="rounds_left"):
                    lifecycle.advance(by=SITE, competition=tournament, to="finished")
                pairs = [tuple(pair) for pair in refused.details["pairs"]]
                publishing.publish_next(by=SITE, group=group, relaxed=pairs)
    tournament.refresh_from_db()
    assert tournament.state == "finished"
