"""The forms that confirm an erasure, a merge and a separation."""

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


class ReasonForm(forms.Form):
    """Why two players are separated again."""

    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("Kept apart from the public journal, which says that there is one."),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class MergeForm(ReasonForm):
    """Why two players are merged. `met`: whether they have met, which then has to be ticked."""

    despite_meetings = forms.BooleanField(
        label=_("They have met, and are one person all the same: games in which both sat count no more for ratings."),
        required=False,
    )

    def __init__(self, *args: object, met: bool, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        if not met:
            del self.fields["despite_meetings"]
