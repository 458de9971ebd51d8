"""Corrections by the desk: what can be corrected, by whom and until when, and what follows from it."""

import threading

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from ratings.models import RatedResult
from tests.games.conftest import Sat
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.core.effective import EffectPlan
from tock_league.competitions.models import Correction, ResultEffect
from tock_league.competitions.selectors.changes.observed import difference, observe
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.selectors.results.effective import effective_of
from tock_league.competitions.services.entries import withdrawals
from tock_league.competitions.services.results import corrections, paper, rulings, settlement
from tock_league.competitions.services.results.corrections import Right
from tock_league.competitions.services.results.paper import Game
from tock_league.competitions.services.rounds import publishing
from tock_league.competitions.services.seasons import roles
from tock_league.journal.models import JournalEntry

from .world import (
    FIRST_ROUND,
    a_club,
    a_league,
    a_plan,
    a_player,
    a_signed_up_player,
    a_tournament,
    first_match,
    play_match,
    under_way,
)

pytestmark = pytest.mark.django_db
REASON = "La feuille disait le contraire."


def right(winner: int, margin: int = 2) -> Right:
    return Right("paper", games=(Game(winner, margin),))


def certified(match, winner: int):
    paper.certify(by=SITE, match=match, games=[Game(winner, 3)])
    match.refresh_from_db()
    return match


def correct(match, wanted: Right, by=SITE, reason: str = REASON) -> Correction:
    """Preview and correct."""
    shown = corrections.preview(by=by, match=match, right=wanted)
    made = corrections.correct(by=by, match=match, right=wanted, reason=reason, digest=shown.digest)
    match.refresh_from_db()
    return made


def take_back(correction: Correction, by=SITE) -> Correction:
    shown = corrections.preview_taking_back(by=by, correction=correction)
    return corrections.take_back(by=by, correction=correction, reason="Elle était juste.", digest=shown.digest)


def seats(match):
    return list(match.side_rows.order_by("position").values_list("entry", flat=True))


def code_of(act) -> str:
    with pytest.raises(Refused) as error:
        act()
    return error.value.code


@pytest.fixture
def cup(hand):
    """A knockout of four on paper, whose first semi-final the wrong team has won."""
    made = a_tournament(4)
    certified(under_way(made)[0], 1)
    return made


@pytest.fixture
def semi(cup):
    return cup.matches.get(label="semi", number=1)


@pytest.fixture
def final(cup):
    return cup.matches.get(label="final")


def test_a_wrong_winner_on_paper_is_corrected_and_the_final_has_the_right_team(cup, semi, final):
    first, second = seats(semi)
    assert seats(final)[0] == second
    certified(cup.matches.get(label="semi", number=2), 0)
    final.refresh_from_db()
    start = final.starts_at
    made = correct(semi, right(0))
    assert effective_of(semi).score == (1, 0)
    assert seats(final)[0] == first
    final.refresh_from_db()
    assert (final.state, final.starts_at) == ("called", start)
    assert (made.kind, made.reason, made.ref) == ("paper", REASON, "C-1")
    told = [bytes(entry.body).decode() for entry in JournalEntry.objects.all()]
    assert len([body for body in told if '"kind":"result.corrected"' in body]) == 1
    assert not [body for body in told if REASON in body]


@pytest.mark.both_databases
def test_the_preview_is_what_happens_and_taking_it_back_restores_all(cup, semi):
    certified(cup.matches.get(label="semi", number=2), 0)
    before = observe(cup)
    shown = corrections.preview(by=SITE, match=semi, right=right(0))
    assert not difference(before, observe(cup), clock.now())
    assert {row.kind for row in shown.rows} >= {"result", "place"}
    made = correct(semi, right(0))
    facts = {key: value for key, value in shown.facts.items() if key != "ratings"}
    assert difference(before, observe(cup), clock.now()) == facts
    take_back(made)
    assert not difference(before, observe(cup), clock.now())


def test_to_type_the_first_result_again_takes_the_correction_back(cup, semi, final):
    certified(cup.matches.get(label="semi", number=2), 0)
    certified(final, 0)
    before = observe(cup)
    correct(semi, right(0))
    final.refresh_from_db()
    assert final.state == "called"
    made = correct(semi, right(1, 3))
    assert (made.kind, made.reverts.number) == ("revert", 1)
    assert not difference(before, observe(cup), clock.now())


def test_a_correction_changes_the_rating_of_the_game_and_keeps_its_place_in_the_log(cup, semi, hand):
    row = RatedResult.objects.get()
    hand.advance(minutes=5)
    shown = corrections.preview(by=SITE, match=semi, right=right(0))
    assert "rating" in {line.kind for line in shown.rows} or shown.others
    correct(semi, right(0))
    last = RatedResult.objects.order_by("pk").last()
    assert (last.source, last.revision, last.ruling) == (row.source, 2, "C-1")
    assert (last.completed_at, last.ranks) == (row.completed_at, [0, 1])


def test_a_typo_in_the_final_is_corrected_after_the_podium_and_the_podium_changes(cup, semi, final):
    certified(cup.matches.get(label="semi", number=2), 0)
    certified(cup.matches.get(label="third_place"), 0)
    certified(final, 0)
    cup.refresh_from_db()
    assert cup.state == "finished"
    winner = cup.entries.get(final_rank=1)
    correct(final, right(1))
    cup.refresh_from_db()
    assert cup.state == "finished"
    assert cup.entries.get(final_rank=2) == winner


def test_a_final_that_the_wrong_team_played_is_played_again_or_stands_as_the_regulations_say(hand):
    for later, state, mover in (("replay", "called", 0), ("stand", "confirmed", 1)):
        cup = a_tournament(4, later=later)
        semi, other = under_way(cup)
        certified(semi, 1)
        certified(other, 0)
        final = certified(cup.matches.get(label="final"), 0)
        correct(semi, right(0))
        final.refresh_from_db()
        assert (final.state, seats(final)[0]) == (state, seats(semi)[mover])
        assert effective_of(semi).score == (1, 0)


def test_a_final_that_is_being_played_by_the_wrong_team_is_called_again(hand):
    cup = a_tournament(4, on_paper=False)
    for match in under_way(cup):
        settlement.award(by=SITE, match=match, winner=1, reason="absents")
    semi, final = cup.matches.get(label="semi", number=1), cup.matches.get(label="final")
    hand.advance(minutes=6)
    publishing.open_due_tables()
    final.refresh_from_db()
    table = final.table
    Sat(table, [seating.player for seating in table.seatings.order_by("seat")]).all_ready()
    correct(semi, Right("no_show", absent=1))
    final.refresh_from_db()
    table.refresh_from_db()
    assert table.state == "closed"
    assert seats(final)[0] == seats(semi)[0]
    assert final.table_id != table.pk


def test_a_mistaken_no_show_is_taken_out_and_the_match_is_called_again(hand):
    cup = a_tournament(4)
    match = under_way(cup)[0]
    withdrawals.no_show(by=SITE, match=match, position=0, reason="absents")
    match.refresh_from_db()
    correct(match, Right("reopen"))
    assert match.state == "called"
    certified(match, 0)
    assert effective_of(match).fact == "played"


def test_a_no_show_of_the_other_team(hand):
    match = under_way(a_tournament(4))[0]
    withdrawals.no_show(by=SITE, match=match, position=0, reason="absents")
    match.refresh_from_db()
    correct(match, Right("no_show", absent=1))
    result = effective_of(match)
    assert (result.fact, result.winner, result.ruled) == ("no_show", 0, False)
    correct(match, Right("no_show"))
    assert effective_of(match).fact == "double_forfeit"


def test_a_score_after_a_forfeit_that_was_none(hand):
    match = under_way(a_tournament(4, plan=a_plan("swiss", rounds=2)))[0]
    withdrawals.forfeit(by=SITE, match=match, position=0, reason="abandon")
    match.refresh_from_db()
    correct(match, right(0, 4))
    assert (effective_of(match).fact, effective_of(match).score) == ("played", (1, 0))
    assert standings.table(match.competition)[0].margin == "+4"
    assert RatedResult.objects.filter(reason="paper", rated=True).count() == 1


def test_the_result_of_another_table_goes_where_it_belongs(hand):
    cup = a_tournament(4, plan=a_plan("swiss", rounds=2))
    wrong, other = under_way(cup)
    certified(wrong, 1)
    made = correct(wrong, Right("move", other=other))
    other.refresh_from_db()
    assert (wrong.state, other.state) == ("called", "confirmed")
    assert effective_of(other).score == (0, 1)
    take_back(made)
    wrong.refresh_from_db()
    other.refresh_from_db()
    assert (wrong.state, other.state) == ("confirmed", "called")


def test_two_results_that_were_swapped_are_swapped_back(hand):
    cup = a_tournament(4, plan=a_plan("swiss", rounds=2))
    first, second = under_way(cup)
    certified(first, 1)
    certified(second, 0)
    correct(first, Right("move", other=second))
    assert (effective_of(first).score, effective_of(second).score) == ((1, 0), (0, 1))


def test_the_pairings_of_a_swiss_round_that_was_drawn_stand_and_the_points_are_corrected(hand):
    cup = a_tournament(4, plan=a_plan("swiss", rounds=2))
    for match in under_way(cup):
        certified(match, 1)
    second = {match.pk: seats(match) for match in cup.matches.filter(round__number=2)}
    assert second
    correct(cup.matches.filter(round__number=1).first(), right(0))
    assert {match.pk: seats(match) for match in cup.matches.filter(round__number=2)} == second
    assert sorted(row.points for row in standings.table(cup)) == ["0", "0", "2", "2"]


# --- who, when, and what is refused ----------------------------------------------------------------------------------


def test_organisers_and_referees_correct_and_nobody_else(cup, semi):
    partner = semi.side_rows.get(position=0).entry.roster.get(slot=2, role="starter").player
    captain = semi.side_rows.get(position=0).entry.roster.get(slot=1, role="starter").player
    roles.give(by=SITE, competition=cup, player=captain, name="organiser")
    for by in (None, a_player("Personne"), partner, captain):
        with pytest.raises(NotAllowed):
            corrections.preview(by=by, match=semi, right=right(0))
        with pytest.raises(NotAllowed):
            corrections.correct(by=by, match=semi, right=right(0), reason=REASON, digest="0" * 64)
    for name, wanted in (("organiser", right(0)), ("referee", right(1, 1)), ("head_referee", right(0, 5))):
        player = a_player(f"{name} X")
        roles.give(by=SITE, competition=cup, player=player, name=name)
        assert correct(semi, wanted, by=player).by == player


def test_staff_of_one_sides_club_may_correct_and_it_is_marked(cup, semi):
    club = a_club("Les Pieux")
    semi.side_rows.get(position=0).entry.team.__class__.objects.filter(
        pk=semi.side_rows.get(position=0).entry.team_id
    ).update(club=club)
    officer = a_player("Lise Caron")
    clubs.join(by=officer, club=club, player=officer)
    roles.give(by=SITE, competition=cup, player=officer, name="organiser")
    assert correct(semi, right(0), by=officer).tied
    other = cup.matches.get(label="semi", number=2)
    paper.certify(by=officer, match=other, games=[Game(0, 3)])
    assert [version.tied for version in other.versions.all()] == [False]


def test_a_correction_needs_a_reason_and_the_preview_that_was_seen(cup, semi):
    shown = corrections.preview(by=SITE, match=semi, right=right(0))
    assert (
        code_of(lambda: corrections.correct(by=SITE, match=semi, right=right(0), reason="  ", digest=shown.digest))
        == "reason_missing"
    )
    certified(cup.matches.get(label="semi", number=2), 0)
    assert (
        code_of(lambda: corrections.correct(by=SITE, match=semi, right=right(0, 7), reason=REASON, digest=shown.digest))
        == "preview_moved"
    )
    assert not Correction.objects.exists()
    assert not ResultEffect.objects.exists()


def test_what_cannot_be_corrected_is_refused_by_name(cup, semi, final, hand):
    other = a_tournament(4)
    preview = corrections.preview
    assert code_of(lambda: preview(by=SITE, match=final, right=right(0))) == "not_decided"
    assert code_of(lambda: preview(by=SITE, match=semi, right=right(1, 3))) == "same_result"
    assert code_of(lambda: preview(by=SITE, match=semi, right=Right("paper"))) == "games_missing"
    assert code_of(lambda: preview(by=SITE, match=semi, right=right(5))) == "winner"
    assert code_of(lambda: preview(by=SITE, match=semi, right=Right("no_show", absent=4))) == "absent"
    assert code_of(lambda: preview(by=SITE, match=semi, right=Right("move", other=semi))) == "other"
    assert code_of(lambda: preview(by=SITE, match=semi, right=Right("move", other=under_way(other)[0]))) == "other"
    assert code_of(lambda: preview(by=SITE, match=semi, right=Right("move", other=final))) == "other_match"
    assert code_of(lambda: preview(by=SITE, match=semi, right=Right("nothing"))) == "kind"
    made = correct(semi, right(0))
    take_back(made)
    assert code_of(lambda: take_back(made)) == "taken_back"
    rulings.apply(competition=cup, ruling="TL-2026-000001/1", effects=[EffectPlan("result", semi.pk, position=0)])
    assert code_of(lambda: preview(by=SITE, match=semi, right=right(1))) == "ruled"


def test_after_the_period_a_correction_takes_a_ruling(cup, semi, hand):
    hand.advance(minutes=29)
    correct(semi, right(0))
    hand.advance(minutes=29)  # a correction can itself be corrected for as long
    correct(semi, right(0, 8))
    hand.advance(minutes=31)
    assert code_of(lambda: corrections.preview(by=SITE, match=semi, right=right(1))) == "period_over"


def test_a_league_match_is_corrected_for_two_days_and_a_game_at_a_table_never(hand):
    league = a_league(4)
    hand.set(FIRST_ROUND)
    match = play_match(first_match(league), 0)
    assert code_of(lambda: corrections.preview(by=SITE, match=match, right=Right("reopen"))) == "played_at_table"
    other = league.matches.filter(round__number=1).exclude(pk=match.pk).get()
    settlement.award(by=SITE, match=other, winner=0, reason="absents")
    hand.advance(hours=47)
    other.refresh_from_db()
    correct(other, Right("no_show", absent=0))
    assert effective_of(other).winner == 1


def test_a_walk_over_because_a_team_left_is_corrected_by_bringing_it_back(cup, semi):
    other = cup.matches.get(label="semi", number=2)
    gone = other.side_rows.get(position=0).entry
    withdrawals.withdraw(by=SITE, entry=gone, reason="malade")
    other.refresh_from_db()
    assert code_of(lambda: corrections.preview(by=SITE, match=other, right=right(0))) == "by_rules"


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_two_corrections_at_once_are_one(hand):
    cup = a_tournament(4)
    match = certified(under_way(cup)[0], 1)
    shown = corrections.preview(by=SITE, match=match, right=right(0))
    found: list[object] = []

    def run() -> None:
        try:
            found.append(
                corrections.correct(by=SITE, match=match, right=right(0), reason=REASON, digest=shown.digest).number
            )
        except Conflict as error:
            found.append(error.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found, key=str) == [1, "same_result"]


# --- the pages -------------------------------------------------------------------------------------------------------


@pytest.fixture
def desk(cup):
    """The browser of an organiser of the cup."""
    organiser = a_signed_up_player("lise@example.org", "Lise Caron")
    roles.give(by=SITE, competition=cup, player=organiser, name="organiser")
    client = Client()
    client.force_login(organiser.user)
    return client


def test_the_desk_corrects_a_winner_by_two_forms(cup, semi, final, desk):
    page = desk.get(reverse("competitions:match", args=[semi.slug]))
    address = reverse("competitions:correct", args=[semi.slug])
    assert address in page.content.decode()
    first = desk.get(address)
    assert first.context["sheet"]["winner_1"].value() == "1"
    form = {"what": "paper", "winner_1": "0", "margin_1": "2", "reason": REASON}
    shown = desk.post(address, form | {"do": "preview"})
    assert not Correction.objects.exists()
    assert {row.kind for row in shown.context["preview"].rows} >= {"result", "place"}
    digest = shown.context["preview"].digest
    assert desk.post(address, form | {"do": "sign", "digest": digest}).status_code == 302
    assert seats(final)[0] == seats(semi)[0]
    page = desk.get(reverse("competitions:match", args=[semi.slug])).content.decode()
    assert REASON in page
    back = reverse("competitions:take_back", args=[semi.slug, 1])
    assert back in page
    for side in semi.side_rows.all():
        assert REASON in desk.get(reverse("competitions:entry", args=[side.entry.slug])).content.decode()
    seen = desk.get(back)
    assert desk.post(back, {"reason": "non", "digest": seen.context["preview"].digest}).status_code == 302
    assert seats(final)[0] == seats(semi)[1]


def test_a_bad_form_is_answered_beside_its_field_and_an_old_preview_by_the_new_one(cup, semi, desk):
    address = reverse("competitions:correct", args=[semi.slug])
    for form, where in (
        ({"reason": REASON}, "what"),
        ({"what": "paper", "winner_1": "0", "margin_1": "2"}, "reason"),
        ({"what": "move", "reason": REASON}, "other"),
        ({"what": "move", "other": "nowhere", "reason": REASON}, "other"),
        ({"what": "no_show:7", "reason": REASON}, "what"),
        ({"what": "reopen", "reason": "<b>"}, "reason"),
    ):
        seen = desk.post(address, form | {"do": "sign", "digest": "0" * 64})
        assert (seen.status_code, list(seen.context["form"].errors)) == (422, [where]), form
    seen = desk.post(address, {"what": "paper", "winner_1": "", "reason": REASON, "do": "sign"})
    assert (seen.status_code, list(seen.context["sheet"].errors)) == (422, ["winner_1"])
    form = {"what": "paper", "winner_1": "0", "margin_1": "2", "reason": REASON, "do": "sign", "digest": "0" * 64}
    seen = desk.post(address, form)
    assert (seen.status_code, bool(seen.context["preview"].rows)) == (409, True)
    assert not Correction.objects.exists()


def test_no_button_is_offered_that_then_refuses(cup, semi, desk, hand):
    address = reverse("competitions:correct", args=[semi.slug])

    def offered() -> bool:
        return address in desk.get(reverse("competitions:match", args=[semi.slug])).content.decode()

    assert offered()
    assert desk.get(address).status_code == 200
    hand.advance(minutes=31)
    assert not offered()
    assert desk.get(address).status_code == 409
    assert Client().get(reverse("competitions:match", args=[semi.slug])).content.decode().find(address) == -1


def test_the_match_page_says_until_when_a_result_is_provisional(cup, semi, hand):
    page = reverse("competitions:match", args=[semi.slug])
    assert Client().get(page).context["corrections"].provisional_until is not None
    hand.advance(minutes=31)
    assert Client().get(page).context["corrections"].provisional_until is None
