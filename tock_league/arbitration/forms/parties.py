"""Forms of the players of a match: a dispute, a statement, an appeal, a family tie."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player

from ..models import Appeal, Case
from ..models.case import TEXT_LENGTH
from ..selectors.cases.result_disputes import KINDS
from .fields import PLAIN, area, told


class DisputeForm(forms.Form):
    """A player disputes a finished game at one of its plays."""

    seq = forms.IntegerField(min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)
    kind = forms.ChoiceField(label=_("What is it about?"))
    text = forms.CharField(
        label=_("What happened"),
        max_length=TEXT_LENGTH,
        validators=PLAIN,
        widget=area(4, TEXT_LENGTH),
        help_text=_("At most 280 characters. The other side and the referee read it; it is not published."),
    )

    def __init__(self, *args: Any, kinds: Sequence[tuple[str, object]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["kind"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(kinds)


def _asks() -> list[tuple[str, str]]:
    return [(value, str(capfirst(label))) for value, label in Case.Asks.choices]


class ResultDisputeForm(forms.Form):
    """A player disputes the result of a match that people entered."""

    kind = forms.ChoiceField(
        label=_("What is it about?"),
        widget=forms.RadioSelect,
        choices=lambda: [(value, told(capfirst(Case.Kind(value).label), detail)) for value, detail in KINDS.items()],
    )
    asks = forms.ChoiceField(label=_("What you ask for"), widget=forms.RadioSelect, choices=_asks)
    text = forms.CharField(
        label=_("What happened"),
        max_length=TEXT_LENGTH,
        validators=PLAIN,
        widget=area(4, TEXT_LENGTH),
        help_text=_("At most 280 characters. The other side and the referee read it; it is not published."),
    )


class StatementForm(forms.Form):
    """A statement of one side to the referee."""

    text = forms.CharField(
        label=_("Your words"),
        max_length=TEXT_LENGTH,
        validators=PLAIN,
        widget=area(3, TEXT_LENGTH),
        help_text=_("At most 280 characters, in plain text."),
    )


class AppealForm(forms.Form):
    """An appeal of one side to three other referees."""

    grounds = forms.ChoiceField(label=_("Grounds"), choices=Appeal.Grounds.choices, widget=forms.RadioSelect)
    text = forms.CharField(
        label=_("Why"),
        max_length=TEXT_LENGTH,
        validators=PLAIN,
        widget=area(4, TEXT_LENGTH),
        help_text=_("At most 280 characters. Three other referees read it."),
    )


class TieForm(forms.Form):
    """A player declares somebody of their family or household."""

    other = forms.ModelChoiceField(label=_("Player"), queryset=Player.objects.none(), to_field_name="slug")

    def __init__(self, *args: Any, by: Player | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["other"]
        assert isinstance(field, forms.ModelChoiceField)
        known = Player.objects.filter(user__isnull=False, bot="").order_by("display_name")
        field.queryset = known.exclude(pk=by.pk) if by is not None else known
