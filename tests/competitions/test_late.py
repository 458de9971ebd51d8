"""Teams that the desk enters after the start of a Swiss tournament, and takes back; the rules of every late entry."""

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.common import canonical, clock
from tock_league.common.errors import Conflict, NotAllowed
from tock_league.competitions.models import Entry, RosterSpot
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.services.entries import checkin, late, registration, returning, withdrawals
from tock_league.competitions.services.rounds import draw
from tock_league.competitions.services.seasons import lifecycle, roles

from .late_world import entered, journal, next_round, refusal, swiss, taken_back
from .onlooker import changed, seen, told
from .world import a_plan, a_player, a_team, a_tournament, play_on, under_way

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("points", "kind", "worth"), [("loss", "absence", 0), ("tie", "requested_bye", 1)])
def test_a_late_team_has_the_last_seed_its_points_and_is_paired_in_the_next_round(hand, points, kind, worth):
    cup = swiss(late_points=points)
    entry = entered(cup)
    assert (entry.state, entry.seed) == ("playing", 5)
    assert [(side.kind, side.round.number) for side in entry.side_rows.all()] == [(kind, 1)]
    assert len(under_way(cup)) == 2  # the round that was called stays
    line = next(line for line in standings.table(cup) if line.entry == entry)
    assert (line.row.points.value, line.row.played) == (worth, 0)
    play_on(cup)
    next_round(cup)
    assert entry.side_rows.filter(round__number=2).exclude(kind__in=("absence", "requested_bye")).exists()
    play_on(cup)
    next_round(cup)
    play_on(cup)
    assert cup.matches.filter(state="confirmed").count() == 2 + 2 + 2
    lifecycle.advance(by=SITE, competition=cup, to="finished")
    entry.refresh_from_db()
    assert entry.final_rank is not None


def test_the_preview_is_what_an_onlooker_sees_and_the_journal_knows_it(hand):
    cup = swiss()
    team, before = a_team("Retardataires"), seen(cup)
    shown = late.preview(by=SITE, competition=cup, team=team)
    assert not changed(before, seen(cup))
    assert [row.label for row in shown.rows if row.kind == "entry"] == ["Retardataires"]
    entry = late.enter_late(by=SITE, competition=cup, team=team, digest=shown.digest)
    assert canonical.utf8(changed(before, seen(cup))) == canonical.utf8(told(shown.facts, clock.now()))
    (body,) = journal(cup, "entry.late")
    assert (body["entry"], body["missed"], len(body["players"])) == (entry.slug, 1, 2)


def test_another_preview_is_not_the_one_that_was_seen(hand):
    cup = swiss()
    team, other = a_team("Retardataires"), a_team("Autres")
    shown = late.preview(by=SITE, competition=cup, team=other)
    with pytest.raises(Conflict) as error:
        late.enter_late(by=SITE, competition=cup, team=team, digest=shown.digest)
    assert error.value.code == "preview_moved"
    assert not Entry.objects.filter(team=team).exists()


def test_a_round_that_is_called_meanwhile_changes_the_preview(hand):
    cup = swiss(late_rounds=2)
    team = a_team("Retardataires")
    shown = late.preview(by=SITE, competition=cup, team=team)
    play_on(cup)
    next_round(cup)
    with pytest.raises(Conflict) as error:
        late.enter_late(by=SITE, competition=cup, team=team, digest=shown.digest)
    assert error.value.code == "preview_moved"
    assert entered(cup, team).late.missed == 2


def test_it_may_miss_as_many_rounds_as_the_plan_says(hand):
    team = a_team("Retardataires")
    none = swiss(late_rounds=0)
    assert refusal(none, team) == ("late_rounds", "team")
    cup = swiss(late_rounds=1)
    play_on(cup)
    next_round(cup)
    assert refusal(cup, team) == ("late_rounds", "team")
    short = swiss(rounds=1, late_rounds=3)
    assert refusal(short, team) == ("late_over", "team")


def test_a_knockout_takes_no_late_team_and_a_tournament_only_while_it_is_under_way(hand):
    team = a_team("Retardataires")
    assert refusal(a_tournament(4), team) == ("late_knockout", "team")
    for state in ("open", "closed", "finished"):
        cup = a_tournament(4, state=state, plan=a_plan("swiss", rounds=3))
        with pytest.raises(Conflict) as error:
            late.preview(by=SITE, competition=cup, team=team)
        assert error.value.code == "state"
    drawn = a_tournament(4, state="closed", plan=a_plan("swiss", rounds=3))
    draw.draw(by=SITE, competition=drawn)
    with pytest.raises(Conflict):
        late.preview(by=SITE, competition=drawn, team=team)
    stopped = swiss()
    lifecycle.advance(by=SITE, competition=stopped, to="suspended", reason="Panne")
    assert entered(stopped, team).state == "playing"


def test_the_rules_of_every_entry_hold(hand):
    cup = swiss(size=5)
    inside = cup.entries.get(seed=1)
    assert refusal(cup, inside.team) == ("I06", "team")
    assert refusal(cup, a_team("À trois", size=3)) == ("side_size", "team")
    shared = a_team("Partagée")
    shared.spells.filter(slot=2).update(player=inside.roster.get(slot=1).player)
    assert refusal(cup, shared) == ("I07", "team")
    short = a_team("Incomplète")
    short.spells.filter(slot=2).update(left=clock.now())
    assert refusal(cup, short) == ("team_size", "team")
    gone = a_team("Dissoute")
    clubs.dissolve(by=SITE, team=gone)
    gone.refresh_from_db()
    assert refusal(cup, gone) == ("team_dissolved", "team")
    entered(cup)
    assert refusal(cup, a_team("De trop")) == ("full", "team")
    withdrawals.withdraw(by=SITE, entry=inside, reason="Grippe")
    assert refusal(cup, inside.team) == ("bring_back", "team")
    assert entered(cup, a_team("À sa place")).seed == 6


def test_a_disqualified_team_is_not_entered_again(hand):
    cup = swiss()
    entry = cup.entries.get(seed=2)
    withdrawals.disqualify(by=SITE, entry=entry, reason="Tricherie")
    assert refusal(cup, entry.team) == ("I06", "team")


def test_only_organisers_enter_late_teams_and_take_them_back(hand):
    cup = swiss()
    team = a_team("Retardataires")
    referee, organiser = a_player("Lise Caron"), a_player("Marc Villemure")
    roles.give(by=SITE, competition=cup, player=referee, name="referee")
    roles.give(by=SITE, competition=cup, player=organiser, name="organiser")
    captain = team.spells.get(slot=1).player
    for by in (None, captain, referee):
        with pytest.raises(NotAllowed):
            late.preview(by=by, competition=cup, team=team)
    entry = entered(cup, team, by=organiser)
    for by in (None, captain, referee):
        with pytest.raises(NotAllowed):
            late.preview_take_back(by=by, entry=entry)
    taken_back(entry, by=organiser)


def test_an_entry_that_is_taken_back_leaves_nothing_but_the_journal(hand):
    cup = swiss()
    team, before = a_team("Retardataires"), seen(cup)
    entry = entered(cup, team)
    slug = entry.slug
    taken_back(entry)
    assert changed(before, seen(cup)) == {}
    assert not Entry.objects.filter(slug=slug).exists()
    assert not RosterSpot.objects.filter(player__in=team.spells.values("player")).exists()
    assert [body["entry"] for body in journal(cup, "entry.late_taken_back")] == [slug]
    assert entered(cup, team).slug == slug  # whoever enters a team twice gets no other lots


@pytest.mark.parametrize("how", ["dropped", "refused", "withdrawn"])
def test_an_entry_from_before_the_draw_plays_after_all_and_is_restored_by_the_take_back(hand, how):
    cup = a_tournament(4, state="closed", check_in=how == "dropped", plan=a_plan("swiss", rounds=3, auto=False))
    entry = cup.entries.order_by("pk").first()
    if how == "dropped":
        for other in cup.entries.exclude(pk=entry.pk):
            for spot in other.roster.all():
                hand.set(max(clock.now(), cup.check_in_from))
                checkin.check_in(by=SITE, entry=other, player=spot.player)
        checkin.close(by=SITE, competition=cup)
    elif how == "refused":
        registration.refuse(by=SITE, entry=entry, reason="Sans réponse")
    else:
        registration.withdraw_before_draw(by=SITE, entry=entry, reason="Grippe")
    draw.draw(by=SITE, competition=cup)
    lifecycle.advance(by=SITE, competition=cup, to="running")
    entry.refresh_from_db()
    was, before = (entry.state, entry.reason, entry.seed, entry.queued_at), seen(cup)
    assert was[0] == how
    made = entered(cup, entry.team)
    assert (made.pk, made.state, made.reason) == (entry.pk, "playing", "")
    assert made.roster.filter(left__isnull=True).count() == 2
    taken_back(made)
    entry.refresh_from_db()
    assert (entry.state, entry.reason, entry.seed, entry.queued_at) == was
    assert changed(before, seen(cup)) == {}
    assert entry.roster.filter(left__isnull=True).exists() == (how == "dropped")


def test_a_team_that_is_paired_is_not_taken_back_and_others_did_not_come_late(hand):
    cup = swiss()
    entry = entered(cup)
    play_on(cup)
    next_round(cup)
    with pytest.raises(Conflict) as paired:
        late.preview_take_back(by=SITE, entry=entry)
    assert paired.value.code == "paired"
    with pytest.raises(Conflict) as other:
        late.preview_take_back(by=SITE, entry=cup.entries.get(seed=1))
    assert other.value.code == "not_late"


def test_a_late_team_that_withdraws_is_brought_back_like_any_other(hand):
    cup = swiss()
    entry = entered(cup)
    withdrawals.withdraw(by=SITE, entry=entry, reason="Grippe")
    with pytest.raises(Conflict) as error:
        late.preview_take_back(by=SITE, entry=entry)
    assert error.value.code == "entry_state"
    shown = returning.preview(by=SITE, entry=entry)
    assert returning.bring_back(by=SITE, entry=entry, reason="Erreur", digest=shown.digest).state == "playing"
    taken_back(entry)


def test_a_tournament_that_waited_for_a_team_goes_on(hand):
    """Three teams meet in three rounds; a fourth cannot be paired for want of opponents, until a late team comes."""
    cup = swiss(4, rounds=3, auto=True, late_rounds=3)
    for seed in (2, 3):
        withdrawals.withdraw(by=SITE, entry=cup.entries.get(seed=seed), reason="Grippe")
    play_on(cup)
    cup.refresh_from_db()
    assert cup.state == "running"
    before = cup.matches.count()
    entry = entered(cup)
    assert cup.matches.count() >= before
    assert entry.side_rows.exists()
