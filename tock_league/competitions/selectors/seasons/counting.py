"""What the result of a game asks for, the counting and the length of a game, in the words of its family and of its cap."""

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.families.words import Counting, Text
from games.selectors import rule_sets

from ...core.caps import EACH, LEAD, MARBLES, POINTS, STEPS, Asked, Cap
from ...models import Competition, Match
from ..rounds.progress import is_bracket


def counting_of(rules: str) -> Counting:
    """Return how games of the rule set are counted."""
    return rule_sets.counting_of(rules)


def ahead_of(competition: Competition) -> tuple[int, int]:
    """Return the least and the greatest lead that a side may have at the end of a game."""
    rounds = competition.regulations.rounds
    return counting_of(competition.rules).range(competition.side_size, rounds)


def asked_of(match: Match) -> Asked:
    """Return what the result of one game of the match asks for, and between which values it is valid.

    No query where the match comes with its stage and regulations.
    """
    competition = match.competition
    regulations, cap = competition.regulations, competition.regulations.cap
    knockout = is_bracket(match.round.group.stage)
    if cap is None:
        least, most = ahead_of(competition)
        return Asked(LEAD, least, most, bool(regulations.rounds) and not knockout)
    return Asked(EACH, 0, most_of(cap, competition), cap.may_tie and not knockout, cap)


def most_of(cap: Cap, competition: Competition) -> int:
    """Return the count of a side that has finished: all its marbles home, or all their steps walked."""
    finished = counting_of(competition.rules).finished
    assert finished is not None  # regulations with a cap are frozen only where something is counted
    marbles, steps = finished(competition.side_size, competition.seats)
    return steps if cap.counts == STEPS else marbles


def reached_words(cap: Cap) -> str:
    """Return what a side's count is called on forms and slips."""
    return gettext("steps walked") if cap.counts == STEPS else gettext("marbles home")


def counted_words(rules: str, cap: Cap | None) -> Text:
    """Return the column of what games are counted by: "Marbles", "Levels", or of a cap's scores the difference."""
    # Translators: a column of the standings: points scored, less those of the opponents.
    return counting_of(rules).column if cap is None else _("Difference")


def difference_words(rules: str, cap: Cap | None) -> Text:
    """Return the difference as a criterion of the standings: "marble difference", "point difference" ..."""
    if cap is None or cap.counts not in (POINTS, STEPS):
        return counting_of(rules).difference
    return _("difference of the steps") if cap.counts == STEPS else _("difference of the points scored")


def scored_column(cap: Cap) -> Text:
    """Return the column of what is scored under a time cap."""
    # Translators: columns of the standings under a time cap.
    words = {MARBLES: _("Marbles home"), STEPS: _("Steps")}
    return words.get(cap.counts, _("Scored"))


def scored_words(cap: Cap | None) -> Text:
    """Return the criterion of what is scored under a time cap."""
    words = {MARBLES: _("marbles home"), STEPS: _("steps walked")}
    return words.get(cap.counts, _("points scored")) if cap is not None else _("points scored")


def length_words(competition: Competition) -> str:
    """Return how long a game lasts where that can be chosen; "" elsewhere."""
    whole, rounds = rule_sets.whole_game(competition.rules), competition.regulations.rounds
    return ngettext("%(count)d round", "%(count)d rounds", rounds) % {"count": rounds} if whole and rounds else whole
