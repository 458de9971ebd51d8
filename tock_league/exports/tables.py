"""The tables that pages show, for files: the same rows, of the same selectors, in the reader's language."""

from collections.abc import Callable, Mapping

from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from ratings import selectors as ratings
from ratings.selectors import seasons
from tock_league.accounts.models import Player
from tock_league.clubs.models import Club
from tock_league.competitions.models import Competition, Entry
from tock_league.competitions.selectors.entries import registration
from tock_league.competitions.selectors.rankings import group_tables
from tock_league.competitions.selectors.rankings.standings import StandingView
from tock_league.competitions.selectors.rounds.matches import MatchView, views
from tock_league.competitions.selectors.seasons.counting import counted_words, scored_column
from tock_league.journal.selectors import entries as journal
from tock_league.journal.templatetags.journal import actor
from tock_league.journal.templatetags.journal import kind as deed

from . import lists
from .sheets import MOST_ROWS, Cell, Table

IN_ORDER = ("round__group__stage__ordinal", "round__number", "round__group", "number")


def standings(found: Competition, _viewer: Player | None) -> Table:
    """Return the standings of a league, or of every group of a tournament that has a table."""
    lines = [(made.group, row) for made in group_tables.all_tables(found) for row in made.rows]
    heads = [
        pgettext("of a tournament", "Group"), _("Rank"), _("Team"), _("Players"), _("Matches played"),
        pgettext("matches", "Won"), pgettext("matches", "Tied"), pgettext("matches", "Lost"),
        counted_words(found.rules, found.cap), _("Points"), _("Ahead by"), _("State"),
    ]  # fmt: skip
    rows = [_standing(*line) for line in lines]
    if (cap := found.cap) is not None:
        heads.append(scored_column(cap))
        rows = [[*row, line.row.scored.value] for row, (_group, line) in zip(rows, lines, strict=True)]
    return Table(_name(found, _("standings")), found.name, heads, rows)


def _standing(group: str, line: StandingView) -> list[Cell]:
    row = line.row
    state = (
        line.entry.get_state_display() if line.entry.state in (Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED) else ""
    )
    players = ", ".join(player.display_name for player in line.roster)
    return [
        group, row.rank, line.name, players, row.played, row.wins, row.ties, row.losses, row.margin.value,
        row.points.value, line.separated_by, state,
    ]  # fmt: skip


def results(found: Competition, viewer: Player | None) -> Table:
    """Return every match with its date and result."""
    played = views(found.matches.order_by(*IN_ORDER), viewer)
    sides = max((len(view.sides) for view in played), default=2)
    heads = [_("Round"), _date_head(), pgettext("of a match", "Table")]
    heads += [_("Team %(number)s") % {"number": number} for number in range(1, sides + 1)]
    heads += [_("Score %(number)s") % {"number": number} for number in range(1, sides + 1)]
    heads += [_("State"), _("Decided by"), _("Address")]
    return Table(_name(found, _("results")), found.name, heads, [_result(view, sides) for view in played])


def _result(view: MatchView, sides: int) -> list[Cell]:
    names: list[Cell] = [side.name for side in view.sides]
    scores: list[Cell] = [side.score if view.is_decided else None for side in view.sides]
    empty: list[Cell] = [None] * (sides - len(view.sides))
    row: list[Cell] = [view.round_name, view.starts_at, view.match.table_no, *names, *empty, *scores, *empty]
    return [*row, view.match.get_state_display(), view.how, f"/matches/{view.match.slug}/"]


def entries(found: Competition, _viewer: Player | None) -> Table:
    """Return the entries with rosters, clubs and public reasons; with a check-in, who is here."""
    shown = registration.entry_views(found)
    heads = [_("Seed"), _("Team"), _("Club"), _("State"), _("Reason"), _("Players"), _("Substitutes")]
    rows: list[list[Cell]] = []
    for view in shown:
        entry = view.entry
        rows.append(
            [
                entry.seed,
                view.name,
                entry.team.club.name if entry.team is not None and entry.team.club is not None else "",
                entry.get_state_display(),
                entry.why,
                ", ".join(spot.player.display_name for spot in view.spots if not spot.is_substitute),
                ", ".join(spot.player.display_name for spot in view.spots if spot.is_substitute),
            ]
        )
    return Table(_name(found, _("entries")), found.name, heads, rows)


def check_in(found: Competition, _viewer: Player | None) -> Table:
    """Return a line for each player of each entry: whether they have confirmed, and whether they are here."""
    heads = [_("Team"), _("Player"), _("Role"), _("Confirmed"), _("Here"), _("State")]
    yes = {True: _("yes"), False: _("no")}
    rows: list[list[Cell]] = [
        [
            view.name,
            spot.player.display_name,
            spot.spot.get_role_display(),
            yes[spot.confirmed],
            yes[spot.here],
            view.entry.get_state_display(),
        ]
        for view in registration.entry_views(found)
        if view.entry.state not in registration.GONE
        for spot in view.spots
    ]
    return Table(_name(found, _("check-in")), found.name, heads, rows)


OF_COMPETITION: Mapping[str, Callable[[Competition, Player | None], Table]] = {
    "standings": standings,
    "results": results,
    "entries": entries,
    "check-in": check_in,
    "players": lists.players,
    "head-to-head": lists.head_to_head,
    "rulings": lists.rulings,
}
OF_CLUB: Mapping[str, Callable[[Club], Table]] = {"members": lists.members, "teams": lists.teams}


def leaderboard(key: str, kind: str, club: Club | None = None) -> Table:
    """Return the whole board of a ladder, MOST_ROWS rows at most, or a club's own: those with a rank, then the others."""
    page = ratings.board(key, kind, club, limit=MOST_ROWS)
    title = ratings.ladder_name(page.ladder.family, page.ladder.teams)
    if club is not None:
        title = f"{club.name}, {title}"
    heads = [
        pgettext("leaderboard", "Rank"), _("Name"), _("Players"), _("Club"), _("Rating"), "±", _("Games"),
        pgettext("games", "Won"), _("Change in 30 days"), _("Still missing"),
    ]  # fmt: skip
    rows: list[list[Cell]] = [
        [
            row.rank,
            row.name,
            row.names,
            row.club.name if row.club is not None else "",
            row.score,
            row.interval,
            row.games,
            row.wins,
            row.month,
            row.gap,
        ]
        for row in [*page.rows, *page.apart]
    ]
    name = slugify(f"{title}-{kind}")
    return Table(name, title, heads, rows, more=max(0, page.total - len(page.rows)))


def clubs_compared(key: str) -> Table:
    """Return the clubs of a ladder with a figure, by rank, MOST_ROWS at most."""
    rows = ratings.with_figure(key, MOST_ROWS + 1)
    ladder = ratings.ladder(key)
    title = ratings.ladder_name(ladder.family, ladder.teams)
    heads = [
        pgettext("leaderboard", "Rank"), _("Club"), _("Town"), _("Mean rating"), _("Players who count"),
        _("Eligible players"),
    ]  # fmt: skip
    cells: list[list[Cell]] = [
        [row.rank, row.club.name, row.club.town, row.score, row.counted, row.eligible] for row in rows[:MOST_ROWS]
    ]
    return Table(slugify(f"{title}-clubs"), title, heads, cells, more=len(rows) - len(cells))


def season(key: str, slug: str, kind: str) -> Table:
    """Return the whole frozen board of a season, MOST_ROWS rows at most, under the names of that time."""
    page = seasons.frozen(ratings.ladder(key), slug, kind, limit=MOST_ROWS)
    title = f"{ratings.ladder_name(page.ladder.family, page.ladder.teams)} – {page.season.name}"
    heads = [
        pgettext("leaderboard", "Rank"), _("Name"), _("Players"), _("Rating"), "±", _("Games"), pgettext("games", "Won"),
    ]  # fmt: skip
    rows: list[list[Cell]] = [
        [row.rank, row.name, row.names, row.score, row.margin, row.games, row.wins] for row in page.rows
    ]
    return Table(slugify(f"{title}-{kind}"), title, heads, rows)


def journal_stream(name: str) -> Table:
    """Return the last MOST_ROWS entries of a public stream, newest first, as its page words them."""
    shown = journal.stream(name)
    found = journal.entries_for(name, limit=MOST_ROWS)
    heads = [_("Number"), _date_head(), _("What happened"), _("Who"), _("About"), _("Details"), "SHA-256"]
    rows: list[list[Cell]] = [
        [
            entry.seq,
            entry.at,
            deed(entry.kind),
            entry.actor.name if entry.actor.slug else actor(entry.actor.name),
            ", ".join(thing.name for thing in entry.about),
            "; ".join(f"{key}: {value}" for key, value in entry.details),
            entry.hash,
        ]
        for entry in found
    ]
    return Table(slugify(name.replace(":", "-")), shown.title, heads, rows, more=max(0, shown.length - len(found)))


def _date_head() -> str:
    # Translators: head of a column of dates; the zone is such as America/Toronto
    return _("Date (%(zone)s)") % {"zone": timezone.get_current_timezone_name()}


def _name(found: Competition, what: str) -> str:
    return f"{found.slug}-{slugify(what)}"
