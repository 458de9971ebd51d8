"""What a team's phones show: table, opponents, time, next match, last result. Nothing that visitors do not see."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import pgettext

from tock_league.common.errors import NotThere
from tock_league.common.names import by_alphabet
from tock_league.competitions.models import Competition, Entry, Match, Side
from tock_league.competitions.permissions import is_public
from tock_league.competitions.selectors.entries.registration import GONE
from tock_league.competitions.selectors.rounds.matches import MatchView, SideView, views

from ..models import TeamLink
from .clocks import ClockView, clock_of
from .secret import digest_of

IN_ORDER = ("round__group__stage__ordinal", "round__number", "number")
AT_PLAY = (Match.State.CALLED, Match.State.LIVE, Match.State.REPORTED, Match.State.CONTESTED)


@dataclass(frozen=True)
class OwnMatch:
    """A match from the side of one team."""

    view: MatchView
    own: SideView
    other: SideView

    @property
    def score(self) -> str:
        return f"{self.own.score} – {self.other.score}"

    @property
    def said(self) -> str:
        """How it ended for the team, in a word; "" before its result."""
        words = {
            "win": pgettext("a team’s match", "Won"),
            "tie": pgettext("a team’s match", "Tied"),
            "loss": pgettext("a team’s match", "Lost"),
        }
        return words.get(self.own.outcome, "")

    @property
    def opposing_players(self) -> str:
        """The names of the people on the other side, without those by whom it is named."""
        names = [player.display_name for player in self.other.players]
        return ", ".join(name for name in names if name not in self.other.name)


@dataclass(frozen=True)
class TeamPage:
    """`now`: the match to go to; `then`: the one after it; `last`: the newest result. Each None where there is none.

    `rests`: whether the team has no match in the round that is played.
    """

    entry: Entry
    competition: Competition
    clock: ClockView
    now: OwnMatch | None
    then: OwnMatch | None
    last: OwnMatch | None
    rests: bool

    @property
    def is_out(self) -> bool:
        """Whether the team has left the event."""
        return self.entry.state in GONE


def team_page(secret: str) -> TeamPage | None:
    """Return what the link of that secret shows, None for an unknown one. A dozen queries.

    NotThere while visitors may not see the event.
    """
    link = TeamLink.objects.filter(digest=digest_of(secret)).select_related("entry__team", "entry__player").first()
    if link is None:
        return None
    entry = link.entry
    competition = Competition.objects.select_related("club", "division__season", "regulations").get(
        pk=entry.competition_id
    )
    if not is_public(competition):
        raise NotThere
    own = _of_entry(competition, entry)
    open_ones = [one for one in own if not one.view.is_decided]
    now = next((one for one in open_ones if one.view.match.state in AT_PLAY), None)
    now = now or (open_ones[0] if open_ones else None)
    over = [one for one in own if one.view.is_decided and one.view.match.decided_at is not None]
    return TeamPage(
        entry=entry,
        competition=competition,
        clock=clock_of(competition).of_table(now.view.match.table_no if now else None),
        now=now,
        then=next((one for one in open_ones if one is not now), None),
        last=max(over, key=lambda one: str(one.view.match.decided_at), default=None),
        rests=now is None and _rests(competition, entry),
    )


def _of_entry(competition: Competition, entry: Entry) -> list[OwnMatch]:
    matches: QuerySet[Match] = competition.matches.filter(side_rows__entry=entry, side_rows__kind=Side.Kind.SEAT)
    found = []
    for view in views(matches.exclude(state=Match.State.VOID).order_by(*IN_ORDER)):
        own = next(side for side in view.sides if side.entry_id == entry.pk)
        other = next(side for side in view.sides if side is not own)
        found.append(OwnMatch(view, own, other))
    return found


def _rests(competition: Competition, entry: Entry) -> bool:
    """Return whether a round is open in which the entry has no match."""
    resting = (Side.Kind.PAIRING_BYE, Side.Kind.REQUESTED_BYE, Side.Kind.REST)
    return Side.objects.filter(
        entry=entry, kind__in=resting, round__group__stage__competition=competition, round__state="open"
    ).exists()


@dataclass(frozen=True)
class LinkLine:
    """A team at the desk: its entry, and its link if it has one."""

    entry: Entry
    link: TeamLink | None

    @property
    def name(self) -> str:
        return str(self.entry)


def links_of(competition: Competition) -> Sequence[LinkLine]:
    """Return the teams of an event by the alphabet, each with its link. Two queries."""
    entries = competition.entries.exclude(state__in=GONE).select_related("team__club", "player")
    links = {link.entry_id: link for link in TeamLink.objects.filter(entry__competition=competition)}
    return sorted((LinkLine(entry, links.get(entry.pk)) for entry in entries), key=lambda line: by_alphabet(line.name))
