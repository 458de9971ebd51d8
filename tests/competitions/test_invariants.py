"""Each invariant once: a raw insert that must fail, and a similar one that must succeed. No service, no clean()."""

from contextlib import contextmanager
from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction

from tock_league.accounts.models import Role
from tock_league.clubs.models import ClubRole, Membership, Team, TeamPlayer
from tock_league.competitions.models import (
    Competition,
    Division,
    Entry,
    Group,
    Match,
    MatchGame,
    Regulations,
    ResultLine,
    ResultVersion,
    RosterSpot,
    Round,
    Season,
    Side,
    Stage,
)

from .world import START, a_club, a_league, a_player, a_team

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@contextmanager
def refused(name):
    """Check that the block breaks the constraint `name`; for UNIQUE, SQLite names the columns and PostgreSQL the
    constraint."""
    with pytest.raises(IntegrityError) as error, transaction.atomic():
        yield
    text = str(error.value)
    assert name in text or text.startswith("UNIQUE constraint failed"), text


def put(model, **values):
    return model.objects.bulk_create([model(**values)])[0]


def test_i01_a_player_has_one_home_club_and_is_a_member_once():
    player, one, other = a_player(), a_club("Club un"), a_club("Club deux")
    put(Membership, club=one, player=player, home=True, since=START)
    with refused("I01_one_home_club"):
        put(Membership, club=other, player=player, home=True, since=START)
    with refused("I01_member_once"):
        put(Membership, club=one, player=player, home=False, since=START)
    with refused("I01_ends_after_start"):
        put(Membership, club=other, player=player, home=False, since=START, until=START - timedelta(days=1))
    put(Membership, club=other, player=player, home=False, since=START)
    put(Membership, club=other, player=player, home=True, since=START, until=START)


def test_roles_are_held_once_and_end_after_they_began():
    player, club = a_player(), a_club()
    put(Role, player=player, name="organiser", since=START)
    put(ClubRole, club=club, player=player, name="officer", since=START)
    for model, extra, names in ((Role, {}, ("role",)), (ClubRole, {"club": club}, ("club_role",))):
        held = "organiser" if model is Role else "officer"
        with refused(f"{names[0]}_held_once"):
            put(model, player=player, name=held, since=START, **extra)
        with refused(f"{names[0]}_name"):
            put(model, player=player, name="king", since=START, **extra)
        with refused(f"{names[0]}_ends_after_start"):
            put(model, player=player, name=held, since=START, until=START - timedelta(days=1), **extra)
        put(model, player=player, name=held, since=START, until=START, **extra)


def test_i02_a_team_names_a_player_and_a_slot_once():
    team, player = a_team("Draveurs"), a_player("Félix Marchand")
    with refused("I02_player_once_in_team"):
        put(TeamPlayer, team=team, player=team.spells.first().player, slot=3, joined=START)
    with refused("I02_slot_once"):
        put(TeamPlayer, team=team, player=player, slot=1, joined=START)
    with refused("I02_slot_1_to_6"):
        put(TeamPlayer, team=team, player=player, slot=7, joined=START)
    with refused("I02_left_after_joined"):
        put(TeamPlayer, team=team, player=player, slot=3, joined=START, left=START - timedelta(days=1))
    put(TeamPlayer, team=team, player=player, slot=1, joined=START, left=START)
    put(TeamPlayer, team=team, player=player, slot=3, joined=START)


def test_a_club_has_one_team_of_a_name_and_drawn_pairs_are_free():
    club = a_club()
    put(Team, name="Draveurs", club=club)
    with refused("team_name_in_club"):
        put(Team, name="Draveurs", club=club, slug="zz")
    put(Team, name="Draveurs", club=club, drawn=True, slug="yy")
    put(Team, name="Draveurs", slug="xx")


def test_i03_divisions_are_named_once_and_berths_fit():
    season = put(Season, slug="a", name="A 2026", starts_on=date(2026, 1, 1), ends_on=date(2026, 6, 1))
    put(Division, season=season, tier=1, name="1", size=4, up=1, down=2, playoff=1)
    with refused("I03_division_once"):
        put(Division, season=season, tier=1, name="1", size=8)
    with refused("I03_berths_fit_size"):
        put(Division, season=season, tier=2, name="1", size=4, up=1, down=2, playoff=2)
    with refused("season_ends_after_start"):
        put(Season, slug="b", name="B 2026", starts_on=date(2026, 6, 2), ends_on=date(2026, 6, 1))
    put(Season, slug="c", name="C 2026", starts_on=date(2026, 6, 1), ends_on=date(2026, 6, 1))


def test_i04_kind_and_state_are_known():
    rules = put(Regulations, code="x", version=1, digest="a" * 64, body={})
    common = {"regulations": rules, "rules": "shawinigan/1", "name": "Coupe", "lots_seed": "s"}
    put(Competition, slug="a", kind="league", state="draft", **common)
    with refused("I04_kind"):
        put(Competition, slug="b", kind="cup", state="draft", **common)
    with refused("I04_state"):
        put(Competition, slug="c", kind="league", state="paused", **common)
    with refused("slug"):
        put(Competition, slug="a", kind="tournament", state="draft", **common)


def test_i05_regulations_are_numbered_and_digested_once():
    put(Regulations, code="x", version=1, digest="a" * 64, body={})
    with refused("I05_code_version"):
        put(Regulations, code="x", version=1, digest="b" * 64, body={})
    with refused("digest"):
        put(Regulations, code="x", version=2, digest="a" * 64, body={})
    put(Regulations, code="x", version=2, digest="b" * 64, body={})


def test_i06_an_entry_is_a_team_or_a_player_once_with_a_seed_of_its_own(hand):
    league = a_league(2, state="draft", size=8)
    known = league.entries.first()
    team, player = a_team("Vieux Pieux"), a_player()
    with refused("I06_team_or_player"):
        put(Entry, competition=league, slug="e1", team=team, player=player)
    with refused("I06_team_or_player"):
        put(Entry, competition=league, slug="e2")
    with refused("I06_team_once"):
        put(Entry, competition=league, slug="e3", team=known.team)
    with refused("I06_seed_once"):
        put(Entry, competition=league, slug="e4", team=team, seed=known.seed)
    with refused("I06_state"):
        put(Entry, competition=league, slug="e5", team=team, state="lost")
    put(Entry, competition=league, slug="e6", player=player)
    with refused("I06_player_once"):
        put(Entry, competition=league, slug="e7", player=player)
    put(Entry, competition=league, slug="e8", team=team)


def test_i07_a_player_is_on_one_roster_of_a_competition(hand):
    league = a_league(2, state="draft")
    one, other = league.entries.all()
    taken = one.roster.first()
    substitute = {"competition": league, "entry": other, "role": "substitute", "joined": START}
    with refused("I07_player_on_one_roster"):
        put(RosterSpot, player=taken.player, slot=1, **substitute)
    with refused("I07_slot_range"):
        put(RosterSpot, player=a_player(), slot=3, **substitute)
    with refused("I07_left_after_joined"):
        put(RosterSpot, player=a_player(), slot=1, left=START - timedelta(days=1), **substitute)
    put(RosterSpot, player=taken.player, slot=1, left=START, **substitute)
    put(RosterSpot, player=a_player(), slot=1, **substitute)
    with refused("I07_slot_once"):
        put(RosterSpot, player=a_player(), slot=1, **substitute)


def test_i09_and_i12_stages_groups_and_rounds_are_numbered_once(hand):
    league = a_league(2, state="draft")
    stage = put(Stage, competition=league, ordinal=1, format="round_robin/1")
    group = put(Group, stage=stage, ordinal=1)
    with refused("I09_stage_ordinal"):
        put(Stage, competition=league, ordinal=1, format="round_robin/1")
    with refused("I09_group_ordinal"):
        put(Group, stage=stage, ordinal=1)
    put(Round, group=group, number=1, state="open", exclusive=True)
    with refused("I12_round_number"):
        put(Round, group=group, number=1)
    with refused("I12_one_exclusive_round_open"):
        put(Round, group=group, number=2, state="open", exclusive=True)
    with refused("I12_state"):
        put(Round, group=group, number=3, state="lost")
    put(Round, group=group, number=2, state="open", exclusive=False)
    put(Round, group=group, number=4, state="done", exclusive=True)


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"sides": 1}, "I13_sides"),
        ({"sides": 9}, "I13_sides"),
        ({"best_of": 2}, "I13_best_of_odd"),
        ({"best_of": 0}, "I13_best_of_odd"),
        ({"mode": "best"}, "I13_mode"),
        ({"state": "won"}, "I13_state"),
        ({"state": "scheduled", "starts_at": None}, "I13_dated_when_scheduled"),
    ],
)
def test_i13_a_match_is_well_formed(league, values, name):
    made = league.matches.first().round
    common = {"competition": league, "round": made, "number": 9, "state": "ready"}
    with refused(name):
        put(Match, slug="m1", **{**common, **values})
    put(Match, slug="m2", best_of=3, sides=8, **common)
    with refused("I13_match_number"):
        put(Match, slug="m3", **common)


def test_i14_an_entry_sits_once_in_a_round_and_a_side_is_a_seat_or_a_named_absence(league):
    seat = Side.objects.filter(match__competition=league).first()
    copies = {"stage": seat.stage, "round": seat.round}
    with refused("I14_entry_once_in_round"):
        put(Side, entry=seat.entry, kind="rest", **copies)
    with refused("I14_position_once"):
        put(Side, match=seat.match, position=seat.position, kind="seat", **copies)
    with refused("I14_seat_or_named_absence"):
        put(Side, entry=None, kind="absence", **copies)
    with refused("I14_seat_or_named_absence"):
        put(Side, match=seat.match, position=None, kind="seat", **copies)
    put(Side, match=seat.match, position=2, kind="seat", **copies)
    free = [put(Round, group=seat.round.group, number=number) for number in (90, 91, 92, 93)]
    put(Side, stage=seat.stage, round=free[0], entry=seat.entry, kind="pairing_bye")
    with refused("I14_one_pairing_bye"):
        put(Side, stage=seat.stage, round=free[1], entry=seat.entry, kind="pairing_bye")
    put(Side, stage=seat.stage, round=free[2], entry=seat.entry, kind="rest")
    put(Side, stage=seat.stage, round=free[3], entry=seat.entry, kind="rest")


def test_i19_a_game_belongs_to_one_match_under_one_number(league, hand):
    from tock_league.competitions.services.rounds import publishing

    hand.advance(hours=7)
    assert publishing.open_due_tables() == 2
    one, other = league.matches.filter(table__isnull=False)
    game, spare = one.table.games.get(), other.table.games.get()
    put(MatchGame, match=one, number=1, game=game)
    with refused("game"):
        put(MatchGame, match=other, number=1, game=game)
    with refused("I19_game_number"):
        put(MatchGame, match=one, number=1, game=spare)
    with refused("I19_number_from_1"):
        put(MatchGame, match=one, number=0, game=spare)
    put(MatchGame, match=other, number=1, game=spare)


def test_i20_versions_form_one_chain(league):
    match = league.matches.first()
    common = {"match": match, "fact": "played", "source": "engine", "recorded_at": START}
    first = put(ResultVersion, version=1, prev_hash="0" * 64, hash="1" * 64, **common)
    with refused("I20_version_once"):
        put(ResultVersion, version=1, prev_hash="1" * 64, hash="2" * 64, **common)
    with refused("I20_chain_cannot_fork"):
        put(ResultVersion, version=2, prev_hash="0" * 64, hash="2" * 64, **common)
    with refused("I20_fact"):
        put(ResultVersion, version=2, prev_hash="1" * 64, hash="2" * 64, **{**common, "fact": "lost"})
    put(ResultVersion, version=2, prev_hash="1" * 64, hash="2" * 64, **common)
    put(ResultLine, result=first, position=0, outcome="win", place=0)
    with refused("I20_line_once"):
        put(ResultLine, result=first, position=0, outcome="loss", place=1)
    with refused("I20_outcome"):
        put(ResultLine, result=first, position=1, outcome="won", place=1)
    put(ResultLine, result=first, position=1, outcome="loss", place=1)
