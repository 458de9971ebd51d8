"""The form that confirms an erasure."""

from django import forms
from django.utils.translation import gettext_lazy as _


class EraseForm(forms.Form):
    """The own name, typed."""

    typed = forms.CharField(
        label=_("Type your name as it is shown to others"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: object, wanted: str, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["typed"].help_text = wanted
