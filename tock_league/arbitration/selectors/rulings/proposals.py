"""The ruling that waits in a case for its second signature."""

import json
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from tock_league.accounts.models import Player
from tock_league.common.errors import Text
from tock_league.journal.models import PrivateText

from ...core.cases import PROPOSALS
from ...core.decisions import TEXTS, Decision
from ...models import Case, Ruling
from .choices import measure, results
from .options import RuleOptions


@dataclass(frozen=True)
class Proposal:
    """A decision that one referee has signed; nothing of it has taken effect."""

    by: Player
    at: datetime
    decision: Decision
    digest: str  # of the preview that the first signer has seen
    second: str  # why two must sign (core.keys)


def proposal_of(case: Case) -> Proposal | None:
    """Return the ruling that waits for a second signature, or None. Two queries; none in other states."""
    if case.state != "triage":
        return None
    event = case.events.filter(type__in=PROPOSALS).select_related("actor").order_by("-seq").first()
    if event is None or event.type != "ruling_proposed" or event.actor is None:
        return None
    kept = json.loads(event.body["proposal"])
    texts = PrivateText.objects.filter(entry=event.entry_id, field__in=TEXTS).values_list("field", "text")
    decision = Decision.of_body(kept["decision"], dict(texts))
    return Proposal(event.actor, event.at, decision, kept["digest"], kept["second"])


def decision_lines(decision: Decision, options: RuleOptions) -> list[tuple[str, Text]]:
    """Return what a decision says, without its facts and reasons: (label, words) in the order of the form."""
    names = {player.id: f"{player.name} ({player.side})" for player in options.players}
    rows = {row.code: row.infraction for row in options.rows}
    measures = ", ".join(str(measure(options.game, code)[0]) for code in decision.remedies)
    known = dict(results(entered=options.entered, on_paper=options.on_paper))
    winner = dict(options.sides).get(decision.winner, "") if decision.winner is not None else ""
    lines: list[tuple[str, Text]] = [
        (_("Outcome"), Ruling.Outcome(decision.outcome).label),
        (_("What the claim is about"), Case.Kind(decision.about).label if decision.about else ""),
        (_("Player at fault"), names.get(decision.offender, "") if decision.offender is not None else ""),
        (_("Row of the penalty table"), rows.get(decision.row, "")),
        (_("Penalty"), dict(options.penalties).get(decision.penalty, _("as the table says")) if decision.row else ""),
        (_("Why another penalty or measure than the table's"), decision.deviation_reason),
        (_("At the table, now"), measures),
        (_("Result"), known[decision.result] if decision.result else ""),
        (_("Score"), _score(decision, options)),
        (_("Did not come"), _absent(decision, options)),
        (_("Winner"), winner),
        (_("Rules applied"), ", ".join(decision.rules)),
    ]
    return [line for line in lines if line[1]]


def _score(decision: Decision, options: RuleOptions) -> str:
    """Return the winners of the games of a corrected score, in order; under a time cap what the sides reached."""
    names = dict(options.sides)
    return ", ".join(
        " – ".join(str(count) for count in counts) or str(names.get(winner, "—") if winner is not None else "—")
        for winner, _margin, *counts in decision.sheet
    )


def _absent(decision: Decision, options: RuleOptions) -> Text:
    if decision.result != "no_show":
        return ""
    return dict(options.sides).get(decision.absent, "") if decision.absent is not None else _("nobody came: both lose")
