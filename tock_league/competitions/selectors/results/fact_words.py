"""The names of results that were not simply played."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from ...core.effective import Effective

# Translators: how a match was decided, in brackets after the score.
FACTS: Mapping[str, str | Promise] = {
    "played": "",
    "adjudicated": pgettext_lazy("result", "by time"),  # under a time cap, before a side had finished
    "forfeit": pgettext_lazy("result", "forfeit after play began"),
    "walkover": pgettext_lazy("result", "forfeit before play"),
    "no_show": pgettext_lazy("result", "opponent did not come"),
    "withdrawal": pgettext_lazy("result", "opponent withdrew"),
    "disqualification": pgettext_lazy("result", "opponent disqualified"),
    "double_forfeit": pgettext_lazy("result", "double forfeit: nobody wins"),
    "void": pgettext_lazy("result", "void"),
}
# The same where a ruling decided it.
RULED: Mapping[str, str | Promise] = {
    "played": pgettext_lazy("result", "by decision"),  # a ruling has corrected the score
    "adjudicated": pgettext_lazy("result", "by decision"),
    "forfeit": pgettext_lazy("result", "forfeit by decision"),
    "walkover": pgettext_lazy("result", "forfeit by decision"),
    "no_show": pgettext_lazy("result", "opponent did not come, by decision"),
    "double_forfeit": pgettext_lazy("result", "double forfeit by decision: nobody wins"),
}


def fact_words(result: Effective) -> str | Promise:
    """Return how a match was decided, "" where it was played; a withdrawal during the match keeps its name.

    Every page shows these words wherever it shows the score.
    """
    return words_of(fact_key(result))


def fact_key(result: Effective) -> str:
    """Return what `words_of` turns into the words: a fact, after `ruled:` where a ruling decided it; or ""."""
    if result.state != "decided":
        return ""
    if result.cause in ("withdrawal", "disqualification"):
        return result.cause
    return f"ruled:{result.fact}" if result.ruled and result.fact in RULED else result.fact


def words_of(key: str) -> str | Promise:
    """Return the words of a `fact_key`, "" where a match was played."""
    ruled, _colon, fact = key.rpartition(":")
    return (RULED if ruled else FACTS).get(fact, "")
