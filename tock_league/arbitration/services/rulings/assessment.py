"""The checks before a signature: whether a decision can be signed, which effects it has, and the digest of it all.

What it changes in the competition is seen by carrying it out (`execution.rehearse`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.common.canonical import ascii_digest
from tock_league.common.errors import Refused, Text
from tock_league.competitions.core.effective import EffectPlan
from tock_league.competitions.selectors.changes.previews import Preview
from tock_league.competitions.services.results import rulings as results
from tock_league.competitions.services.results.paper import Game, checked_sheet

from ...core import decisions, effects, keys, penalties
from ...core.decisions import Decision, Fault, Setting
from ...core.effects import PlannedEffect
from ...models import Case, Effect, Ruling
from ...selectors.cases import words
from ...selectors.cases.same_act import punished
from ...selectors.rulings import sanctioned
from ...selectors.rulings.context import Ground, game_running, ground
from ...selectors.rulings.sanctioned import Touched
from ..cases.texts import clean_published

SENTENCES: dict[str, Text] = {
    "outcome": _("Say whether the claim is upheld or dismissed."),
    "text_long": _("This text is too long."),
    "facts_missing": _("Write what happened; it is published."),
    "reasons_missing": _("Write the reasons; they are published."),
    "rules": _("Name the sections of the rules that you apply."),
    "fault": _("Say whose error the ruling mends."),
    "row": _("Choose the row of the penalty table; a dismissed claim has none."),
    "offender": _("Choose the player whose act this was; a player of this match."),
    "penalty": _("This is no penalty of the table."),
    "remedy": _("Choose each measure once, out of the list."),
    "game_over": _("The game is over: a measure at the table comes too late."),
    "remedy_not_in_row": _("This row of the table does not have this measure."),
    "remedy_touch": _("Name the card laid or the marble touched."),
    "remedy_rewind": _("At most the last turn can be taken back."),
    "remedy_clock": _("Choose a seat, and at most ten minutes."),
    "result": _("The result of a running game, or of a dismissed claim, is not corrected."),
    "result_replay": _("After an error of the referee or the site the game is played again; neither side loses by it."),
    "offender_seat": _("This player does not sit at the table: choose a measure that is possible."),
    "result_missing": _("Say what the right result is, or that the match is played again."),
    "result_kind": _("This result is only for a match whose result people entered, a score only for matches on paper."),
    "sheet": _("Say who won each game."),
    "absent": _("Choose one of the two teams, or nobody."),
    "game_number": _("This game of the match has no result."),
    "winner": _("Choose the side that wins."),
    "deviation_reason": _("Deviating from the table needs a written reason."),
    "burn_due": _("A finding of talking burns a card: choose this measure, or give the case to the head referee."),
    "burn_reason": _("A finding of talking burns a card; leaving it out needs a written reason."),
    "head_referee_needed": _("Only the head referee signs this: give the case to the head referee."),
}


@dataclass(frozen=True)
class RulingPreview:
    """The consequences of a signature."""

    step: int  # of the table's row; 0 without one
    earlier: int  # findings in force that the step counts
    standard: str  # the code of the penalty that the table gives
    penalty: str  # the code of the penalty of the decision
    needs_head: bool
    second: str  # why a second referee must sign too (core.keys), or ""
    left_out: tuple[str, ...]  # measures that the row demands and the decision leaves out
    planned: tuple[PlannedEffect, ...]  # in order
    sentences: tuple[str, ...] = ()  # one for each planned effect
    reexamine: tuple[str, ...] = ()  # refs of rulings whose step counted the ruling that this one supersedes
    notices: int = 0  # how many people are affected
    # What a suspension or a ban keeps the player out of, once it has been carried out.
    sanctioned: tuple[Touched, ...] = ()
    changes: Preview | None = None  # what competitions will show, once it has been carried out
    digest: str = ""  # sent with the signature, which is refused when the digest has changed; known with `changes`

    @property
    def acts(self) -> tuple[PlannedEffect, ...]:
        """The effects that happen at the table."""
        return tuple(effect for effect in self.planned if effect.type in effects.TABLE)


@dataclass(frozen=True)
class Weighed:
    """A valid decision with everything that the signature needs."""

    decision: Decision
    ground: Ground
    setting: Setting
    preview: RulingPreview
    plans: tuple[EffectPlan, ...]
    lifts: tuple[int, ...]


def refusal(fault: Fault) -> Refused:
    """Return the refusal of a fault."""
    return Refused(fault.code, SENTENCES[fault.code], field=fault.field)


def weigh(
    case: Case, decision: Decision, *, head: bool, quashed: Ruling | None = None, second: bool = False
) -> Weighed:
    """Return the decision weighed against the case as it stands.

    `quashed`: the ruling whose effects would be lifted. `second`: whether it is weighed for a second signature: the table
    does not wait for one that dismisses a claim. Raises Refused with the code and field of the first fault, and
    `effect_in_force` when another ruling has done the same for the same act; `game_running` while the record is secret.
    """
    decision = cleaned(decision)
    place = ground(case)
    changes_nothing = second and decision.outcome == decisions.DISMISSED
    if not place.running and not changes_nothing and game_running(case):
        raise Refused("game_running", _("The game goes on; the case is decided when it is over."))
    if decision.about and decision.about not in Case.Kind.values:
        raise Refused("about", _("Choose what the claim was about."), field="about")
    try:
        row = place.table.row(decision.row) if decision.row else None
    except KeyError:
        row = None
    setting = place.setting(row, decision.offender, head=head)
    found = decisions.fault(decision, setting)
    if found is not None:
        raise refusal(found)
    if decision.result == "paper":
        decision = replace(decision, sheet=_checked_sheet(case, decision))
    planned = effects.plan(decision, setting, place.scene)
    _not_twice(case, planned, quashed)
    _punished_once(case, decision, setting, quashed)
    plans = plans_of(case, decision, planned)
    lifts = tuple(results.effects_of(quashed.ref, competition=case.competition)) if quashed is not None else ()
    step, earlier = place.step(row, decision.offender) if row is not None and decision.offender is not None else (0, 0)
    standard = row.steps[step - 1].penalty if row is not None and step else penalties.NONE
    again = reexamined(quashed) if quashed is not None else ()
    offender = Player.objects.filter(pk=decision.offender).first() if decision.offender is not None else None
    preview = RulingPreview(
        step=step,
        earlier=earlier,
        standard=standard,
        penalty=decisions.penalty_of(decision, setting),
        needs_head=decisions.needs_head(decision, setting),
        second=keys.two_keys(decision, setting),
        left_out=decisions.left_out(decision, setting),
        planned=planned,
        sentences=tuple(words.planned_sentence(effect, case, offender) for effect in planned),
        reexamine=again,
        notices=sum(len(side) for side in place.sides),
    )
    return Weighed(decision, place, setting, preview, plans, lifts)


def _checked_sheet(case: Case, decision: Decision) -> tuple[tuple[int | None, ...], ...]:
    """Return the games of the corrected score. Raises Refused on `sheet` for a score that the match cannot have had."""
    try:
        sheet = checked_sheet(case.match, [Game.of(game) for game in decision.sheet])
    except Refused as refused:
        refused.field = "sheet"
        raise
    return tuple(tuple(game) for game in sheet)


def seen(case: Case, weighed: Weighed, changes: Preview) -> RulingPreview:
    """Return the preview with what the decision changes in the competition, and with its digest."""
    # A statement added since the preview changes the digest; a renewed lease does not.
    said = case.events.filter(type__in=["answered", "stated"]).count()
    preview = weighed.preview
    kept_out = sanctioned_by(weighed)
    digest = _digest(case, weighed.decision, preview.step, said, changes.digest, preview.planned, kept_out)
    return replace(preview, changes=changes, sanctioned=kept_out, digest=digest)


def sanctioned_by(weighed: Weighed) -> tuple[Touched, ...]:
    """Return the entries, and their matches without a result, from which the decision keeps its offender; else none."""
    offender = weighed.decision.offender
    if offender is None or not any(effect.type in sanctioned.SANCTIONS for effect in weighed.preview.planned):
        return ()
    return tuple(sanctioned.touched([offender]))


def cleaned(decision: Decision) -> Decision:
    """Return the decision with its texts trimmed. Raises Refused as `texts.clean_published` does."""
    return replace(
        decision,
        facts=clean_published(decision.facts, field="facts", most=decisions.FACTS_LENGTH, required=False, lines=True),
        reasons=clean_published(
            decision.reasons, field="reasons", most=decisions.REASONS_LENGTH, required=False, lines=True
        ),
        deviation_reason=clean_published(
            decision.deviation_reason,
            field="deviation_reason",
            most=decisions.REASONS_LENGTH,
            required=False,
            lines=True,
        ),
        rules=tuple(
            clean_published(rule, field="rules", most=decisions.RULE_LENGTH, required=False) for rule in decision.rules
        ),
    )


def plans_of(case: Case, decision: Decision, planned: Sequence[PlannedEffect]) -> tuple[EffectPlan, ...]:
    """Return the effects that change results, in the form that `competitions` takes."""
    return tuple(
        EffectPlan(
            kind=effect.type,
            match_id=case.match_id,
            game_number=effect.game_number,
            position=effect.position if effect.type != "points" else None,
            entry_id=int(effect.target.removeprefix("entry:")) if effect.type == "points" else None,
            amount=effect.amount,
            fault=decision.fault,
            sheet=effect.sheet,
        )
        for effect in planned
        if effect.type in effects.RESULT
    )


def reexamined(quashed: Ruling) -> tuple[str, ...]:
    """Return the refs of later rulings in force whose step counted `quashed`.

    A referee re-examines them; they are not changed automatically.
    """
    if quashed.offender_id is None or not quashed.row:
        return ()
    family = penalties.by_version(quashed.table_version).row(quashed.row).family
    later = Ruling.objects.filter(
        offender=quashed.offender_id,
        day=quashed.day,
        pk__gt=quashed.pk,
        step__gt=1,
        superseded_by__isnull=True,
        confirms__isnull=True,
    ).exclude(case=quashed.case_id)
    return tuple(
        ruling.ref
        for ruling in later.select_related("case")
        if penalties.by_version(ruling.table_version).row(ruling.row).family == family
    )


def root_of(case: Case) -> str:
    """Return the name of the act that a case is about."""
    if case.game is not None:
        return f"game:{case.game.slug}:{case.seq}"
    return f"match:{case.match.slug}:{case.entered}" if case.entered else f"match:{case.match.slug}"


def _not_twice(case: Case, planned: Sequence[PlannedEffect], quashed: Ruling | None) -> None:
    known = Effect.objects.filter(root=root_of(case), lifted_by__isnull=True).exclude(ruling=quashed)
    keys = {(effect.type, effect.target): effect for effect in known.select_related("ruling__case")}
    for effect in planned:
        other = keys.get((effect.type, effect.target))
        if other is not None:
            raise Refused(
                "effect_in_force",
                _("Ruling %(ref)s has done this for the same act already.") % {"ref": other.ruling.ref},
                field="row",
            )


def _punished_once(case: Case, decision: Decision, setting: Setting, quashed: Ruling | None) -> None:
    """Refuse a second finding against a player for one act. Raises Refused `act_decided`."""
    if setting.row is None or decision.offender is None or decisions.penalty_of(decision, setting) == penalties.NONE:
        return
    without = [quashed.pk] if quashed is not None else []
    other = punished(case, offender=decision.offender, family=setting.row.family, without=without)
    if other is not None:
        raise Refused(
            "act_decided",
            _("Ruling %(ref)s has punished this act already; one act is punished once.") % {"ref": other.ref},
            field="row",
            number=other.case.number,
        )


def _digest(
    case: Case,
    decision: Decision,
    step: int,
    said: int,
    changes: str,
    planned: Sequence[PlannedEffect],
    kept_out: Sequence[Touched],
) -> str:
    body = {
        "case": case.number,
        "decision": decision.digest(),
        "step": step,
        "said": said,
        "changes": changes,
        "kept_out": [[row.entry.slug, *(match.slug for match in row.matches)] for row in kept_out],
        "effects": [
            [effect.type, effect.target, effect.amount, effect.position, effect.game_number] for effect in planned
        ],
    }
    return ascii_digest(body)
