"""The form that ends a season."""

from django import forms
from django.utils.translation import gettext_lazy as _

from .selectors import ladders
from .selectors.words import ladder_name


class EndSeasonForm(forms.Form):
    """Whose season ends, and what it is called."""

    family = forms.ChoiceField(label=_("Ladders"))
    name = forms.CharField(
        label=_("Name of the season that ends"),
        max_length=60,
        help_text=_("Such as “Autumn 2026”; everybody reads it."),
    )
    sure = forms.BooleanField(label=_("I know that this cannot be taken back."))

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        names: dict[str, list[str]] = {}
        for ladder in ladders():
            names.setdefault(ladder.family, []).append(ladder_name(ladder.family, ladder.teams))
        field = self.fields["family"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(family, " – ".join(several)) for family, several in names.items()]
