"""Further tables for files: who plays, who met whom, rulings, and the lists of a club."""

from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tock_league.accounts.models import Player
from tock_league.arbitration.selectors.rulings import book
from tock_league.arbitration.selectors.rulings.book import Published
from tock_league.clubs import selectors as clubs
from tock_league.clubs.models import Club
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.entries import registration
from tock_league.competitions.selectors.rankings import group_tables
from tock_league.competitions.selectors.rankings.crosstable import crosstable
from tock_league.competitions.selectors.rankings.standings import table
from tock_league.competitions.selectors.rounds.matches import views

from .sheets import Cell, Table

MOST_RULINGS = 500  # the book asks once for each


def players(found: Competition, _viewer: Player | None) -> Table:
    """Return a line for each player of each entry that takes part, starters first."""
    heads = [_("Team"), _("Player"), _("Role"), _("State"), _("Address")]
    rows: list[list[Cell]] = [
        [
            view.name,
            spot.player.display_name,
            spot.spot.get_role_display(),
            view.entry.get_state_display(),
            f"/players/{spot.player.slug}/",
        ]
        for view in registration.entry_views(found)
        if view.entry.state not in registration.GONE
        for spot in view.spots
    ]
    return Table(_name(found, _("players")), found.name, heads, rows)


def head_to_head(found: Competition, viewer: Player | None) -> Table:
    """Return the score of each entry against each other one of its table, in its order; a tie of several, one a line."""
    played = views(found.matches.all(), viewer)
    if found.is_planned:
        groups = [(made.group.name, made.rows, made.matches) for made in group_tables.of_groups(found, played)]
    else:
        groups = [("", table(found, [view for view in played if view.is_decided]), tuple(played))]
    heads = [_("Group"), _("Team"), _("Against"), _("Score"), _("Decided by"), _("Address")]
    rows: list[list[Cell]] = []
    for name, lines, matches in groups:
        for row in crosstable(lines, matches):
            for other, cells in zip(lines, row.cells, strict=True):
                for cell in cells or ():
                    rows.append([name, row.name, other.name, cell.text, cell.how, f"/matches/{cell.slug}/"])
    return Table(_name(found, _("head to head")), found.name, heads, rows)


def rulings(found: Competition, _viewer: Player | None) -> Table:
    """Return the rulings of the public book with their penalties, the newest first."""
    page = book.book(competition=found, size=MOST_RULINGS)
    heads = [
        _("Number"), _("Match"), _("What was found"), _("Decision"), _("Penalty"), _("Whom"), _("Signed"),
        _("What it changes"), _("Replaced by"), _("Address"),
    ]  # fmt: skip
    rows = [row for case in page.object_list for row in _rulings(case)]
    return Table(_name(found, _("rulings")), found.name, heads, rows, more=max(0, page.paginator.count - MOST_RULINGS))


def _rulings(case: Published) -> list[list[Cell]]:
    return [
        [
            ruling.ref,
            case.title,
            ruling.infraction or case.kind_label,
            ruling.outcome_label,
            ruling.penalty_label,
            ruling.offender.display_name if ruling.offender is not None else "",
            ruling.signed_at,
            "; ".join(ruling.effects),
            ruling.superseded,
            f"/cases/{case.number}/",
        ]
        for ruling in case.rulings
    ]


def members(club: Club) -> Table:
    """Return the club's members with their roles: for its officers."""
    heads = [_("Name"), pgettext("of a club", "Member"), _("Roles"), _("Address")]
    rows: list[list[Cell]] = [
        [
            member.player.display_name,
            _("home club") if member.home else pgettext("member whose home club is another one", "guest"),
            ", ".join(str(role.get_name_display()) for role in member.roles),
            f"/players/{member.player.slug}/",
        ]
        for member in clubs.members(club)
    ]
    what = _("members")
    return Table(slugify(f"{club.slug}-{what}"), club.name, heads, rows)


def teams(club: Club) -> Table:
    """Return the club's teams with their players, the captain first."""
    heads = [_("Team"), _("Captain"), _("Players"), _("Substitutes"), _("Address")]
    rows: list[list[Cell]] = []
    for team in clubs.teams_of_club(club):
        now = team.now  # type: ignore[attr-defined]
        rows.append(
            [
                team.name,
                next((spell.player.display_name for spell in now if spell.slot == 1), ""),
                ", ".join(spell.player.display_name for spell in now if team.starts(spell.slot)),
                ", ".join(spell.player.display_name for spell in now if not team.starts(spell.slot)),
                f"/teams/{team.slug}/",
            ]
        )
    what = _("teams")
    return Table(slugify(f"{club.slug}-{what}"), club.name, heads, rows)


def _name(found: Competition, what: str) -> str:
    return f"{found.slug}-{slugify(what)}"
