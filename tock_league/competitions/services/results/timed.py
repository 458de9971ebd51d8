"""Papers of games under a time cap: from what each side reached to winner, scores and lead."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from django.utils.translation import gettext_lazy as _

from tock_league.common.errors import Refused, Text

from ...core import caps
from ...core.caps import MATCH, Asked, CapError, Count, count
from ...core.sheets import CAPPED, stored
from ...models import Match

TIES: Mapping[str, Text] = {
    caps.NEXT_HOME: _(
        "Game %(number)d: equal; by the regulations play goes on to the next marble home. Give the counts then."
    ),
    caps.ONE_DEAL: _("Game %(number)d: equal; by the regulations one more deal is played. Give the counts after it."),
    caps.ALLOWED: _("Game %(number)d: in a knockout a tied game is played again; report the one that was won."),
}


class Given(Protocol):
    """A game as somebody gives it: see `paper.Game`."""

    @property
    def winner(self) -> int | None: ...

    @property
    def counts(self) -> Sequence[int]: ...


def capped_sheet(match: Match, asked: Asked, games: Sequence[Given]) -> list[list[int | None]]:
    """Return the games as core.sheets stores them.

    Raises Refused on `games`: a count that is missing or cannot be, two sides that finished, a tie where the regulations
    or a knockout allow none, another winner than the counts say, too few or too many games. Of a match whose time as a
    whole is capped, the games after the cap are missing.
    """
    whole_match = asked.cap is not None and asked.cap.of == MATCH and match.best_of > 1
    made: list[Count] = []
    needed = (match.best_of + 1) // 2
    for number, game in enumerate(games, start=1):
        if len(game.counts) != match.sides:
            raise Refused(
                "counts_missing", _("Game %(number)d: say what each side reached.") % {"number": number}, field="games"
            )
        if match.mode == Match.Mode.FIRST_TO and _most(made, match) == needed:
            raise Refused(
                "too_many_games",
                _("The match is over at %(needed)d games won; there is one too many.") % {"needed": needed},
                field="games",
            )
        if whole_match and made and made[-1].finished is None:
            raise Refused(
                "after_the_cap",
                _("Game %(number)d: the time of the match was up before it; leave it out.") % {"number": number},
                field="games",
            )
        made.append(_counted(asked, number, game, ties=asked.ties or whole_match))
    if len(made) > match.best_of or (not (whole_match and made) and not _is_whole(match, made, needed, asked)):
        raise Refused(
            "games_missing",
            _("A match that is best of %(best_of)d needs its result whole.") % {"best_of": match.best_of},
            field="games",
        )
    if not asked.ties and _level(match, made):
        raise _tie(asked, len(made))
    return [stored(one) for one in made]


def fact_of(sheet: Sequence[Sequence[int | None]]) -> str:
    """Return the fact of a paper: adjudicated where the time was up in a game before a side had finished."""
    return "adjudicated" if any(len(game) == CAPPED and game[-1] is None for game in sheet) else "played"


def _counted(asked: Asked, number: int, game: Given, *, ties: bool) -> Count:
    most = {"number": number, "least": asked.least, "most": asked.most}
    try:
        made = count(Asked(asked.by, asked.least, asked.most, ties, asked.cap), tuple(game.counts))
    except CapError as error:
        if error.code == "count_tie":
            raise _tie(asked, number) from error
        sentences: Mapping[str, Text] = {
            "count_range": _("Game %(number)d: a side reaches %(least)d to %(most)d."),
            "both_finished": _("Game %(number)d: only one side can have finished, with %(most)d."),
        }
        raise Refused(error.code, str(sentences[error.code]) % most, field="games") from error
    if game.winner is not None and game.winner != made.winner:
        raise Refused("winner", _("Game %(number)d: the counts say who won.") % {"number": number}, field="games")
    return made


def _tie(asked: Asked, number: int) -> Refused:
    """Return the refusal of a tie, which says what decides."""
    assert asked.cap is not None
    return Refused("count_tie", str(TIES[asked.cap.tie]) % {"number": number}, field="games")


def _most(made: Sequence[Count], match: Match) -> int:
    return max(sum(one.winner == side for one in made) for side in range(match.sides))


def _is_whole(match: Match, made: Sequence[Count], needed: int, asked: Asked) -> bool:
    played = len(made) == match.best_of
    if match.mode == Match.Mode.PLAY_ALL:
        return played
    return _most(made, match) == needed or (played and asked.ties)


def _level(match: Match, made: Sequence[Count]) -> bool:
    """Return whether the sides have won as many games, and scored as much in all."""
    reached = [
        (sum(one.winner == side for one in made), sum(one.scores[side] for one in made)) for side in range(match.sides)
    ]
    return reached.count(max(reached)) > 1
