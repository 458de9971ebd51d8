"""Forms of the case pages. They check what was typed; services decide and write."""

import json
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player, plain_text
from tock_league.common.validation import no_markup

from .core import decisions
from .core.decisions import Decision
from .models import Appeal, Case, Ruling, Vote
from .models.case import TEXT_LENGTH
from .selectors.rulings.choices import FAULTS, OUTCOMES, RESULTS, measure

PLAIN = [no_markup]
ONE_LINE = [plain_text, no_markup]


def _area(rows: int, most: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows, "maxlength": most})


def _told(title: object, detail: object) -> SafeString:
    """Return a choice in two lines: what it is, and what it means."""
    return format_html('<b>{}</b><span class="small">{}</span>', title, detail)


class DisputeForm(forms.Form):
    """A player disputes a finished game at one of its plays."""

    seq = forms.IntegerField(min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)
    kind = forms.ChoiceField(label=_("What is it about?"))
    text = forms.CharField(
        label=_("What happened"),
        max_length=TEXT_LENGTH,
        validators=PLAIN,
        widget=_area(4, TEXT_LENGTH),
        help_text=_("At most 280 characters. The other side and the referee read it; it is not published."),
    )

    def __init__(self, *args: Any, kinds: Sequence[tuple[str, object]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["kind"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(kinds)


class StatementForm(forms.Form):
    """A statement of one side to the referee."""

    text = forms.CharField(
        label=_("Your words"),
        max_length=TEXT_LENGTH,
        validators=PLAIN,
        widget=_area(3, TEXT_LENGTH),
        help_text=_("At most 280 characters, in plain text."),
    )


class ReasonForm(forms.Form):
    """A reason in one line."""

    reason = forms.CharField(
        label=_("Reason"), max_length=decisions.NOTE_LENGTH, validators=PLAIN, widget=_area(2, decisions.NOTE_LENGTH)
    )


class EscalateForm(ReasonForm):
    """Gives the case to the head referee, with the draft of the ruling or without."""

    draft = forms.BooleanField(
        label=_("With my draft of the decision"),
        required=False,
        initial=True,
        help_text=_("The head referee who takes the case reads it. Otherwise nobody but you does."),
    )


class DismissForm(ReasonForm):
    """Why a case is not admissible, and what its claim was about where the filer chose another kind."""

    about = forms.ChoiceField(label=_("What the claim is about"), required=False, choices=Case.Kind.choices)


class SecondForm(forms.Form):
    """The second signature of a ruling: nothing is typed, but a refusal is shown."""


class ReviewForm(ReasonForm):
    """The new evidence on which a ruled case is re-examined."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].label = _("New evidence")


class SeatForm(forms.Form):
    """Selects the seat whose hand a referee asks to see; one seat at a time."""

    seat = forms.TypedChoiceField(label=_("Hand of"), coerce=int, empty_value=None, required=False)

    def __init__(self, *args: Any, seats: Sequence[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["seat"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("nobody")), *((str(seat), name) for seat, name in seats)]


class AppealForm(forms.Form):
    """An appeal of one side to three other referees."""

    grounds = forms.ChoiceField(label=_("Grounds"), choices=Appeal.Grounds.choices, widget=forms.RadioSelect)
    text = forms.CharField(
        label=_("Why"),
        max_length=TEXT_LENGTH,
        validators=PLAIN,
        widget=_area(4, TEXT_LENGTH),
        help_text=_("At most 280 characters. Three other referees read it."),
    )


class VoteForm(forms.Form):
    """A member's vote on the panel, with a note the others read when all have voted."""

    vote = forms.ChoiceField(label=_("Your vote"), choices=Vote.Choice.choices, widget=forms.RadioSelect)
    note = forms.CharField(
        label=_("Your note"),
        max_length=decisions.NOTE_LENGTH,
        validators=PLAIN,
        widget=_area(3, decisions.NOTE_LENGTH),
        help_text=_("The other members read it when all three have voted."),
    )


class UpholdForm(forms.Form):
    """The panel upholds the ruling, for these reasons."""

    reasons = forms.CharField(
        label=_("Reasons of the panel"),
        max_length=decisions.REASONS_LENGTH,
        validators=PLAIN,
        widget=_area(4, decisions.REASONS_LENGTH),
        help_text=_("Published. Write for both sides."),
    )


class OutsiderForm(forms.Form):
    """No referee of the event is free of conflict: the organiser names one from outside, and the case records it."""

    player = forms.ModelChoiceField(label=_("Player"), queryset=Player.objects.none(), to_field_name="slug")
    reason = forms.CharField(
        label=_("Reason, shown in the case"), max_length=decisions.NOTE_LENGTH, validators=ONE_LINE
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["player"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = Player.objects.filter(user__isnull=False, bot="").order_by("display_name")


class TieForm(forms.Form):
    """A player declares somebody of their family or household."""

    other = forms.ModelChoiceField(label=_("Player"), queryset=Player.objects.none(), to_field_name="slug")

    def __init__(self, *args: Any, by: Player | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["other"]
        assert isinstance(field, forms.ModelChoiceField)
        known = Player.objects.filter(user__isnull=False, bot="").order_by("display_name")
        field.queryset = known.exclude(pk=by.pk) if by is not None else known


class DecisionForm(forms.Form):
    """A ruling before it is signed: the finding, the row of the table, the measures, the reasons."""

    outcome = forms.ChoiceField(label=_("Outcome"), widget=forms.RadioSelect, initial=Ruling.Outcome.UPHELD)
    about = forms.ChoiceField(
        label=_("What the claim is about"),
        required=False,
        choices=Case.Kind.choices,
        help_text=_("Two referees dismiss a claim of talking, conduct or a false deal."),
    )
    row = forms.ChoiceField(label=_("Row of the penalty table"), required=False, widget=forms.RadioSelect)
    offender = forms.TypedChoiceField(label=_("Player at fault"), coerce=int, empty_value=None, required=False)
    penalty = forms.ChoiceField(
        label=_("Penalty"),
        required=False,
        help_text=_("The head referee may deviate from the table, with a written reason."),
    )
    deviation_reason = forms.CharField(
        label=_("Why another penalty or measure than the table's"),
        required=False,
        max_length=decisions.REASONS_LENGTH,
        validators=PLAIN,
        widget=_area(2, decisions.REASONS_LENGTH),
    )
    remedies = forms.MultipleChoiceField(
        label=_("At the table, now"), required=False, widget=forms.CheckboxSelectMultiple
    )
    card = forms.CharField(
        label=_("Card that binds"),
        required=False,
        max_length=3,
        validators=ONE_LINE,
        help_text=_("For example 9C; JK is a joker."),
    )
    marble = forms.CharField(
        label=_("Marble that binds"),
        required=False,
        max_length=4,
        validators=ONE_LINE,
        help_text=_("Its place, for example t47."),
    )
    rewind_to = forms.TypedChoiceField(label=_("Take back"), coerce=int, empty_value=None, required=False)
    clock_seat = forms.TypedChoiceField(label=_("Clock of"), coerce=int, empty_value=None, required=False)
    clock_s = forms.IntegerField(
        label=_("Seconds"),
        required=False,
        min_value=-decisions.CLOCK_MOST_MS // 1000,
        max_value=decisions.CLOCK_MOST_MS // 1000,
    )
    # Translators: a form field: what becomes of the result of a game or match.
    result = forms.ChoiceField(label=_("Result"), required=False, choices=RESULTS)
    game_number = forms.TypedChoiceField(label=_("Of"), coerce=int, empty_value=None, required=False)
    winner = forms.TypedChoiceField(label=_("Winner"), coerce=int, empty_value=None, required=False)
    fault = forms.ChoiceField(
        label=_("Whoever profited did so by"),
        required=False,
        choices=FAULTS,
        help_text=_("In a bracket: a place gained by the own error goes; otherwise a later round stands."),
    )
    rules = forms.CharField(
        label=_("Rules applied"),
        required=False,
        max_length=200,
        validators=ONE_LINE,
        help_text=_("Sections of the rules page or of the regulations, with commas between them."),
    )
    facts = forms.CharField(
        label=_("Facts found"),
        max_length=decisions.FACTS_LENGTH,
        validators=PLAIN,
        widget=_area(3, decisions.FACTS_LENGTH),
        help_text=_("Published. Name no hidden card of a game that goes on."),
    )
    reasons = forms.CharField(
        label=_("Reasons"),
        max_length=decisions.REASONS_LENGTH,
        validators=PLAIN,
        widget=_area(4, decisions.REASONS_LENGTH),
        help_text=_("Published. Write for both sides."),
    )

    TOUCHED = ("card", "marble")
    AGAINST_A_PLAYER = ("blind_burn", "touch")  # not shown, and not sent, with an outcome that names no player
    RUNNING = ("remedies", "card", "marble", "rewind_to", "clock_seat", "clock_s")
    AFTER = ("result", "game_number", "winner", "fault")

    def __init__(self, *args: Any, options: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.options = options
        # By row, the measures that a finding demands; the page's script chooses them with the row.
        self.due = {row.code: row.due for row in options.rows if row.due and options.running}
        self.initial = {"about": options.kind, **self.initial}
        self._choices("outcome", [(value, _told(title, detail)) for value, title, detail in OUTCOMES])
        rows = [(row.code, _told(row.infraction, row.remedy)) for row in options.rows]
        self._choices("row", rows)
        players = [(str(player.id), f"{player.name} ({player.side})") for player in options.players]
        self._choices("offender", [("", "—"), *players])
        known = [(code, self._penalty(label, head_only=code in options.head_only)) for code, label in options.penalties]
        self._choices("penalty", [("", _("as the table says")), *known])
        for name in self.AFTER if options.running else self.RUNNING:
            del self.fields[name]
        if options.running:
            self._running(options)
        else:
            self._after(options)

    @property
    def due_measures(self) -> str:
        """The measures due by row, as JSON for the page's script."""
        return json.dumps(self.due)

    def _penalty(self, label: str, *, head_only: bool) -> str:
        """Return the name of a penalty; for other referees, mark those that only the head referee may sign."""
        if head_only and not self.options.head:
            return gettext("%(penalty)s (head referee)") % {"penalty": label}
        return label

    def _running(self, options: Any) -> None:
        seats = [(str(player.seat), player.name) for player in options.players if player.seat is not None]
        self._choices("remedies", [(code, _told(*measure(options.game, code))) for code in options.remedies])
        if options.row in self.due:
            self.initial = {"row": options.row, "remedies": list(self.due[options.row]), **self.initial}
        if "touch" not in options.remedies:
            for name in self.TOUCHED:
                del self.fields[name]
        self._choices("clock_seat", [("", "—"), *sorted(seats)])
        self._choices("rewind_to", [("", "—"), *((str(back.to), back.label) for back in options.rewinds)])

    def _after(self, options: Any) -> None:
        # Translators: the whole match, not one game of it.
        whole = pgettext_lazy("result of", "the whole match")
        games = [(str(number), gettext("game %(number)s") % {"number": number}) for number in options.games]
        self._choices("game_number", [("", whole), *games])
        self._choices("winner", [("", "—"), *((str(position), name) for position, name in options.sides)])

    def _choices(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def decision(self) -> Decision:
        """Return the decision as it was typed; call it when the form is valid."""
        given = self.cleaned_data
        upheld = given["outcome"] == Ruling.Outcome.UPHELD
        return Decision(
            outcome=given["outcome"],
            row=given["row"] if upheld else "",
            offender=given["offender"] if upheld else None,
            penalty=given["penalty"] if upheld else "",
            deviation_reason=given["deviation_reason"],
            remedies=tuple(code for code in given.get("remedies", ()) if upheld or code not in self.AGAINST_A_PLAYER),
            card=given.get("card", "").upper(),
            marble=given.get("marble", "").lower(),
            rewind_to=given.get("rewind_to"),
            clock_seat=given.get("clock_seat"),
            clock_ms=(given.get("clock_s") or 0) * 1000,
            result=given.get("result", ""),
            game_number=given.get("game_number"),
            winner=given.get("winner"),
            fault=given.get("fault") or "own",
            about="" if upheld else given["about"],
            rules=tuple(part.strip() for part in given["rules"].split(",") if part.strip()),
            facts=given["facts"],
            reasons=given["reasons"],
        )
