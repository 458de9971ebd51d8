"""Withdrawal, disqualification, no-show, forfeit and double forfeit: five facts, and the effect of each in each
format."""

import pytest
from django.utils import translation

from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.models import Entry, ResultVersion
from tock_league.competitions.selectors.changes.observed import difference, observe
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.selectors.results.effective import effective_of
from tock_league.competitions.selectors.results.fact_words import fact_words
from tock_league.competitions.services.entries import withdrawals
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.rounds import publishing
from tock_league.competitions.services.seasons import roles
from tock_league.journal.models import JournalEntry

from .world import a_league, a_plan, a_player, a_tournament, decide, first_match, play_on, under_way

pytestmark = pytest.mark.django_db
GROUP_OF_FOUR = a_plan("groups_knockout", groups=1, qualify=2)


def seeded(competition, seed):
    return competition.entries.get(seed=seed)


def points(group):
    return {place.entry_id: place.points for place in standings.order(group)}


def group_of(competition):
    return standings.groups_with_tables(competition).first()


def own_matches(entry):
    return [
        side.match for side in entry.side_rows.filter(kind="seat").select_related("match").order_by("round__number")
    ]


def facts(entry):
    return [effective_of(match).fact for match in own_matches(entry) if match.versions.exists()]


# --- withdrawal ------------------------------------------------------------------------------------------------------


def test_in_a_group_before_half_all_matches_are_void_and_the_withdrawn_team_is_not_in_the_table(hand):
    cup = a_tournament(4, plan=GROUP_OF_FOUR)
    play_on(cup, matches=2)
    gone = seeded(cup, 1)
    withdrawals.withdraw(by=SITE, entry=gone, reason="voiture en panne")
    assert facts(gone) == ["void"] * 3
    rows = standings.table(cup, group=group_of(cup))
    assert gone not in [row.entry for row in rows]
    assert sorted(row.points for row in rows) == ["0", "0", "2"]
    gone.refresh_from_db()
    assert (gone.state, gone.reason) == ("withdrawn", "voiture en panne")


def test_in_a_group_after_half_the_rest_is_forfeited_and_the_table_puts_him_last(hand):
    cup = a_tournament(4, plan=GROUP_OF_FOUR)
    play_on(cup, matches=4)
    gone = seeded(cup, 1)
    withdrawals.withdraw(by=SITE, entry=gone, reason="voiture en panne")
    assert facts(gone) == ["adjudicated", "adjudicated", "withdrawal"]
    rows = standings.table(cup, group=group_of(cup))
    assert (rows[-1].entry, rows[-1].points) == (gone, "4")
    with translation.override("en"):
        assert str(rows[-2].separated_by) == "still in the competition"
    play_on(cup)
    cup.refresh_from_db()
    assert cup.state == "finished"
    assert seeded(cup, 2).final_rank == 1


def test_in_a_swiss_the_open_match_is_forfeited_and_the_team_is_not_paired_again(hand):
    cup = a_tournament(5, plan=a_plan("swiss", rounds=3))
    match = under_way(cup)[0]
    gone = match.side_rows.get(position=0).entry
    withdrawals.withdraw(by=SITE, entry=gone, reason="malade")
    match.refresh_from_db()
    assert (match.state, effective_of(match).winner, effective_of(match).fact) == ("awarded", 1, "withdrawal")
    play_on(cup)
    cup.refresh_from_db()
    assert cup.state == "finished"
    assert len(own_matches(gone)) == 1
    assert standings.table(cup, group=group_of(cup))[-1].entry == gone


def test_in_a_knockout_the_opponent_walks_over(hand):
    cup = a_tournament(4)
    match = cup.matches.filter(label="semi").first()
    gone = match.side_rows.get(position=0).entry
    withdrawals.withdraw(by=SITE, entry=gone, reason="malade")
    match.refresh_from_db()
    assert (match.state, effective_of(match).winner) == ("awarded", 1)
    assert cup.matches.get(label="final").side_rows.filter(entry=match.side_rows.get(position=1).entry).exists()
    # The match for third place against him is not played either.
    play_on(cup)
    third = cup.matches.get(label="third_place")
    assert (third.state, effective_of(third).fact) == ("awarded", "withdrawal")
    cup.refresh_from_db()
    assert cup.state == "finished"


def test_in_a_knockout_the_opponent_who_is_not_known_yet_walks_over_when_he_comes(hand):
    cup = a_tournament(4)
    first, second = cup.matches.filter(label="semi").order_by("number")
    decide(first, 0)
    final = cup.matches.get(label="final")
    finalist = first.side_rows.get(position=0).entry
    withdrawals.withdraw(by=SITE, entry=finalist, reason="malade")
    final.refresh_from_db()
    assert final.state == "waiting"
    decide(second, 1)
    final.refresh_from_db()
    assert (final.state, effective_of(final).fact) == ("awarded", "withdrawal")
    champion = second.side_rows.get(position=1).entry
    play_on(cup)
    champion.refresh_from_db()
    assert champion.final_rank == 1


def test_two_who_have_left_meet_in_a_double_forfeit_and_the_next_one_walks_over(hand):
    cup = a_tournament(4)
    first, second = cup.matches.filter(label="semi").order_by("number")
    for side in first.side_rows.all():
        withdrawals.withdraw(by=SITE, entry=side.entry, reason="panne")
    assert effective_of(first).fact == "withdrawal"  # the second one withdrew when the match was already won
    decide(second, 0)
    final, third = cup.matches.get(label="final"), cup.matches.get(label="third_place")
    assert (final.state, third.state) == ("awarded", "awarded")
    cup.refresh_from_db()
    assert cup.state == "finished"
    assert (
        second.side_rows.get(position=0).entry.__class__.objects.get(final_rank=1)
        == second.side_rows.get(position=0).entry
    )


def test_a_group_whose_teams_have_all_left_feeds_nobody_and_the_bracket_walks_on(hand):
    cup = a_tournament(4, plan=a_plan("groups_knockout", groups=2, qualify=1))
    groups = list(standings.groups_with_tables(cup))
    for place in standings.order(groups[0]):
        withdrawals.withdraw(by=SITE, entry=Entry.objects.get(pk=place.entry_id), reason="panne")
    play_on(cup)
    cup.refresh_from_db()
    assert cup.state == "finished"
    champion = cup.entries.get(final_rank=1)
    assert champion.pk in {place.entry_id for place in standings.order(groups[1])}


def test_withdrawing_from_an_open_table_closes_it(hand):
    cup = a_tournament(4, on_paper=False)
    hand.advance(hours=1, minutes=50)
    publishing.open_due_tables()
    match = under_way(cup)[0]
    withdrawals.withdraw(by=SITE, entry=match.side_rows.get(position=1).entry, reason="malade")
    match.refresh_from_db()
    assert (match.state, match.table.state) == ("awarded", "closed")


# --- who may, and when -----------------------------------------------------------------------------------------------


def test_captains_withdraw_their_own_and_head_referees_disqualify(hand):
    cup = a_tournament(4)
    one, other = seeded(cup, 1), seeded(cup, 2)
    captain = one.roster.get(slot=1).player
    with pytest.raises(NotAllowed):
        withdrawals.withdraw(by=captain, entry=other, reason="non")
    with pytest.raises(NotAllowed):
        withdrawals.disqualify(by=captain, entry=other, reason="non")
    withdrawals.withdraw(by=captain, entry=one, reason="malade")
    referee, head = a_player("Arbitre Un"), a_player("Juge Deux")
    roles.give(by=SITE, competition=cup, player=referee, name="referee")
    roles.give(by=SITE, competition=cup, player=head, name="head_referee")
    with pytest.raises(NotAllowed):
        withdrawals.disqualify(by=referee, entry=other, reason="triche")
    withdrawals.disqualify(by=head, entry=other, reason="triche")
    other.refresh_from_db()
    assert other.state == "disqualified"


def test_leaving_is_idempotent_and_needs_a_reason_and_a_draw(hand):
    cup = a_tournament(4)
    gone = seeded(cup, 1)
    with pytest.raises(Refused) as error:
        withdrawals.withdraw(by=SITE, entry=gone, reason=" ")
    assert error.value.field == "reason"
    withdrawals.withdraw(by=SITE, entry=gone, reason="malade")
    count = (ResultVersion.objects.count(), JournalEntry.objects.count())
    withdrawals.withdraw(by=SITE, entry=gone, reason="malade")
    assert (ResultVersion.objects.count(), JournalEntry.objects.count()) == count
    with pytest.raises(Conflict):
        withdrawals.disqualify(by=SITE, entry=gone, reason="triche")
    early = a_tournament(4, state="closed")
    with pytest.raises(Conflict) as error:
        withdrawals.withdraw(by=SITE, entry=early.entries.first(), reason="malade")
    assert error.value.code == "not_drawn"


def test_control_characters_and_long_reasons_are_refused_and_nothing_is_written(hand):
    cup = a_tournament(4)
    for reason in ("a\x00b", "x" * 500, "<b>triche</b>"):
        with pytest.raises(Refused) as error:
            withdrawals.withdraw(by=SITE, entry=seeded(cup, 1), reason=reason)
        assert error.value.field == "reason"
    assert seeded(cup, 1).state == "playing"
    assert not ResultVersion.objects.exists()


# --- one match -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "fact", "words"),
    [
        (lambda m: withdrawals.no_show(by=SITE, match=m, position=0, reason="absents"), "no_show", "opponent did not come"),
        (lambda m: withdrawals.forfeit(by=SITE, match=m, position=0, reason="déclaré"), "walkover", "forfeit before play"),
        (lambda m: settlement.award(by=SITE, match=m, winner=1, reason="absents"), "no_show", "opponent did not come"),
        (lambda m: settlement.award(by=SITE, match=m, winner=None, reason="personne"), "double_forfeit",
         "double forfeit: nobody wins"),
    ],
    ids=["no-show", "forfeit", "award", "double forfeit"],
)  # fmt: skip
def test_each_fact_has_its_name_its_points_and_its_tie_breaks(hand, act, fact, words):
    league = a_league(2)
    match = first_match(league)
    act(match)
    match.refresh_from_db()
    made = effective_of(match)
    with translation.override("en"):
        assert (match.state, made.fact, str(fact_words(made))) == ("awarded", fact, words)
    rows = standings.table(league)
    assert [row.points for row in rows] == (["0", "0"] if fact == "double_forfeit" else ["2", "0"])
    assert all(row.margin == "0" for row in rows)
    assert all(meeting.played is False for row in rows for meeting in row.row.meetings)
    assert rows[-1].row.meetings[0].voluntary


def test_a_captain_forfeits_his_own_side_only(hand):
    match = first_match(a_league(2))
    captain = match.side_rows.get(position=0).entry.roster.get(slot=1).player
    with pytest.raises(NotAllowed):
        withdrawals.forfeit(by=captain, match=match, position=1, reason="non")
    with pytest.raises(NotAllowed):
        withdrawals.no_show(by=captain, match=match, position=1, reason="non")
    withdrawals.forfeit(by=captain, match=match, position=0, reason="malade")
    match.refresh_from_db()
    assert match.state == "awarded"
    with pytest.raises(Conflict):
        withdrawals.forfeit(by=SITE, match=match, position=1, reason="non")


@pytest.mark.parametrize("position", [2, -1])
def test_a_position_that_does_not_exist_is_refused(hand, position):
    with pytest.raises(Refused) as error:
        withdrawals.no_show(by=SITE, match=first_match(a_league(2)), position=position, reason="absents")
    assert error.value.field == "position"


def test_a_match_whose_teams_are_not_known_is_not_awarded(hand):
    cup = a_tournament(4)
    with pytest.raises(Conflict) as error:
        settlement.award(by=SITE, match=cup.matches.get(label="final"), winner=0, reason="absents")
    assert error.value.code == "match_waiting"


def test_an_organiser_who_plays_in_the_match_does_not_award_it(hand):
    cup = a_tournament(4)
    match = under_way(cup)[0]
    player = match.side_rows.get(position=0).entry.roster.get(slot=2).player
    roles.give(by=SITE, competition=cup, player=player, name="organiser")
    with pytest.raises(NotAllowed):
        settlement.award(by=player, match=match, winner=0, reason="absents")
    settlement.award(by=player, match=under_way(cup)[1], winner=0, reason="absents")


# --- the preview -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["withdrawal", "disqualification"])
@pytest.mark.parametrize("played", [2, 4])
def test_the_preview_of_a_withdrawal_agrees_with_its_effects(hand, how, played):
    cup = a_tournament(4, plan=GROUP_OF_FOUR)
    play_on(cup, matches=played)
    gone = seeded(cup, 1)
    shown = withdrawals.preview(by=SITE, entry=gone, how=how)
    assert {row.kind for row in shown.rows} >= {"result", "entry"}
    before = observe(cup)
    leave = withdrawals.withdraw if how == "withdrawal" else withdrawals.disqualify
    with pytest.raises(Conflict) as error:
        leave(by=SITE, entry=gone, reason="malade", digest="0" * 64)
    assert error.value.code == "preview_moved"
    assert seeded(cup, 1).state == "playing"
    assert not difference(before, observe(cup), clock.now())
    leave(by=SITE, entry=gone, reason="malade", digest=shown.digest)
    assert difference(before, observe(cup), clock.now()) == shown.facts


def test_the_preview_writes_nothing_and_knows_two_ways_to_leave(hand):
    cup = a_tournament(4)
    count = JournalEntry.objects.count()
    withdrawals.preview(by=SITE, entry=seeded(cup, 1), how="withdrawal")
    assert (JournalEntry.objects.count(), seeded(cup, 1).state) == (count, "playing")
    with pytest.raises(Refused):
        withdrawals.preview(by=SITE, entry=seeded(cup, 1), how="holiday")
