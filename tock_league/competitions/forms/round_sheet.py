"""The form of a round's sheet: which match, by its address or by the number of its table."""

from django import forms

from tock_league.accounts.models import plain_text

from ..selectors.results.round_sheet import ALL, MISSING, seen_of
from .papers import TIED


class WhichForm(forms.Form):
    """The match of a result that the sheet sends."""

    match = forms.SlugField(max_length=16, required=False)
    table = forms.IntegerField(min_value=1, max_value=32_767, required=False)
    winner = forms.CharField(
        max_length=8, required=False, validators=[plain_text]
    )  # of a line of the keyboard: 1, 2; 0: a tie
    margin = forms.CharField(max_length=8, required=False, validators=[plain_text])
    known = forms.CharField(max_length=20_000, required=False, validators=[plain_text])

    def result(self, match: str) -> dict[str, str]:
        """Return a line of the keyboard as the fields of PaperForm. `match`: the one of that number."""
        typed, known = self.cleaned_data["winner"], self.cleaned_data["known"]
        winner = TIED if typed == "0" else str(int(typed) - 1) if typed.isdecimal() else typed
        return {"winner_1": winner, "margin_1": self.cleaned_data["margin"], "seen": str(seen_of(known, match))}


class ChoiceForm(forms.Form):
    """Which matches the sheet shows."""

    round = forms.RegexField(r"^\d{1,3}\.\d{1,3}$", required=False)
    show = forms.ChoiceField(choices=[(ALL, ALL), (MISSING, MISSING)], required=False)
