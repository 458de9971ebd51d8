"""Forms of captains, players and organisers about an entry."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player, plain_text
from tock_league.clubs.models import Team

from ..selectors.entries.late import Opening
from .fields import reason_field


class RegisterForm(forms.Form):
    """The team that enters, and its substitutes."""

    team = forms.ModelChoiceField(label=_("Team"), queryset=Team.objects.none(), to_field_name="slug")
    substitutes = forms.ModelMultipleChoiceField(
        label=_("Substitutes"), queryset=Player.objects.none(), to_field_name="slug", required=False
    )

    def __init__(self, *args: Any, teams: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        team, substitutes = self.fields["team"], self.fields["substitutes"]
        assert isinstance(team, forms.ModelChoiceField)
        assert isinstance(substitutes, forms.ModelMultipleChoiceField)
        team.queryset = teams
        substitutes.queryset = Player.objects.filter(team_spells__team__in=teams, team_spells__left__isnull=True)


class LateForm(forms.Form):
    """The team that comes late, and the group that it joins."""

    team = forms.ModelChoiceField(label=_("Team"), queryset=Team.objects.none(), to_field_name="slug")
    group = forms.TypedChoiceField(label=_("Group"), coerce=int, empty_value=None, required=False)

    def __init__(self, *args: Any, teams: Any, openings: Sequence[Opening], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        team, group = self.fields["team"], self.fields["group"]
        assert isinstance(team, forms.ModelChoiceField)
        assert isinstance(group, forms.ChoiceField)
        team.queryset = teams
        team.help_text = _("All its players count as having said yes.")
        group.choices = [
            ("", _("the smallest")),
            *((opening.group.ordinal, opening.group.name) for opening in openings),
        ]
        if len(openings) < 2:
            group.widget = forms.HiddenInput()


class LeaveForm(forms.Form):
    """How a team leaves; after the draw a reason is required."""

    how = forms.ChoiceField(choices=[("withdrawal", _("it withdraws")), ("disqualification", _("it is disqualified"))])
    reason = reason_field()

    def __init__(self, *args: Any, ways: Sequence[str], needed: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["how"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(way, way) for way in ways]
        self.fields["reason"].required = needed


class NeededReasonForm(forms.Form):
    reason = reason_field(required=True)


class PresenceForm(forms.Form):
    """Marks a player as present, or takes that back."""

    player = forms.SlugField(max_length=16)
    here = forms.ChoiceField(choices=[("yes", _("here")), ("no", _("not here"))])


class ArrivalsForm(forms.Form):
    """Which entries the check-in list shows: names, or the code of a badge."""

    q = forms.CharField(
        label=_("Name, team, or code of a badge"), max_length=200, required=False, validators=[plain_text]
    )
    show = forms.ChoiceField(choices=[("all", ""), ("missing", "")], required=False)


class SubstituteForm(forms.Form):
    """A starter and the substitute who replaces them."""

    leaves = forms.SlugField(max_length=16)
    comes = forms.SlugField(max_length=16)


class AddSubstituteForm(forms.Form):
    """A substitute of the team who joins the roster."""

    player = forms.SlugField(max_length=16)
