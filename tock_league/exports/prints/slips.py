"""Score slips: one for each match of a round, with its code, the games to fill in, and a line for each side to sign."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tock_league.accounts.models import Player
from tock_league.accounts.templatetags.people import hour, long_day
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.rounds.matches import MatchView
from tock_league.competitions.selectors.seasons.counting import counting_of, reached_words

from ..paper import FOOT, MARGIN, PALE
from .codes import draw_code
from .document import Document
from .kinds import Choice
from .pairings import chosen_round

TOP, GAME, SIGN, BELOW = 26.0, 8.5, 19.0, 4.0  # millimetres: heading, a game, the signatures, the space before the cut
CODE = 22.0
SQUARE = 4.5


def slips(found: Competition, viewer: Player | None, choice: Choice) -> bytes:
    """Return a slip for each match of a round whose sides are known, as many on a sheet as it has room for."""
    made = chosen_round(found, viewer, choice.round)
    known = [view for view in made.matches if all(side.entry_id is not None for side in view.sides)]
    known.sort(key=lambda view: (view.match.table_no is None, view.match.table_no or 0))
    document = Document(found, choice.paper, headed=False)
    height = document.h - MARGIN - FOOT - MARGIN / 2
    needed = max((TOP + GAME * view.match.best_of + SIGN + BELOW for view in known), default=height)
    each = max(1, int(height / needed))
    for place, view in enumerate(known):
        if place % each == 0:
            document.page_of(", ".join((_("Score slips"), made.title)))
        y = MARGIN + (place % each) * height / each
        if place % each != each - 1:
            below = y + height / each - BELOW / 2
            document.cut(0, below, document.w, below)
        _slip(document, view, y, height / each - BELOW, choice.site)
    return document.made()


def _slip(document: Document, view: MatchView, y: float, height: float, site: str) -> None:
    width = document.room[0]
    text = width - CODE
    # The day of the match: a league's slip would else say when the season begins and ends.
    about = " · ".join(part for part in (document.event, long_day(view.starts_at) or document.date) if part)
    document.write_fitting(MARGIN, y, text, 5, about, size=9, colour=PALE)
    said = " · ".join(part for part in (view.place, view.round_name, hour(view.starts_at)) if part)
    document.write_fitting(MARGIN, y + 5, text, 7, said, size=14, bold=True, family="besley")
    half = (text - 8) / 2
    for position, side in enumerate(view.sides[:2]):
        x = MARGIN + position * (half + 8)
        players = ", ".join(one.display_name for one in side.players if one.display_name not in side.name)
        document.write_fitting(x, y + 12, half, 7.5, side.name, size=12, bold=True)
        document.write_fitting(x, y + 19.5, half, 5, players, size=8.5, colour=PALE)
    document.write_at(MARGIN + half, y + 12, 8, 7.5, "–", size=12, align="C")
    kind = "competitions:paper" if view.match.is_on_board else "competitions:match"
    draw_code(document, site + reverse(kind, args=[view.match.slug]), document.w - MARGIN - CODE, y - 2, CODE)
    words = _("Match %(code)s") % {"code": view.match.slug}
    document.write_fitting(
        document.w - MARGIN - CODE - 6, y + CODE - 3, CODE + 8, 5, words, size=9, bold=True, align="C"
    )
    _games(document, view, y + TOP)
    _signatures(document, view, y + height - SIGN)


def _games(document: Document, view: MatchView, y: float) -> None:
    """Draw a line for each game: who has won it, and by how much; under a time cap what each side has reached."""
    width = document.room[0]
    label, name = 0.17 * width, 0.29 * width
    cap = view.match.competition.regulations.cap
    if cap is not None:
        _counts(document, view, y, reached_words(cap))
        return
    ahead = str(counting_of(view.match.competition.rules).ahead)
    for number in range(1, view.match.best_of + 1):
        said = _("Game %(number)s won by") % {"number": number} if view.match.best_of > 1 else _("Won by")
        document.write_fitting(MARGIN, y, label, GAME, said, size=8.5)
        for position, side in enumerate(view.sides[:2]):
            x = MARGIN + label + position * name
            document.box(x + 1, y + (GAME - SQUARE) / 2, SQUARE)
            document.write_fitting(x + 2 + SQUARE, y, name - SQUARE - 3, GAME, side.name, size=10)
        x = MARGIN + label + 2 * name
        rest = width - label - 2 * name
        document.write_fitting(x, y, 0.6 * rest, GAME, ahead, size=8.5, align="R")
        document.to_write_on(x + 0.63 * rest, y + GAME - 2, 0.37 * rest)
        y += GAME


def _counts(document: Document, view: MatchView, y: float, reached: str) -> None:
    width = document.room[0]
    label, half = 0.25 * width, 0.375 * width
    for number in range(1, view.match.best_of + 1):
        words = {"number": number, "reached": reached}
        said = _("Game %(number)s, %(reached)s") % words if view.match.best_of > 1 else reached.capitalize()
        document.write_fitting(MARGIN, y, label, GAME, said, size=8.5)
        for position, side in enumerate(view.sides[:2]):
            x = MARGIN + label + position * half
            document.write_fitting(x + 1, y, 0.65 * half, GAME, side.name, size=10, align="R")
            document.to_write_on(x + 0.68 * half, y + GAME - 2, 0.27 * half)
        y += GAME


def _signatures(document: Document, view: MatchView, y: float) -> None:
    width = (document.room[0] - 8) / 2
    for position, side in enumerate(view.sides[:2]):
        x = MARGIN + position * (width + 8)
        document.to_write_on(x + 1, y + 12, width - 2)
        # Translators: below the line of a signature on paper
        words = pgettext("on paper", "Signature, %(side)s") % {"side": side.name}
        document.write_fitting(x, y + 12.5, width, 4.5, words, size=8, colour=PALE)
