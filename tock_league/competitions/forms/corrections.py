"""The form by which the desk corrects a result."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ..models import Correction, Match
from .fields import reason_field

K = Correction.Kind
NOBODY = "no_show:both"


class CorrectionForm(forms.Form):
    """What is right, and why; the games of a score are fields of a PaperForm beside it."""

    what = forms.ChoiceField(label=_("What is right?"), widget=forms.RadioSelect)
    other = forms.ModelChoiceField(
        label=_("Which match it belongs to"),
        queryset=Match.objects.none(),
        required=False,
        to_field_name="slug",
        empty_label="—",
    )
    reason = reason_field(required=True)

    def __init__(
        self, *args: Any, names: Sequence[str], on_paper: bool, others: Sequence[tuple[Match, str]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        choices: list[tuple[str, Any]] = [(str(K.PAPER), _("this score:"))] if on_paper else []
        choices += [
            (f"{K.NO_SHOW}:{position}", _("%(team)s did not come") % {"team": name})
            for position, name in enumerate(names)
        ]
        choices += [(NOBODY, _("nobody came: both lose")), (str(K.REOPEN), _("the match has no result yet"))]
        if others:
            choices.append((str(K.MOVE), _("the result belongs to another match:")))
        what = self.fields["what"]
        assert isinstance(what, forms.ChoiceField)
        what.choices = choices
        if not others:
            del self.fields["other"]
            return
        other = self.fields["other"]
        assert isinstance(other, forms.ModelChoiceField)
        labels = {match.pk: label for match, label in others}
        other.queryset = Match.objects.filter(pk__in=labels)
        other.label_from_instance = lambda obj: labels[obj.pk]  # type: ignore[method-assign]

    def clean(self) -> dict[str, Any]:
        """Add `kind` and `absent` of the choice. A result that belongs to another match names it."""
        chosen = super().clean() or {}
        kind, _colon, position = str(chosen.get("what", "")).partition(":")
        chosen["kind"], chosen["absent"] = kind, int(position) if position.isdecimal() else None
        if kind == K.MOVE and not chosen.get("other"):
            self.add_error("other", _("Choose another match of this competition."))
        return chosen


class TakingBackForm(forms.Form):
    """Why a correction is taken back."""

    reason = reason_field(required=True)
