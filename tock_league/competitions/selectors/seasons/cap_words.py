"""The time cap of the games in words: what each part of the regulations says of it."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...core import caps
from ...core.caps import Cap


def cap_words(cap: Cap) -> Iterator[tuple[str, str]]:
    """Yield (what a line is about, what holds): the time and the call, what counts, a tie, an absent side."""
    yield _("Time cap"), _("%(time)s; %(call)s") % {"time": _time(cap), "call": _call(cap)}
    yield _("What counts at the cap"), _counts(cap)
    yield _("Equal at the cap"), _tie(cap)
    if cap.absent is not None:
        said = _("%(came)s to %(absent)s for the side that came, as after a bye; it moves no rating")
        yield _("Absent side"), said % {"came": cap.absent[0], "absent": cap.absent[1]}


def _time(cap: Cap) -> str:
    words = {"minutes": cap.minutes}
    if cap.of == caps.MATCH:
        return ngettext("%(minutes)s minute a match", "%(minutes)s minutes a match", cap.minutes) % words
    return ngettext("%(minutes)s minute a game", "%(minutes)s minutes a game", cap.minutes) % words


def _call(cap: Cap) -> str:
    return {
        caps.DEAL: _("then last deal: the deal is played to its end"),
        caps.TURN: _("then one more turn each, beginning with the next player"),
        caps.STOP: _("then play stops at once"),
    }[cap.call]


def _counts(cap: Cap) -> str:
    if cap.counts == caps.MARBLES:
        said = _("the side with more marbles home wins")
    elif cap.counts == caps.STEPS:
        said = _(
            "the side whose marbles have walked more steps wins: 1 on its own start, one more for each space, 0 in the "
            "reserve"
        )
    else:
        said = _("%(marble)s points for each marble home, %(finished)s more for a finished game; more points win") % {
            "marble": cap.marble,
            "finished": cap.finished,
        }
    return _("%(counts)s. A game that the cap ends is not rated.") % {"counts": said}


def _tie(cap: Cap) -> str:
    return {
        caps.ALLOWED: _("a tie; in a knockout another game is played"),
        caps.NEXT_HOME: _("play goes on, and the next marble home decides"),
        caps.ONE_DEAL: _("one more deal is played, until a side is ahead"),
    }[cap.tie]
