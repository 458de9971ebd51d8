"""Refusals of a result on paper that contradicts another one: they say who entered what, and when."""

from django.utils.translation import gettext_lazy as _

from tock_league.common.errors import Conflict, Text

from ...models import Match, ResultVersion
from ...selectors.results.entered import entered, said_by
from ...selectors.results.paper import counting_sheet, sheet_words, signers
from ...selectors.rounds.matches import MatchView, views
from ...selectors.rounds.moments import moment_words


def stands(match: Match, last: ResultVersion | None) -> Conflict:
    """Return the refusal of a result where another one stands. `last`: the match's newest paper."""
    found = entered(match)
    sentence: Text = _("A result stands already; whoever disagrees asks the referee for a ruling.")
    if found is not None and found.by is not None:
        games = counting_sheet(match)
        told = said_by(match, found.ref) if games is None else sheet_words(_view(match), games)
        values = {"who": found.by.display_name, "result": told, "at": moment_words(found.at)}
        sentence = (
            _(
                "Another result stands: %(result)s. %(who)s entered it, %(at)s. Yours is not saved. "
                "If it is right, correct the result, or ask the referee."
            )
            % values
        )
    return Conflict(
        "result_stands",
        sentence,
        state=match.state,
        version=last.version if last is not None else None,
        signed_by=signers(last) if last is not None else [],
    )


def _view(match: Match) -> MatchView:
    return views(Match.objects.filter(pk=match.pk))[0]


def changed(match: Match, last: ResultVersion) -> Conflict:
    """Return the refusal of a result from a page that did not show the paper `last` yet."""
    names = signers(last)
    values = {
        "who": ", ".join(names),
        "result": sheet_words(_view(match), last.sheet or ()),
        "at": moment_words(last.recorded_at),
    }
    return Conflict(
        "result_changed",
        _(
            "Another result was reported while you looked at the page: %(result)s. %(who)s entered it, %(at)s. "
            "Yours is not saved. Look at theirs before you send yours again."
        )
        % values,
        version=last.version,
        signed_by=names,
    )
