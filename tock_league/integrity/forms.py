from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from .services.deciding import REASON_LENGTH


class CloseForm(forms.Form):
    """Why nothing has to be done."""

    reason = forms.CharField(
        label=_("Why nothing has to be done"), max_length=REASON_LENGTH, widget=forms.Textarea(attrs={"rows": 3})
    )


class CaseForm(forms.Form):
    """A case about one of the games."""

    game = forms.ChoiceField(label=_("Which game"))
    reason = forms.CharField(
        label=_("What the players are asked to answer"),
        help_text=_("Both sides read it."),
        max_length=REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, games: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game"].choices = games  # type: ignore[attr-defined]
