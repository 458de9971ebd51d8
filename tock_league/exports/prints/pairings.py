"""The pairings of a round: by table, and by name."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tock_league.accounts.models import Player
from tock_league.accounts.templatetags.people import hour
from tock_league.common.errors import NotThere
from tock_league.common.names import by_alphabet
from tock_league.competitions.models import Competition, RosterSpot, Side
from tock_league.competitions.selectors.rounds.matches import MatchView, SideView
from tock_league.competitions.selectors.seasons import calendars
from tock_league.competitions.selectors.seasons.calendars import RoundView

from .document import Column, Document, Row
from .kinds import Choice

WITHOUT_MATCH = (Side.Kind.PAIRING_BYE, Side.Kind.REQUESTED_BYE, Side.Kind.REST)


def chosen_round(found: Competition, viewer: Player | None, key: str) -> RoundView:
    """Return the round of that key, by default the one under way or the last one. NotThere without one. Seven queries."""
    rounds = calendars.rounds(found, viewer)
    made = next((one for one in rounds if f"{one.stage}-{one.number}" == key), None)
    made = made if key else calendars.current_round(rounds)
    if made is None:
        raise NotThere
    return made


def by_table(found: Competition, viewer: Player | None, choice: Choice) -> bytes:
    """Return the matches of a round by the numbers of their tables."""
    made = chosen_round(found, viewer, choice.round)
    columns = [
        Column(pgettext("of a match", "Table"), 9, "C", bold=True), Column(_("Team"), 35, bold=True),
        Column("", 10, "C"), Column(_("Team"), 35, bold=True), Column(pgettext("of a match", "Time"), 11, "R"),
    ]  # fmt: skip
    document = Document(found, choice.paper)
    document.listing(
        _title(_("Pairings by table"), made), columns, [_match(view) for view in _in_order(made)], height=10
    )
    return document.made()


def _match(view: MatchView) -> Row:
    between = f"{view.home.score} – {view.away.score}" if view.is_decided else "–"
    return [_table(view), _side(view.home), between, _side(view.away), hour(view.starts_at)]


def _side(side: SideView) -> tuple[str, str]:
    # A drawn pair is named by its players already.
    return side.name, ", ".join(player.display_name for player in side.players if player.display_name not in side.name)


def by_name(found: Competition, viewer: Player | None, choice: Choice) -> bytes:
    """Return a line for each player of a round, in the order of the alphabet, also for those without a match."""
    made = chosen_round(found, viewer, choice.round)
    rows = [row for view in made.matches for row in _players(view)] + _without_match(made)
    columns = [
        Column(_("Player"), 28, bold=True), Column(_("Team"), 26),
        Column(pgettext("of a match", "Table"), 9, "C", bold=True), Column(_("Against"), 26),
        Column(pgettext("of a match", "Time"), 11, "R"),
    ]  # fmt: skip
    document = Document(found, choice.paper)
    document.listing(_title(_("Pairings by name"), made), columns, sorted(rows, key=_name_and_team), height=6.5)
    return document.made()


def _players(view: MatchView) -> list[Row]:
    rows: list[Row] = []
    for own, other in ((view.home, view.away), (view.away, view.home)):
        # A seat of a bracket that waits for its team has no player yet.
        for player in own.players:
            rows.append([player.display_name, own.name, _table(view), other.name, hour(view.starts_at)])
    return rows


def _without_match(made: RoundView) -> list[Row]:
    """Return the players of the entries that rest in this round. Two queries."""
    rounds = {view.match.round_id for view in made.matches}
    resting = Side.objects.filter(round__in=rounds, kind__in=WITHOUT_MATCH).values("entry")
    spots = RosterSpot.objects.filter(entry__in=resting, left__isnull=True, role=RosterSpot.Role.STARTER)
    spots = spots.select_related("player", "entry__team", "entry__player")
    return [[spot.player.display_name, str(spot.entry), "–", pgettext("a round", "bye"), ""] for spot in spots]


def _name_and_team(row: Row) -> tuple[str, str]:
    return by_alphabet(str(row[0])), by_alphabet(str(row[1]))


def _in_order(made: RoundView) -> Sequence[MatchView]:
    return sorted(made.matches, key=lambda view: (view.match.table_no is None, view.match.table_no or 0))


def _table(view: MatchView) -> str:
    """Return the number of the table, with its room where it has one."""
    parts = (str(view.match.table_no), view.match.room) if view.match.table_no is not None else ()
    return " · ".join(part for part in parts if part)


def _title(what: str, made: RoundView) -> str:
    return f"{made.title} – {what}"
