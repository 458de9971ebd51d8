"""Matches as pages show them: who against whom, when, the score, and the way to the table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from games.models import Table
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, can
from tock_league.common import clock
from tock_league.common.errors import NotThere

from ...core.corrections import ends
from ...core.effective import Effective
from ...models import BracketEdge, Competition, Entry, Match, MatchGame, RosterSpot, Round, Side, StageInput
from ...permissions import PRIVATE_STATES, is_public
from ..results.effective import effective_of, with_versions
from ..results.fact_words import fact_words

AT_TABLE = (Match.State.CALLED, Match.State.LIVE)
TO_COME = (Match.State.READY, Match.State.SCHEDULED, Match.State.CALLED, Match.State.LIVE)
DECIDED = (Match.State.CONFIRMED, Match.State.AWARDED)


@dataclass(frozen=True)
class SideView:
    """One side of a match."""

    position: int
    entry_id: int | None
    name: str
    team_id: int | None
    team_slug: str
    club_name: str
    players: tuple[Player, ...]  # in roster order
    games: int  # won
    score: int  # as pages show it, see `Effective.shown`
    outcome: str  # "win", "tie" or "loss"; "" until the match is decided


@dataclass(frozen=True)
class MatchView:
    """A match with everything a list or a page says about it."""

    match: Match
    sides: tuple[SideView, ...]
    effective: Effective
    games: tuple[MatchGame, ...]
    own: SideView | None = None  # the side for which the viewer plays

    @property
    def mine(self) -> bool:
        """Whether the viewer plays in it."""
        return self.own is not None

    @property
    def against(self) -> tuple[SideView, ...]:
        """The sides that the viewer meets; none where the viewer does not play."""
        return tuple(side for side in self.sides if side is not self.own) if self.own is not None else ()

    @property
    def opponents(self) -> str:
        """The names of those that the viewer meets."""
        return ", ".join(side.name for side in self.against)

    @property
    def opposing_players(self) -> str:
        """The names of the people that the viewer meets; without those by whom their side is named, as a drawn pair is."""
        names = [one.display_name for side in self.against for one in side.players if one.display_name not in side.name]
        return ", ".join(names)

    @property
    def own_score(self) -> str:
        """The score from the viewer's side: the own part first."""
        if self.own is None:
            return self.score
        return " – ".join(str(side.score) for side in (self.own, *self.against))

    @property
    def starts_at(self) -> datetime | None:
        return self.match.starts_at

    @property
    def place(self) -> str:
        """The table in the hall and its room, in words; "" where it has none."""
        return place_words(self.match)

    @property
    def home(self) -> SideView:
        return self.sides[0]

    @property
    def away(self) -> SideView:
        return self.sides[1]

    @property
    def title(self) -> str:
        """The sides' names, home first."""
        return " – ".join(side.name for side in self.sides)

    @property
    def round_name(self) -> str:
        """The round in words: Round 3, Group A, round 2, Semi-finals, Final."""
        return round_name(self.match)

    @property
    def is_decided(self) -> bool:
        return self.match.state in DECIDED

    @property
    def is_provisional(self) -> bool:
        """Whether the desk may still correct the result; a ruling is final at once."""
        at = self.match.decided_at
        if not self.is_decided or at is None or self.effective.ruled:
            return False
        return clock.now() <= ends(at, None, self.match.competition.correction_s)

    @property
    def is_live(self) -> bool:
        return self.match.state == Match.State.LIVE

    @property
    def table_slug(self) -> str:
        """The address of the open table, "" when there is none to go to."""
        table = self.match.table
        if table is None or self.match.state not in AT_TABLE or table.state == Table.State.CLOSED:
            return ""
        return table.slug

    @property
    def nobody_came(self) -> bool:
        """Whether its table was closed with nobody at it; the organiser sets another date or awards the match."""
        table = self.match.table
        return table is not None and self.match.state in AT_TABLE and table.state == Table.State.CLOSED

    @property
    def score(self) -> str:
        """The score, home first; for one game 1 – 0. It never contradicts the winner; `how` says why it may be no count
        of games."""
        return " – ".join(str(side.score) for side in self.sides)

    @property
    def how(self) -> str | Promise:
        """How it was decided, such as "by decision" or a forfeit; "" where it was played."""
        return fact_words(self.effective) if self.is_decided else ""

    @property
    def at_the_table(self) -> str:
        """The games won at the table, home first, where the score is another one; "" otherwise."""
        won = [side.games for side in self.sides]
        if self.effective.by_score:
            return ""
        return " – ".join(map(str, won)) if any(won) and won != [side.score for side in self.sides] else ""


def place_words(match: Match) -> str:
    """Return the table of a match in the hall and its room, such as “Table 4, Salle B”; "" where it has none."""
    if match.table_no is None:
        return ""
    table = _("Table %(number)s") % {"number": match.table_no}
    return f"{table}, {match.room}" if match.room else table


def round_name(match: Match) -> str:
    """Return what a match's round is called: by its number, in a bracket by how near it is to the final."""
    row = match.round
    if row.group.name and not match.label:
        return _("Group %(group)s, round %(number)s") % {"group": row.group.name, "number": row.number}
    return bracket_round_name(match.label, row.number, match.label_no)


def bracket_round_name(label: str, number: int, label_no: int = 0) -> str:
    """Return the name of a round of a bracket, by the label of a match in it and what the label counts, or its number."""
    names = {
        "quarter": _("Quarter-finals"),
        "semi": _("Semi-finals"),
        "final": _("Final"),
        "third_place": _("Third place"),
        "reset": _("Second final"),
    }
    counted = {
        # Translators: rounds of the winners' bracket and the losers' bracket of a double elimination; short
        "winners": (_("Winners, final"), _("Winners, round %(number)s")),
        "losers": (_("Losers, final"), _("Losers, round %(number)s")),
        "back_draw": (_("Consolation, final"), _("Consolation, round %(number)s")),
        # Translators: a round of a bracket whose winners play for place 5, and whose losers play for places further down
        "places": ("", _("Places %(number)s and below")),
        "place": ("", _("Place %(number)s")),
    }
    if label in counted:
        last, one = counted[label]
        return one % {"number": label_no} if label_no else last
    return names.get(label, label) or _("Round %(number)s") % {"number": number}


def name_of_round(labels: Sequence[tuple[str, int]], number: int) -> str:
    """Return what a whole round is called. `labels`: label and its number of each match, in order.

    The match for third place is played beside the final, which gives the round its name. A round of both brackets of a
    double elimination has its number only.
    """
    if {"winners", "losers"} <= {label for label, _no in labels}:
        return bracket_round_name("", number)
    label, label_no = next((one for one in labels if one[0] == "final"), labels[0])
    return bracket_round_name(label, number, label_no)


def tree_name(label: str, label_no: int) -> str:
    """Return what a tree of a bracket that has several is called, by the label of its first match."""
    names = {
        "winners": _("Winners’ bracket"),
        "losers": _("Losers’ bracket"),
        "back_draw": _("Consolation"),
        "places": _("Places %(number)s and below") % {"number": label_no},
    }
    return names.get(label) or _("Main bracket")


def visible(matches: QuerySet[Match]) -> QuerySet[Match]:
    """`matches` of competitions that everybody may see."""
    return matches.filter(competition__is_rehearsal=False).exclude(competition__state__in=PRIVATE_STATES)


def views(matches: QuerySet[Match], viewer: Player | None = None) -> list[MatchView]:
    """Return the matches of a page, in the order of the query. Seven queries, however many matches."""
    rows = _loaded(
        matches.select_related("competition__regulations", "round__group__stage"), _spots(), _seats(_ENTRIES)
    )
    return of_rows(list(rows), viewer)


def loaded(matches: QuerySet[Match]) -> QuerySet[Match]:
    """`matches` with all that `of_rows` reads, for long lists. Ten queries.

    Competitions, rounds and entries, which many matches share, are read once instead of joined to each match: a hundred matches
    make half the objects that `views` makes.
    """
    return _loaded(
        matches,
        _spots().only("entry", "slot", "player__slug", "player__display_name"),
        _seats(),
        Prefetch("competition", Competition.objects.select_related("regulations")),
        Prefetch("round", Round.objects.select_related("group__stage")),
        Prefetch("seats__entry", Entry.objects.select_related("team__club", "player")),
    )


_ENTRIES = ("entry__team__club", "entry__player")


def _seats(related: Sequence[str] = ()) -> "Prefetch[str, QuerySet[Side], str]":
    sides = Side.objects.filter(kind=Side.Kind.SEAT).order_by("position")
    return Prefetch("side_rows", sides.select_related(*related) if related else sides, to_attr="seats")


def _spots() -> QuerySet[RosterSpot]:
    return RosterSpot.objects.filter(left__isnull=True, role=RosterSpot.Role.STARTER).select_related("player")


def _loaded(
    matches: QuerySet[Match], spots: QuerySet[RosterSpot], *further: "Prefetch[Any, Any, Any]"
) -> QuerySet[Match]:
    # django-stubs does not know `seats`, which a prefetch before it makes.
    return with_versions(matches.select_related("table")).prefetch_related(
        *further,
        Prefetch("seats__entry__roster", spots.order_by("slot"), to_attr="starters"),
        Prefetch("games", MatchGame.objects.select_related("game").order_by("number"), to_attr="played"),
    )


def of_rows(found: Sequence[Match], viewer: Player | None = None) -> list[MatchView]:
    """Return matches with all that `loaded` reads as pages show them. Two queries if a seat of a bracket is empty, else none."""
    empty = [match.pk for match in found if any(seat.entry_id is None for seat in match.seats)]  # type: ignore[attr-defined]
    waiting = _sources(empty) if empty else {}
    return [_view(match, viewer, waiting) for match in found]


def _sources(matches: Sequence[int]) -> Mapping[tuple[int, int], str]:
    """Return where the empty seats of brackets are filled from, in words, by (match, position). Two queries."""
    found: dict[tuple[int, int], str] = {}
    inputs = StageInput.objects.filter(match__in=matches, source_ordinal__isnull=False).select_related("source_group")
    for row in inputs:
        assert row.match_id is not None
        assert row.position is not None
        if row.source_group is not None:
            words = _("Group %(group)s, place %(rank)s") % {"group": row.source_group.name, "rank": row.rank}
        else:
            # Translators: a place in a bracket for one of the best, over all groups, of those with this rank in their group
            words = _("One of the best with place %(rank)s") % {"rank": row.rank}
        found[(row.match_id, row.position)] = words
    for edge in BracketEdge.objects.filter(to_match__in=matches):
        won = edge.outcome == BracketEdge.Outcome.WINNER
        # Translators: M5 is the fifth match of the bracket
        text = _("Winner of M%(number)s") if won else _("Loser of M%(number)s")
        found[(edge.to_match_id, edge.to_position)] = text % {"number": edge.from_no}
    return found


def _view(match: Match, viewer: Player | None, waiting: Mapping[tuple[int, int], str]) -> MatchView:
    effective = effective_of(match)
    seats: Sequence[Side] = match.seats  # type: ignore[attr-defined]
    sides = tuple(_side(seat, effective, waiting) for seat in seats)
    own = next((side for side in sides if viewer is not None and viewer.pk in {one.pk for one in side.players}), None)
    return MatchView(match, sides, effective, tuple(match.played), own)  # type: ignore[attr-defined]


def _side(seat: Side, effective: Effective, waiting: Mapping[tuple[int, int], str]) -> SideView:
    assert seat.position is not None
    made = effective.sides[seat.position]
    entry = seat.entry
    club = entry.team.club if entry is not None and entry.team is not None else None
    return SideView(
        position=seat.position,
        entry_id=seat.entry_id,
        name=str(entry) if entry is not None else waiting.get((seat.match_id or 0, seat.position), "–"),
        team_id=entry.team_id if entry is not None else None,
        team_slug=entry.team.slug if entry is not None and entry.team is not None else "",
        club_name=club.name if club is not None else "",
        players=tuple(spot.player for spot in entry.starters) if entry is not None else (),  # type: ignore[attr-defined]
        games=made.games,
        score=effective.shown[seat.position],
        outcome=made.outcome if effective.state == "decided" else "",
    )


def match_view(slug: str, viewer: Person) -> MatchView:
    """Return the match of that address. NotThere (404) when it does not exist or its competition is a private draft."""
    found = views(Match.objects.filter(slug=slug), viewer if isinstance(viewer, Player) else None)
    if not found:
        raise NotThere
    _may_see(found[0].match.competition, viewer)
    return found[0]


def match_of_table(slug: str) -> Match:
    """Return the match played at the table of that address, or NotThere. One query."""
    match = Match.objects.filter(table__slug=slug).first()
    if match is None:
        raise NotThere
    return match


def between(first: Iterable[int], second: Iterable[int], *, before: Match, limit: int = 5) -> list[MatchView]:
    """Return earlier decided matches of two teams, newest first. `first`, `second`: entries' team ids. Seven queries."""
    one = Match.objects.filter(side_rows__entry__team__in=first, state__in=DECIDED)
    both = one.filter(side_rows__entry__team__in=second).exclude(pk=before.pk)
    return views(visible(both).distinct().order_by("-starts_at")[:limit])


def _may_see(competition: Competition, viewer: Person) -> None:
    if not is_public(competition) and not can(viewer, "competition.see_private", competition):
        raise NotThere
