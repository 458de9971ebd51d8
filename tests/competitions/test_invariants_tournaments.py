"""The invariants of tournaments, each once: a raw insert that must fail, and a similar one that must succeed."""

from datetime import timedelta

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.competitions.models import (
    BracketEdge,
    CheckIn,
    Competition,
    CompetitionRole,
    Entry,
    Match,
    Meeting,
    PairingRun,
    Round,
    StageInput,
    StandingOverride,
)
from tock_league.competitions.services.rounds import draw

from .test_invariants import put, refused
from .world import START, a_plan, a_player, a_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(hand):
    """Five teams drawn in a knockout, not started."""
    made = a_tournament(5, state="closed")
    draw.draw(by=SITE, competition=made)
    return made


@pytest.fixture
def grouped(hand):
    """Five teams in two groups whose winners meet, not started."""
    made = a_tournament(5, state="closed", plan=a_plan("groups_knockout", groups=2, qualify=1))
    draw.draw(by=SITE, competition=made)
    return made


def test_i04_a_tournament_has_two_places_and_a_check_in_that_ends(hand):
    known = a_tournament(0, state="draft")
    common = {
        "kind": "tournament",
        "regulations": known.regulations,
        "rules": "shawinigan/1",
        "name": "Coupe",
        "lots_seed": "s",
    }
    with refused("I04_size"):
        put(Competition, slug="a", size=1, **common)
    with refused("I04_seeding"):
        put(Competition, slug="b", seeding="coin", **common)
    with refused("I04_check_in_ends_after_it_opens"):
        put(Competition, slug="c", check_in_from=START, check_in_until=START, **common)
    put(Competition, slug="d", size=2, seeding="lots", **common)
    put(Competition, slug="e", check_in_from=START, check_in_until=START + timedelta(minutes=1), **common)


def test_i06_a_final_rank_counts_from_one(cup):
    entry = cup.entries.first()
    with refused("I06_rank_from_1"):
        Entry.objects.filter(pk=entry.pk).update(final_rank=0)
    Entry.objects.filter(pk=entry.pk).update(final_rank=1)


def test_i08_a_player_checks_in_once_in_a_phase(cup):
    one, other = cup.entries.all()[:2]
    player = one.roster.first().player
    put(CheckIn, competition=cup, entry=one, player=player, at=START)
    with refused("I08_checked_in_once"):
        put(CheckIn, competition=cup, entry=other, player=player, at=START)
    put(CheckIn, competition=cup, entry=one, player=player, phase="round-1", at=START)
    put(CheckIn, competition=cup, entry=one, player=one.roster.last().player, at=START)


def test_i10_a_slot_has_one_source_from_an_earlier_stage(grouped):
    pool, bracket = grouped.stages.order_by("ordinal")
    group = pool.groups.get(ordinal=1)
    entry = grouped.entries.first()
    at = {"stage": bracket, "stage_ordinal": 2}
    fed = {"source_group": group, "source_ordinal": 1}
    with refused("I10_one_source"):
        put(StageInput, slot=9, **at)
    with refused("I10_one_source"):
        put(StageInput, slot=9, entry=entry, rank=2, **fed, **at)
    with refused("I10_one_source"):
        put(StageInput, slot=9, rank=None, **fed, **at)
    with refused("I10_one_source"):
        put(StageInput, slot=9, rank=0, **fed, **at)
    with refused("I10_earlier_stage"):
        put(StageInput, slot=9, source_group=group, source_ordinal=2, rank=2, **at)
    with refused("I10_slot_once"):
        put(StageInput, slot=1, rank=2, **fed, **at)
    with refused("I10_rank_once"):
        put(StageInput, slot=9, rank=1, **fed, **at)
    with refused("I10_one_source"):
        put(StageInput, slot=9, rank=2, best=1, **fed, **at)
    with refused("I10_one_source"):
        put(StageInput, slot=9, rank=2, best=0, source_ordinal=1, **at)
    put(StageInput, slot=12, rank=2, best=1, source_ordinal=1, **at)
    with refused("I10_best_once"):
        put(StageInput, slot=13, rank=2, best=1, source_ordinal=1, **at)
    put(StageInput, slot=9, rank=2, **fed, **at)
    put(StageInput, slot=10, entry=entry, **at)
    with refused("I10_entry_once"):
        put(StageInput, slot=11, entry=entry, **at)


def test_i10_a_seat_is_filled_from_one_slot(grouped):
    bracket = grouped.stages.get(ordinal=2)
    known = bracket.inputs.get(slot=1)
    other = grouped.entries.first()
    with refused("I10_seat_once"):
        put(
            StageInput,
            stage=bracket,
            stage_ordinal=2,
            slot=9,
            entry=other,
            match=known.match,
            position=known.position,
        )
    with refused("I10_seat_whole"):
        put(StageInput, stage=bracket, stage_ordinal=2, slot=9, entry=other, match=known.match)
    put(StageInput, stage=bracket, stage_ordinal=2, slot=9, entry=other, match=known.match, position=5)


def test_i11_edges_lead_forwards_and_feed_a_seat_once(cup):
    edge = BracketEdge.objects.filter(from_match__competition=cup, outcome="winner").first()
    final = cup.matches.get(label="final")
    source = {"from_match": edge.from_match, "from_no": 1, "to_no": 9}
    with refused("I11_goes_to_one_place"):
        put(BracketEdge, outcome="winner", to_match=final, to_position=5, **source)
    with refused("I11_seat_fed_once"):
        put(
            BracketEdge,
            from_match=final,
            outcome="loser",
            to_match=edge.to_match,
            to_position=edge.to_position,
            from_no=1,
            to_no=9,
        )
    with refused("I11_forwards"):
        put(BracketEdge, from_match=final, outcome="loser", to_match=final, to_position=6, from_no=9, to_no=9)
    with refused("I11_outcome"):
        put(BracketEdge, from_match=final, outcome="tie", to_match=final, to_position=6, from_no=8, to_no=9)
    put(BracketEdge, from_match=final, outcome="loser", to_match=final, to_position=6, from_no=8, to_no=9)


def test_i13_labels_are_known(cup):
    made = cup.matches.first().round
    with refused("I13_label"):
        put(Match, slug="m1", competition=cup, round=made, number=90, label="last")
    put(Match, slug="m2", competition=cup, round=made, number=90, label="semi", state="waiting")


def test_i16_two_entries_meet_once_unless_it_is_waived(cup):
    made = cup.matches.first().round
    low, high = cup.entries.order_by("pk")[:2]
    at = {"stage": made.group.stage, "round": made}
    put(Meeting, low=low, high=high, **at)
    with refused("I16_met_once"):
        put(Meeting, low=low, high=high, **at)
    with refused("I16_low_before_high"):
        put(Meeting, low=high, high=low, leg=2, **at)
    put(Meeting, low=low, high=high, waiver="no_show", **at)
    put(Meeting, low=low, high=high, leg=2, **at)


def test_i18_a_round_is_published_once(cup):
    made = cup.matches.first().round
    run = {"round": made, "engine": "swiss/1", "seed": "s", "inputs": {}, "inputs_hash": "h", "certificate": {}}
    put(PairingRun, state="published", published_at=START, **run)
    with refused("I18_published_once"):
        put(PairingRun, state="published", published_at=START, **run)
    with refused("I18_published_is_dated"):
        put(PairingRun, state="published", **{**run, "round": Round.objects.exclude(pk=made.pk).first()})
    with refused("I18_state"):
        put(PairingRun, state="lost", **run)
    put(PairingRun, state="draft", **run)
    put(PairingRun, state="discarded", **run)


def test_i27_an_order_is_settled_in_a_known_way_with_a_reason(cup):
    group = cup.stages.get().groups.get()
    one, other = cup.entries.all()[:2]
    row = {"group": group, "how": "lots", "reason": "@lots", "at": START}
    put(StandingOverride, entry=one, place=1, **row)
    with refused("I27_entry_once"):
        put(StandingOverride, entry=one, place=2, **row)
    with refused("I27_place_once"):
        put(StandingOverride, entry=other, place=1, **row)
    with refused("I27_how"):
        put(StandingOverride, entry=other, place=2, **{**row, "how": "coin"})
    with refused("I27_reason"):
        put(StandingOverride, entry=other, place=2, **{**row, "reason": ""})
    put(StandingOverride, entry=other, place=2, **row)


def test_an_office_is_held_once_and_ends_after_it_began(cup):
    player = a_player()
    office = {"competition": cup, "player": player, "since": START}
    put(CompetitionRole, name="referee", **office)
    with refused("competition_role_held_once"):
        put(CompetitionRole, name="referee", **office)
    with refused("competition_role_name"):
        put(CompetitionRole, name="king", **office)
    with refused("competition_role_ends_after_start"):
        put(CompetitionRole, name="referee", until=START - timedelta(days=1), **office)
    put(CompetitionRole, name="referee", until=START, **office)
    put(CompetitionRole, name="head_referee", **office)
