"""The choices of a ruling's form, in words: outcomes, measures at the table, what becomes of a result."""

from django.utils.translation import gettext_lazy as _

from tock_league.common.errors import Text

from ...models import Ruling

OUTCOMES = [
    (Ruling.Outcome.UPHELD, _("The claim is upheld"), _("A row of the penalty table applies to one player.")),
    (Ruling.Outcome.DISMISSED, _("The claim is dismissed"), _("Play and result stand; nobody is penalised.")),
    (
        Ruling.Outcome.REFEREE_ERROR,
        _("Our error: the referee's or the site's"),
        _("Both sides are non-offending; the measure costs neither side anything."),
    ),
]
# Only for a result that people entered.
ENTRY_ERROR = (
    Ruling.Outcome.ENTRY_ERROR,
    _("Error in the result entered"),
    _("The result is put right; nobody is penalised, whoever entered it."),
)
MEASURES = {
    "blind_burn": (
        _("Burn one card blind, pass the turn"),
        _("The card is drawn by the committed deal, not by anybody."),
    ),
    "touch": (_("The touch holds"), _("The laid card or touched marble is played if a play uses it.")),
    "rewind": (
        _("Take play back"),
        _("The board stands as it stood, at most one turn ago; the record keeps everything."),
    ),
    "clock": (_("Correct a clock"), _("Seconds are given, or taken with a minus sign.")),
}
# What a measure is called in another family of games than Tock.
OTHERWISE = {
    ("tractor", "rewind"): (
        _("Take the last cards back"),
        _("They are in hand again, if nothing was played since; the record keeps everything."),
    ),
}
RESULTS = [
    ("", _("The result stands")),
    ("result", _("Another side wins")),
    ("void", _("It counts no longer")),
    ("replay", _("It is played again")),
]
# Of a match whose result people entered; the score only where it is played on paper.
ENTERED_RESULTS = [
    ("", _("The result stands")),
    ("paper", _("The score is corrected")),
    ("no_show", _("A team did not come")),
    ("result", _("The match is awarded")),
    ("replay", _("It is played again")),
    ("void", _("It counts no longer")),
]
FAULTS = [
    ("own", _("the own error of whoever profited")),
    ("other", _("the error of somebody else")),
    ("referee", _("the error of a referee or of the site")),
]


def results(*, entered: bool, on_paper: bool) -> list[tuple[str, Text]]:
    """Return what may become of a result: (code, words)."""
    if not entered:
        return list(RESULTS)
    return [choice for choice in ENTERED_RESULTS if on_paper or choice[0] != "paper"]


def outcomes(*, entered: bool) -> list[tuple[str, Text, Text]]:
    """Return the outcomes of a case: (code, words, what it means)."""
    return [*OUTCOMES, ENTRY_ERROR] if entered else list(OUTCOMES)


def measure(game: str, code: str) -> tuple[Text, Text]:
    """Return the name of a measure in a family of games, and its explanation."""
    return OTHERWISE.get((game, code), MEASURES[code])
