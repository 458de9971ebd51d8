"""The form of a ruling."""

import json
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tock_league.competitions.forms.papers import PaperForm, initial_games

from ..core import decisions
from ..core.decisions import Decision
from ..models import Case, Ruling
from ..selectors.rulings.choices import FAULTS, measure, outcomes, results
from .fields import ONE_LINE, PLAIN, area, told

GAMES = ("winner_", "margin_", "count_")  # how the fields of a corrected score's games begin


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
        widget=area(2, decisions.REASONS_LENGTH),
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
    result = forms.ChoiceField(label=_("Result"), required=False)
    game_number = forms.TypedChoiceField(label=_("Of"), coerce=int, empty_value=None, required=False)
    winner = forms.TypedChoiceField(label=_("Winner"), coerce=int, empty_value=None, required=False)
    absent = forms.TypedChoiceField(label=_("Did not come"), coerce=int, empty_value=None, required=False)
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
        widget=area(3, decisions.FACTS_LENGTH),
        help_text=_("Published. Name no hidden card of a game that goes on."),
    )
    reasons = forms.CharField(
        label=_("Reasons"),
        max_length=decisions.REASONS_LENGTH,
        validators=PLAIN,
        widget=area(4, decisions.REASONS_LENGTH),
        help_text=_("Published. Write for both sides."),
    )

    TOUCHED = ("card", "marble")
    AGAINST_A_PLAYER = ("blind_burn", "touch")  # not shown, and not sent, with an outcome that names no player
    RUNNING = ("remedies", "card", "marble", "rewind_to", "clock_seat", "clock_s")
    AFTER = ("result", "game_number", "winner", "absent", "fault")

    def __init__(self, *args: Any, options: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.options = options
        # By row, the measures that a finding demands; the page's script chooses them with the row.
        self.due = {row.code: row.due for row in options.rows if row.due and options.running}
        self.initial = {"about": options.kind, **self.initial}
        known_outcomes = outcomes(entered=options.entered)
        self._choices("outcome", [(value, told(title, detail)) for value, title, detail in known_outcomes])
        rows = [(row.code, told(row.infraction, row.remedy)) for row in options.rows]
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
        self._choices("remedies", [(code, told(*measure(options.game, code))) for code in options.remedies])
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
        sides = [(str(position), name) for position, name in options.sides]
        self._choices("winner", [("", "—"), *sides])
        self._choices("result", results(entered=options.entered, on_paper=options.on_paper))
        if not options.entered:
            del self.fields["absent"]
            return
        self._choices("absent", [("", _("nobody came: both lose")), *sides])
        del self.fields["game_number"]  # a result that was entered is that of the whole match
        fault = "other" if options.later_stands else "own"
        self.initial = {"outcome": Ruling.Outcome.ENTRY_ERROR, "fault": fault, **self.initial}
        if options.sheet is not None:
            self._sheet(options.sheet)

    def _sheet(self, sheet: Any) -> None:
        """Add the games of a corrected score, with those that stand."""
        for name, field in self._paper(None).fields.items():
            if name.startswith(GAMES):
                field.required = False
                self.fields[name] = field
        self.initial = {**initial_games(sheet.games), **self.initial}

    def _paper(self, data: Any) -> PaperForm:
        sheet = self.options.sheet
        return PaperForm(
            data,
            names=[name for _position, name in self.options.sides],
            best_of=sheet.best_of,
            asked=sheet.asked,
            counting=sheet.counting,
        )

    def sheet_rows(self) -> list[list[forms.BoundField]]:
        """Return the fields of each game of a corrected score; none where no score can be typed."""
        if not self.has_sheet:
            return []
        paper = self._paper(None)
        return [[self[name] for name in paper.game_fields(number)] for number in range(1, paper.best_of + 1)]

    @property
    def has_sheet(self) -> bool:
        """Whether a score can be typed."""
        return any(name.startswith(GAMES) for name in self.fields)

    @property
    def first_of_sheet(self) -> str:
        """The field beside which a fault of the score stands."""
        return self._paper(None).game_fields(1)[0] if self.has_sheet else "result"

    def clean(self) -> dict[str, Any]:
        """Add `sheet`, the games of a corrected score, and check them as a paper is checked."""
        chosen = super().clean() or {}
        chosen["sheet"] = ()
        if chosen.get("result") == "paper" and self.has_sheet:
            paper = self._paper(self.data)
            if paper.is_valid():
                chosen["sheet"] = tuple(paper.cleaned_data["games"])
            for name, faults in paper.errors.items():
                if name in self.fields and name not in self.errors:
                    self.add_error(name, faults)
        return chosen

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
            sheet=given["sheet"],
            absent=given.get("absent") if given.get("result") == "no_show" else None,
            winner=given.get("winner"),
            fault=given.get("fault") or "own",
            about="" if upheld or given["outcome"] == Ruling.Outcome.ENTRY_ERROR else given["about"],
            rules=tuple(part.strip() for part in given["rules"].split(",") if part.strip()),
            facts=given["facts"],
            reasons=given["reasons"],
        )
