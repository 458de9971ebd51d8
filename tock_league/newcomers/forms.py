"""Forms of the pages about newcomers. They check what was typed; services decide."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import NAME_LENGTH

from .reading import MOST_BYTES, MOST_LINES

CHOICE = "line-"  # of the names of the choices, before the number of the line
AGREED = _("Everybody on the list knows that name and results are public here, and nobody is younger than 14")


class OneForm(forms.Form):
    """The name of one player."""

    name = forms.CharField(label=_("Name"), max_length=2 * NAME_LENGTH)
    agreed = forms.BooleanField(
        label=_("This person knows that name and results are public here, and is 14 or older"), required=False
    )


class ListForm(forms.Form):
    """A pasted list, or a file; what a preview has shown comes back as the text."""

    text = forms.CharField(
        label=_("Names"),
        required=False,
        strip=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        help_text=_("One name a line; or copied from a spreadsheet, with the heads name, team, club."),
    )
    file = forms.FileField(
        label=_("Or a file"),
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx"}),
    )
    agreed = forms.BooleanField(label=AGREED, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Here and not above: what is put into a lazy text is written in the language of that moment.
        self.fields["file"].help_text = gettext("CSV or XLSX, at most %(most)d names.") % {"most": MOST_LINES}

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and not found.get("file") and not found.get("text", "").strip():
            self.add_error("text", _("Paste names, or choose a file."))
        return found

    def body(self) -> bytes:
        """Return the bytes of the file, or of the text; of what is too large no more than shows that it is."""
        if (file := self.cleaned_data["file"]) is not None:
            return bytes(file.read(MOST_BYTES + 1))
        return str(self.cleaned_data["text"]).encode("utf-8", "replace")

    def choices(self) -> dict[int, str]:
        """Return what was chosen for likely doubles, by the number of the line."""
        return {
            int(name.removeprefix(CHOICE)): str(value)
            for name, value in self.data.items()
            if name.startswith(CHOICE) and name.removeprefix(CHOICE).isdecimal() and len(name) < 12
        }


class CodeForm(forms.Form):
    """The code that an officer gave."""

    code = forms.CharField(label=_("Your code"), max_length=24, widget=forms.TextInput(attrs={"size": 14}))
