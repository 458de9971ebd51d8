"""The states of a tournament: every pair of states, the conditions of each transition, and the automatic
transitions."""

import json
from datetime import timedelta

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.core.plan import TournamentPlan
from tock_league.competitions.models import Competition, Entry, Match, Stage
from tock_league.competitions.services.entries import checkin, entry_states, registration, seeding
from tock_league.competitions.services.rounds import draw, opening, publishing, schedule
from tock_league.competitions.services.seasons import lifecycle, regulations, tournaments
from tock_league.journal.models import JournalEntry

from .world import a_club, a_plan, a_player, a_team, a_tournament, play_on

pytestmark = pytest.mark.django_db
S = Competition.State


def in_state(state, *, drawn=True):
    """Return a tournament of four teams that reached `state` by ordinary transitions."""
    reached = {"suspended": "running", "archived": "finished", "cancelled": "open", "published": "draft"}.get(
        state, state
    )
    cup = a_tournament(4, state=reached)
    if state == "closed" and drawn:
        draw.draw(by=SITE, competition=cup)
    if state in ("published", "suspended", "archived", "cancelled"):
        cup = lifecycle.advance(by=SITE, competition=cup, to=state, reason="Panne de courant")
    return cup


@pytest.mark.parametrize("state", S.values)
def test_every_step_that_is_not_listed_is_refused_with_the_ones_that_are(hand, state):
    cup = in_state(state)
    for to in S.values:
        if to in lifecycle.TRANSITIONS[state]:
            continue
        with pytest.raises(Conflict) as error:
            lifecycle.advance(by=SITE, competition=cup, to=to, reason="x")
        assert error.value.details == {"state": state, "allowed": list(lifecycle.TRANSITIONS[state])}
    cup.refresh_from_db()
    assert cup.state == state


@pytest.mark.parametrize(
    ("state", "to"),
    [(state, to) for state, allowed in lifecycle.TRANSITIONS.items() for to in allowed if to != "finished"],
)
def test_every_listed_step_is_taken_and_told(hand, state, to):
    cup = in_state(state)
    assert lifecycle.advance(by=SITE, competition=cup, to=to, reason="Orage").state == to
    told = JournalEntry.objects.filter(stream=f"competition:{cup.slug}")
    kinds = [json.loads(bytes(entry.body))["kind"] for entry in told]
    assert f"competition.{to}" in kinds


def test_a_tournament_starts_from_its_draw_and_ends_when_all_is_played(hand):
    cup = in_state("closed", drawn=False)
    with pytest.raises(Refused) as error:
        lifecycle.advance(by=SITE, competition=cup, to="running")
    assert error.value.code == "not_drawn"
    draw.draw(by=SITE, competition=cup)
    cup = lifecycle.advance(by=SITE, competition=cup, to="running")
    with pytest.raises(Refused) as error:
        lifecycle.advance(by=SITE, competition=cup, to="finished")
    assert error.value.code == "rounds_left"


@pytest.mark.parametrize("to", ["suspended", "cancelled"])
def test_stopping_needs_a_public_reason(hand, to):
    cup = in_state("running")
    with pytest.raises(Refused) as error:
        lifecycle.advance(by=SITE, competition=cup, to=to)
    assert (error.value.code, error.value.field) == ("reason_missing", "reason")
    with pytest.raises(NotAllowed):
        lifecycle.advance(by=a_player(), competition=cup, to=to, reason="x")


def test_cancelling_closes_the_tables_nobody_has_begun_at(hand):
    cup = a_tournament(4, on_paper=False)
    hand.advance(hours=2)
    publishing.open_due_tables()
    lifecycle.advance(by=SITE, competition=cup, to="cancelled", reason="Dégât d'eau")
    assert {match.table.state for match in cup.matches.filter(table__isnull=False)} == {"closed"}


def test_a_drawn_tournament_starts_by_itself_shortly_before_its_time(hand):
    cup = in_state("closed")
    assert lifecycle.start_due() == 0
    hand.advance(hours=1, minutes=45)
    assert lifecycle.start_due() == 1
    assert lifecycle.start_due() == 0
    cup.refresh_from_db()
    assert cup.state == "running"
    assert cup.matches.filter(state="called").count() == 2


def test_without_auto_each_step_waits_for_the_organiser(hand):
    cup = a_tournament(4, state="closed", plan=a_plan(auto=False))
    draw.draw(by=SITE, competition=cup)
    hand.advance(hours=3)
    assert lifecycle.start_due() == 0


# --- making and changing ---------------------------------------------------------------------------------------------


def made(**changes):
    now = clock.now()
    values = {
        "by": SITE,
        "name": "Coupe d'automne",
        "plan": a_plan(),
        "regulations": regulations.freeze(code="cup"),
        "starts_at": now + timedelta(hours=3),
    }
    return tournaments.create_tournament(**{**values, **changes})


@pytest.mark.parametrize(
    ("plan", "code", "field"),
    [
        ({"kind": "ladder"}, "plan_kind", "kind"),
        ({}, "plan_kind", "kind"),
        ({"kind": "knockout", "cup": 1}, "plan_field", "cup"),
        ({"kind": "knockout", "best_of": {"final": 2}}, "best_of_even", "best_of"),
        ({"kind": "knockout", "best_of": {"moon": 1}}, "best_of_even", "best_of"),
        ({"kind": "knockout", "best_of": 3}, "best_of_even", "best_of"),
        ({"kind": "knockout", "pause_s": -1}, "plan_pause", "pause_s"),
        ({"kind": "knockout", "pause_s": "ten"}, "plan_type", "pause_s"),
        ({"kind": "knockout", "auto": 1}, "plan_type", "auto"),
        ({"kind": "knockout", "clubs": "loose"}, "plan_clubs", "clubs"),
        ({"kind": "groups_knockout"}, "plan_groups", "groups"),
        ({"kind": "groups_knockout", "groups": 17, "qualify": 1}, "plan_groups", "groups"),
        ({"kind": "groups_knockout", "groups": 1, "qualify": 1}, "plan_qualify", "qualify"),
        ({"kind": "groups_knockout", "groups": 2, "qualify": 9}, "plan_qualify", "qualify"),
        ({"kind": "groups_knockout", "groups": 2, "qualify": 2, "legs": 3}, "plan_legs", "legs"),
        ({"kind": "swiss"}, "plan_rounds", "rounds"),
        ({"kind": "swiss", "rounds": 21}, "plan_rounds", "rounds"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused_by_its_field(hand, plan, code, field):
    with pytest.raises(Refused) as error:
        made(plan=plan)
    assert (error.value.code, error.value.field) == (code, field)
    assert str(error.value.sentence)
    assert not Competition.objects.exists()


def test_a_plan_reads_back_what_it_wrote():
    plan = TournamentPlan("groups_knockout", groups=4, qualify=2, best_of={"group": 1, "knockout": 3, "final": 5})
    assert TournamentPlan.read(plan.to_json()) == plan
    assert TournamentPlan.read({"kind": "knockout", "best_of": {"final": 3}}).games("knockout", "final") == 3
    assert TournamentPlan.read({"kind": "knockout", "best_of": {"final": 3}}).games("knockout", "semi") == 1


@pytest.mark.parametrize(
    ("hours", "code", "field"),
    [
        ({"starts_at": -1}, "in_the_past", "starts_at"),
        ({"entries_close_at": -1}, "in_the_past", "entries_close_at"),
        ({"check_in_from": 1}, "check_in_end", "check_in_until"),
        ({"check_in_from": 2, "check_in_until": 1}, "dates_order", "check_in_until"),
        ({"check_in_from": 1, "check_in_until": 1}, "dates_order", "check_in_until"),
        ({"check_in_until": 4}, "dates_order", "starts_at"),
        ({"entries_close_at": 4}, "dates_order", "starts_at"),
        ({"entries_close_at": 2, "check_in_until": 1}, "dates_order", "check_in_until"),
    ],
)
def test_dates_lie_ahead_and_in_order(hand, hours, code, field):
    with pytest.raises(Refused) as error:
        made(**{name: clock.now() + timedelta(hours=number) for name, number in hours.items()})
    assert (error.value.code, error.value.field) == (code, field)


@pytest.mark.parametrize(("size", "code"), [(1, "size"), (129, "size"), (3, "size_below_plan")])
def test_the_size_fits_the_plan(hand, size, code):
    with pytest.raises(Refused) as error:
        made(plan=a_plan("groups_knockout"), size=size)
    assert (error.value.code, error.value.field) == (code, "size")


def test_only_who_organises_for_the_club_makes_and_changes_a_tournament(hand):
    club, organiser = a_club(), a_player("Organisatrice Une")
    clubs.join(by=organiser, club=club)
    with pytest.raises(NotAllowed):
        made(by=organiser, club=club)
    clubs.give_role(by=SITE, club=club, player=organiser, name="organiser")
    cup = made(by=organiser, club=club)
    assert tournaments.edit(by=organiser, competition=cup, name=" Coupe du nord ").name == "Coupe du nord"
    with pytest.raises(NotAllowed):
        tournaments.edit(by=a_player("Passant"), competition=cup, name="Coupe du sud")


def test_nobody_but_the_site_chooses_the_seed_of_the_lots(hand):
    club, organiser = a_club(), a_player("Organisatrice Une")
    clubs.join(by=organiser, club=club)
    clubs.give_role(by=SITE, club=club, player=organiser, name="organiser")
    assert made(by=organiser, club=club, lots_seed="mine").lots_seed != "mine"
    assert made(name="Coupe du site", lots_seed="demo").lots_seed == "demo"


def test_a_publication_needs_the_hour_of_the_first_round(hand):
    cup = made(starts_at=None)
    with pytest.raises(Refused) as error:
        lifecycle.advance(by=SITE, competition=cup, to="published")
    assert (error.value.code, error.value.field) == ("not_ready", "starts_at")


def test_it_is_changed_until_the_draw(hand):
    cup = a_tournament(4, state="closed")
    cup = tournaments.edit(by=SITE, competition=cup, plan=a_plan("swiss", rounds=2), size=8)
    draw.draw(by=SITE, competition=cup)
    with pytest.raises(Conflict) as error:
        tournaments.edit(by=SITE, competition=cup, size=6)
    assert error.value.code == "drawn"
    draw.discard(by=SITE, competition=cup)
    assert not Stage.objects.filter(competition=cup).exists()
    draw.discard(by=SITE, competition=cup)  # having nothing to undo is not an error
    assert tournaments.edit(by=SITE, competition=cup, size=6).size == 6
    with pytest.raises(TypeError):
        tournaments.edit(by=SITE, competition=cup, state="running")


# --- seeds and draw --------------------------------------------------------------------------------------------------


def test_seeds_by_hand_by_lots_and_by_rating(hand):
    cup = a_tournament(4, state="open")
    entries = list(cup.entries.order_by("pk"))
    order = [entries[2], entries[0], entries[3], entries[1]]
    assert [entry.pk for entry in seeding.seed(by=SITE, competition=cup, how="hand", order=order)] == [
        entry.pk for entry in order
    ]
    drawn = [entry.slug for entry in seeding.seed(by=SITE, competition=cup, how="lots")]
    assert drawn == [entry.slug for entry in seeding.seed(by=SITE, competition=cup, how="lots")]
    assert [entry.seed for entry in cup.entries.order_by("seed")] == [1, 2, 3, 4]
    rated = [entry.slug for entry in seeding.seed(by=SITE, competition=cup, how="rating")]
    assert rated == drawn  # no team has a rating yet, so lots decide
    for how, named, code in (("coin", None, "seeding"), ("hand", entries[:3], "bad_order")):
        with pytest.raises(Refused) as error:
            seeding.seed(by=SITE, competition=cup, how=how, order=named)
        assert error.value.code == code
    with pytest.raises(NotAllowed):
        seeding.seed(by=a_player(), competition=cup, how="lots")


def test_a_rated_pair_stands_before_an_unrated_one(hand):
    from ratings.services import rate_waiting
    from tock_league.competitions.selectors.entries.strength import strengths

    before = a_tournament(2, on_paper=False)
    hand.advance(hours=2)
    publishing.open_due_tables()
    from .world import play_match

    match = before.matches.get()
    winner = match.side_rows.get(position=1).entry.team
    play_match(match, 1)
    hand.advance(hours=1)
    rate_waiting(ladder_key="shawinigan:2")
    cup = a_tournament(0, state="open")
    fresh = registration.register(by=SITE, competition=cup, team=a_team("Nouvelle venue"))
    strong = registration.register(by=SITE, competition=cup, team=winner)
    found = strengths([fresh, strong])
    assert found[fresh.pk].score is None
    assert found[strong.pk].of_team
    assert found[strong.pk].provisional
    assert [entry.pk for entry in seeding.seed(by=SITE, competition=cup, how="rating")] == [strong.pk, fresh.pk]


def test_too_few_teams_for_the_plan_are_refused_with_what_would_fit(hand):
    cases = (
        (1, a_plan(), "too_few_entries", "entries"),
        (3, a_plan("groups_knockout"), "too_few_entries", "entries"),
        (5, a_plan("groups_knockout", groups=2, qualify=3), "too_few_entries", "entries"),
        (7, a_plan("groups_knockout", groups=3, qualify=2), "", ""),
        (4, a_plan("swiss", rounds=4), "too_many_rounds", "rounds"),
        (5, a_plan("swiss", rounds=5), "", ""),
    )
    for teams, plan, code, field in cases:
        cup = a_tournament(teams, plan=plan, state="closed")
        if not code:
            assert draw.draw(by=SITE, competition=cup)
            continue
        with pytest.raises(Refused) as error:
            draw.draw(by=SITE, competition=cup)
        assert (error.value.code, error.value.field) == (code, field)
        assert not Stage.objects.filter(competition=cup).exists()


@pytest.mark.parametrize(
    "state", ["draft", "published", "open", "running", "finished", "cancelled", "suspended", "archived"]
)
def test_only_a_closed_tournament_is_drawn_and_undrawn(hand, state):
    cup = in_state(state)
    for action in (draw.draw, draw.discard):
        with pytest.raises(Conflict) as error:
            action(by=SITE, competition=cup)
        assert error.value.details["state"] == state


def test_two_clicks_on_the_draw_make_one(hand):
    cup = in_state("closed")
    before = list(Match.objects.values_list("pk", flat=True))
    with pytest.raises(Conflict) as error:
        draw.draw(by=SITE, competition=cup)
    assert error.value.code == "drawn"
    assert list(Match.objects.values_list("pk", flat=True)) == before


# --- the states of an entry and of a match ---------------------------------------------------------------------------


@pytest.mark.parametrize("state", Entry.State.values)
def test_an_entry_takes_only_the_listed_steps(hand, state):
    cup = a_tournament(1, state="open")
    entry = cup.entries.get()
    for to in Entry.State.values:
        Entry.objects.filter(pk=entry.pk).update(state=state)
        entry.refresh_from_db()
        if to in entry_states.TRANSITIONS[state]:
            assert entry_states.move(entry, to).state == to
            continue
        with pytest.raises(Conflict) as error:
            entry_states.move(entry, to)
        assert error.value.details == {"state": state, "allowed": list(entry_states.TRANSITIONS[state])}


def test_a_match_goes_from_waiting_to_its_result(hand):
    cup = a_tournament(4, on_paper=False, state="closed")
    draw.draw(by=SITE, competition=cup)
    final = cup.matches.get(label="final")
    semis = cup.matches.filter(label="semi")
    assert (final.state, {semi.state for semi in semis}) == ("waiting", {"ready"})
    lifecycle.advance(by=SITE, competition=cup, to="running")
    assert {semi.state for semi in semis.all()} == {"scheduled"}
    hand.advance(hours=1, minutes=45)
    publishing.open_due_tables()
    assert {semi.state for semi in semis.all()} == {"called"}
    play_on(cup, matches=1)
    final.refresh_from_db()
    assert final.state == "waiting"
    play_on(cup, matches=1)
    final.refresh_from_db()
    assert final.state == "called"
    assert {semi.state for semi in semis.all()} == {"confirmed"}
    assert opening.call(cup, final, at=clock.now()) is False  # called already


@pytest.mark.parametrize(("on_paper", "state"), [(True, "called"), (False, "scheduled")])
def test_a_match_is_moved_once_its_round_is_open(hand, on_paper, state):
    cup = a_tournament(4, on_paper=on_paper)
    later = clock.now() + timedelta(hours=5)
    semi = cup.matches.filter(label="semi").first()
    assert schedule.move(by=SITE, match=semi, starts_at=later).state == state
    final = cup.matches.get(label="final")
    with pytest.raises(Conflict) as error:
        schedule.move(by=SITE, match=final, starts_at=later)
    assert (error.value.code, error.value.details) == ("match_begun", {"state": "waiting"})


def test_the_pause_lies_between_the_rounds(hand):
    cup = a_tournament(4, plan=a_plan(pause_s=3600), on_paper=False)
    hand.advance(hours=2)
    publishing.open_due_tables()
    play_on(cup, matches=2)
    final = cup.matches.get(label="final")
    assert (final.state, final.starts_at) == ("scheduled", clock.now() + timedelta(hours=1))
    assert publishing.open_due_tables() == 0
    hand.advance(minutes=45)
    assert publishing.open_due_tables() == 2
    final.refresh_from_db()
    assert final.state == "called"


def test_the_beat_closes_entries_and_check_in_once(hand):
    cup = a_tournament(3, state="open", check_in=True)
    hand.advance(hours=2)
    assert checkin.close_due() == 2
    assert checkin.close_due() == 0
    cup.refresh_from_db()
    assert cup.state == "closed"
    assert {entry.state for entry in cup.entries.all()} == {"dropped"}
