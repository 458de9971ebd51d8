"""Forms of referees, panels and organisers, without the form of a ruling."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player

from ..core import decisions
from ..models import Case, Vote
from .fields import ONE_LINE, PLAIN, area


class ReasonForm(forms.Form):
    """A reason in one line."""

    reason = forms.CharField(
        label=_("Reason"), max_length=decisions.NOTE_LENGTH, validators=PLAIN, widget=area(2, decisions.NOTE_LENGTH)
    )


class EscalateForm(ReasonForm):
    """Gives the case to the head referee, with the draft of the ruling or without."""

    draft = forms.BooleanField(
        label=_("With my draft of the decision"),
        required=False,
        initial=True,
        help_text=_("The head referee who takes the case reads it. Otherwise nobody but you does."),
    )


class DismissForm(ReasonForm):
    """Why a case is not admissible, and what its claim was about where the filer chose another kind."""

    about = forms.ChoiceField(label=_("What the claim is about"), required=False, choices=Case.Kind.choices)


class SecondForm(forms.Form):
    """The second signature of a ruling: nothing is typed, but a refusal is shown."""


class ReviewForm(ReasonForm):
    """The new evidence on which a ruled case is re-examined."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].label = _("New evidence")


class SeatForm(forms.Form):
    """Selects the seat whose hand a referee asks to see; one seat at a time."""

    seat = forms.TypedChoiceField(label=_("Hand of"), coerce=int, empty_value=None, required=False)

    def __init__(self, *args: Any, seats: Sequence[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["seat"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("nobody")), *((str(seat), name) for seat, name in seats)]


class VoteForm(forms.Form):
    """A member's vote on the panel, with a note the others read when all have voted."""

    vote = forms.ChoiceField(label=_("Your vote"), choices=Vote.Choice.choices, widget=forms.RadioSelect)
    note = forms.CharField(
        label=_("Your note"),
        max_length=decisions.NOTE_LENGTH,
        validators=PLAIN,
        widget=area(3, decisions.NOTE_LENGTH),
        help_text=_("The other members read it when all three have voted."),
    )


class UpholdForm(forms.Form):
    """The panel upholds the ruling, for these reasons."""

    reasons = forms.CharField(
        label=_("Reasons of the panel"),
        max_length=decisions.REASONS_LENGTH,
        validators=PLAIN,
        widget=area(4, decisions.REASONS_LENGTH),
        help_text=_("Published. Write for both sides."),
    )


class OutsiderForm(forms.Form):
    """No referee of the event is free of conflict: the organiser names one from outside, and the case records it."""

    player = forms.ModelChoiceField(label=_("Player"), queryset=Player.objects.none(), to_field_name="slug")
    reason = forms.CharField(
        label=_("Reason, shown in the case"), max_length=decisions.NOTE_LENGTH, validators=ONE_LINE
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["player"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = Player.objects.filter(user__isnull=False, bot="").order_by("display_name")
