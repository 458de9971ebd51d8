"""What a person may ask for outside a table."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games import bots


class PracticeForm(forms.Form):
    """A practice table against three bots."""

    level = forms.ChoiceField(
        label=_("Strength of the bots"),
        required=False,
        choices=[(level, level) for level in bots.LEVELS],
        error_messages={"invalid_choice": _("There is no bot of this level.")},
    )

    def clean_level(self) -> str:
        """Answer the level chosen, the stronger one by default."""
        return self.cleaned_data["level"] or bots.LEVELS[-1]
