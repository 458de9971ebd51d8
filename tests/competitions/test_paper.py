"""Results on paper: two captains, a referee, concurrent reports, outdated pages, impossible values."""

import threading

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from tock_league.accounts.permissions import SITE
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.core.effective import EffectPlan
from tock_league.competitions.models import Match, ResultSignature, ResultVersion
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.selectors.results import paper as papers
from tock_league.competitions.selectors.results import papers_waiting
from tock_league.competitions.services.results import paper, rulings
from tock_league.competitions.services.results.paper import Game
from tock_league.competitions.services.seasons import roles
from tock_league.journal.models import JournalEntry

from .world import a_club, a_plan, a_player, a_tournament, under_way

pytestmark = pytest.mark.django_db
HOME, AWAY = [Game(0, 3)], [Game(1, 2)]


@pytest.fixture
def match(hand) -> Match:
    """The first match of a Swiss tournament of four on paper, its round open."""
    return under_way(a_tournament(4, plan=a_plan("swiss", rounds=2)))[0]


def captain(match, position):
    return match.side_rows.get(position=position).entry.roster.get(role="starter", slot=1).player


def partner(match, position):
    return match.side_rows.get(position=position).entry.roster.get(role="starter", slot=2).player


def a_referee(match, **more):
    player = a_player("Lise Caron")
    roles.give(by=SITE, competition=match.competition, player=player, name="referee", **more)
    return player


def state(match):
    match.refresh_from_db()
    return match.state


def test_one_captain_alone_has_only_reported_and_nothing_counts(match):
    paper.report(by=captain(match, 0), match=match, games=HOME)
    assert state(match) == "reported"
    assert all(row.points == "0" for row in standings.table(match.competition))
    assert [view.match for view in papers.for_referee(match.competition)] == [match]


@pytest.mark.both_databases
def test_the_other_captain_accepts_and_it_counts(match):
    version = paper.report(by=captain(match, 0), match=match, games=HOME)
    assert paper.accept(by=captain(match, 1), match=match, seen=version.version) == version
    assert state(match) == "confirmed"
    row = standings.table(match.competition)[0]
    assert (row.entry, row.points, row.margin) == (match.side_rows.get(position=0).entry, "2", "+3")
    sheet = papers.sheet(match)
    assert (sheet.counts, sheet.positions, len(sheet.signed_by)) == (True, {0, 1}, 2)
    assert papers.for_referee(match.competition) == []


def test_the_papers_that_wait_for_a_captain_take_as_many_queries_for_two_as_for_one(match, hand):
    player = captain(match, 1)
    paper.report(by=captain(match, 0), match=match, games=HOME)
    with CaptureQueriesContext(connection) as one:
        assert [(found.view.match, found.what) for found in papers_waiting.papers_of(player)] == [(match, "accept")]
    other = under_way(a_tournament(4, plan=a_plan("swiss", rounds=2)))[0]
    paper.report(by=captain(other, 0), match=other, games=HOME)
    other.side_rows.get(position=1).entry.roster.filter(role="starter", slot=1).update(player=player)
    with CaptureQueriesContext(connection) as two:
        assert {found.view.match for found in papers_waiting.papers_of(player)} == {match, other}
    assert len(two) == len(one)
    for each in (match, other):
        assert papers.signed_by_match([match, other])[each.pk] == papers.sheet(each).positions == {0}


def test_both_captains_who_write_the_same_have_agreed(match):
    first = paper.report(by=captain(match, 0), match=match, games=HOME)
    assert paper.report(by=captain(match, 1), match=match, games=HOME) == first
    assert state(match) == "confirmed"


def test_a_captain_who_contests_gives_other_values_and_the_first_captain_may_accept_them(match):
    first = paper.report(by=captain(match, 0), match=match, games=HOME)
    second = paper.contest(by=captain(match, 1), match=match, games=AWAY, seen=first.version)
    assert state(match) == "contested"
    assert papers.sheet(match).rival == ((0, 3),)
    paper.accept(by=captain(match, 0), match=match, seen=second.version)
    assert state(match) == "confirmed"
    assert standings.table(match.competition)[0].entry == match.side_rows.get(position=1).entry


def test_a_captain_may_correct_himself_before_he_is_answered(match):
    paper.report(by=captain(match, 0), match=match, games=AWAY)
    second = paper.report(by=captain(match, 0), match=match, games=HOME)
    assert (second.version, state(match)) == (2, "reported")


def test_an_answer_to_a_page_out_of_date_is_told_the_newest_version_and_its_signers(match):
    first = paper.report(by=captain(match, 0), match=match, games=AWAY)
    second = paper.report(by=captain(match, 0), match=match, games=HOME)
    with pytest.raises(Conflict) as error:
        paper.accept(by=captain(match, 1), match=match, seen=first.version)
    assert error.value.code == "result_changed"
    assert error.value.details == {"version": second.version, "signed_by": [captain(match, 0).display_name]}
    with pytest.raises(Conflict) as error:
        paper.report(by=captain(match, 1), match=match, games=AWAY, seen=first.version)
    assert error.value.code == "result_changed"
    assert state(match) == "reported"


def test_a_result_that_stands_is_not_written_over(match):
    paper.report(by=captain(match, 0), match=match, games=HOME)
    paper.report(by=captain(match, 1), match=match, games=HOME)
    for act in (
        lambda: paper.report(by=captain(match, 1), match=match, games=AWAY),
        lambda: paper.contest(by=captain(match, 1), match=match, games=AWAY, seen=1),
        lambda: paper.certify(by=a_referee(match), match=match, games=AWAY),
    ):
        with pytest.raises(Conflict) as error:
            act()
        assert error.value.code == "result_stands"
        assert error.value.details["version"] == 1
        assert len(error.value.details["signed_by"]) == 2


@pytest.mark.both_databases
def test_two_clicks_write_one_result(match):
    first = paper.report(by=captain(match, 0), match=match, games=HOME)
    assert paper.report(by=captain(match, 0), match=match, games=HOME) == first
    assert paper.accept(by=captain(match, 1), match=match, seen=1) == first
    assert paper.accept(by=captain(match, 1), match=match, seen=1) == first
    assert ResultVersion.objects.filter(match=match).count() == 1
    assert ResultSignature.objects.filter(result=first).count() == 2


@pytest.mark.both_databases
def test_a_referees_paper_counts_alone_and_certifying_is_idempotent(match):
    paper.report(by=captain(match, 0), match=match, games=HOME)
    referee = a_referee(match)
    version = paper.certify(by=referee, match=match, games=AWAY, reason="feuille de match")
    assert paper.certify(by=referee, match=match, games=AWAY) == version
    assert state(match) == "confirmed"
    assert standings.table(match.competition)[0].entry == match.side_rows.get(position=1).entry


def test_a_captain_s_own_signature_twice_is_never_two_sides(match):
    paper.report(by=captain(match, 0), match=match, games=HOME)
    paper.accept(by=captain(match, 0), match=match, seen=1)
    assert state(match) == "reported"


@pytest.mark.parametrize("who", ["partner", "stranger", "visitor", "site"])
def test_only_captains_report(match, who):
    by = {"partner": partner(match, 0), "stranger": a_player("Nobody"), "visitor": None, "site": SITE}[who]
    with pytest.raises(NotAllowed):
        paper.report(by=by, match=match, games=HOME)
    assert state(match) == "called"


def test_a_referee_with_a_stake_does_not_certify(match):
    playing = partner(match, 0)
    roles.give(by=SITE, competition=match.competition, player=playing, name="referee")
    with pytest.raises(NotAllowed):
        paper.certify(by=playing, match=match, games=HOME)
    with pytest.raises(NotAllowed):
        paper.certify(by=a_player("Nobody"), match=match, games=HOME)


def test_a_paper_by_staff_of_one_sides_club_counts_and_is_marked(match):
    from tock_league.clubs import services as clubs

    club = a_club("Les Pieux")
    team = match.side_rows.get(position=0).entry.team
    team.club = club
    team.save()
    referee = a_referee(match)
    clubs.join(by=referee, club=club, player=referee)
    assert paper.certify(by=referee, match=match, games=HOME).tied
    assert state(match) == "confirmed"
    organiser = a_player("Rose Ouellet")
    roles.give(by=SITE, competition=match.competition, player=organiser, name="organiser")
    other = under_way(match.competition)[0]
    version = paper.certify(by=organiser, match=other, games=HOME)
    assert (version.tied, version.source) == (False, "organiser")


@pytest.mark.parametrize(
    ("games", "code"),
    [
        ([], "games_missing"),
        ([Game(2)], "winner"),
        ([Game(-1)], "winner"),
        ([Game(0, 9)], "margin"),
        ([Game(0, -1)], "margin"),
        ([Game(0), Game(1)], "too_many_games"),
    ],
)
def test_impossible_values_are_refused_and_nothing_is_written(match, games, code):
    with pytest.raises(Refused) as error:
        paper.report(by=captain(match, 0), match=match, games=games)
    assert (error.value.code, error.value.field) == (code, "games")
    assert not ResultVersion.objects.filter(match=match).exists()


def test_best_of_three_is_reported_whole(hand):
    cup = a_tournament(4, plan=a_plan(best_of={"knockout": 3, "group": 1, "final": 3}))
    match = under_way(cup)[0]
    for games in ([Game(0)], [Game(0), Game(1)], [Game(0), Game(0), Game(1)]):
        with pytest.raises(Refused):
            paper.report(by=captain(match, 0), match=match, games=games)
    made = [Game(0, 1), Game(1, 4), Game(0, 2)]
    paper.report(by=captain(match, 0), match=match, games=made)
    paper.report(by=captain(match, 1), match=match, games=made)
    assert state(match) == "confirmed"
    assert cup.matches.get(label="final").side_rows.filter(entry=match.side_rows.get(position=0).entry).exists()


def test_a_match_that_waits_or_is_played_at_a_table_takes_no_paper(hand):
    cup = a_tournament(4)
    final = cup.matches.get(label="final")
    with pytest.raises(NotAllowed):
        paper.report(by=captain(under_way(cup)[0], 0), match=final, games=HOME)
    online = under_way(a_tournament(4, on_paper=False))[0]
    with pytest.raises(Conflict) as error:
        paper.report(by=captain(online, 0), match=online, games=HOME)
    assert error.value.code == "not_open"


def test_a_match_under_a_ruling_takes_no_paper(match):
    rulings.apply(competition=match.competition, ruling="TL-2026-000001/1", effects=[EffectPlan("void", match.pk)])
    with pytest.raises(Conflict) as error:
        paper.report(by=captain(match, 0), match=match, games=HOME)
    assert error.value.code == "result_stands"


def test_versions_and_signatures_stand_in_the_journal(match):
    paper.report(by=captain(match, 0), match=match, games=HOME)
    paper.accept(by=captain(match, 1), match=match, seen=1)
    stream = JournalEntry.objects.filter(stream=f"competition:{match.competition.slug}").order_by("seq")
    bodies = [bytes(entry.body).decode() for entry in stream]
    told = [body for body in bodies if '"kind":"result.' in body]
    assert [("recorded" in body, "signed" in body) for body in told] == [(True, False), (False, True), (False, True)]
    assert match.versions.get().hash in told[0]


@pytest.mark.both_databases
def test_i21_a_side_s_captain_signs_once(match):
    version = paper.report(by=captain(match, 0), match=match, games=HOME)
    side = match.side_rows.get(position=0)
    with pytest.raises(IntegrityError), transaction.atomic():
        ResultSignature.objects.bulk_create(
            [
                ResultSignature(
                    result=version, signer=a_player("X Y"), capacity="captain", side=side, at=version.recorded_at
                )
            ]
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        ResultSignature.objects.bulk_create(
            [ResultSignature(result=version, signer=captain(match, 0), capacity="referee", at=version.recorded_at)]
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        ResultSignature.objects.bulk_create(
            [ResultSignature(result=version, signer=a_player("Z Z"), capacity="captain", at=version.recorded_at)]
        )
    ResultSignature.objects.bulk_create(
        [ResultSignature(result=version, signer=a_player("A A"), capacity="referee", at=version.recorded_at)]
    )


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("same", [True, False])
def test_two_captains_who_report_at_once_agree_or_one_is_told(hand, same):
    match = under_way(a_tournament(2))[0]
    start, outcomes = threading.Barrier(2), []

    def work(position, games):
        by = captain(match, position)
        start.wait(timeout=20)
        try:
            outcomes.append(paper.report(by=by, match=match, games=games).version)
        except Conflict as error:
            outcomes.append(error.code)
        finally:
            connection.close()

    threads = [
        threading.Thread(target=work, args=(position, HOME if same or position == 0 else AWAY)) for position in (0, 1)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert sorted(map(str, outcomes)) == (["1", "1"] if same else ["1", "result_changed"])
    assert state(match) == ("confirmed" if same else "reported")
