"""The forms of an import: the file, and what its preview has shown."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person
from tock_league.clubs.models import Club

from .reading import MOST_BYTES
from .selectors import importing_clubs


class ImportForm(forms.Form):
    """The club whose page shows the event, and the file; or its text, when it has been previewed."""

    club = forms.ModelChoiceField(label=_("Club that shows the event"), queryset=Club.objects.none(), empty_label=None)
    file = forms.FileField(
        label=_("Results file"),
        required=False,
        help_text=_("A file in the open results format, tock-results/1: event.json of the other site."),
        widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json"}),
    )
    text = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, by: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["club"]
        assert isinstance(field, forms.ModelChoiceField)
        if not self.data.get("text"):  # no preview has shown it yet
            self.fields["file"].required = True
        field.queryset = Club.objects.filter(pk__in=[club.pk for club in importing_clubs(by)]).order_by("name")

    def body(self) -> bytes:
        """Return the file's bytes; of a file that is too large no more than shows that it is."""
        file = self.cleaned_data["file"]
        if file is not None:
            return bytes(file.read(MOST_BYTES + 1))
        return str(self.cleaned_data["text"]).encode("utf-8", "surrogatepass")
