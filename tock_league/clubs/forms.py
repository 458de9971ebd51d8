"""Forms of the club pages. They check what was typed; services decide."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player

from .models import Club, ClubRole, Membership, Team


class ClubForm(forms.ModelForm):
    class Meta:
        model = Club
        fields = ["name", "town", "about"]
        help_texts = {"about": _("For example: Legion hall, 5th Street, Wednesdays and Fridays at 7 p.m.")}


class JoinForm(forms.Form):
    home = forms.BooleanField(label=_("This is my home club"), required=False)


class TeamForm(forms.ModelForm):
    """A name and two members of the club."""

    captain = forms.ModelChoiceField(label=_("Captain"), queryset=Player.objects.none())
    partner = forms.ModelChoiceField(label=_("Partner"), queryset=Player.objects.none())

    class Meta:
        model = Team
        fields = ["name"]

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        members = Player.objects.filter(
            pk__in=Membership.objects.filter(club=club, until__isnull=True).values("player")
        ).order_by("display_name")
        for name in ("captain", "partner"):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = members


class RoleForm(forms.Form):
    """Who gets which role in the club."""

    player = forms.SlugField(max_length=16)
    name = forms.ChoiceField(choices=ClubRole.Name.choices)


class RoleEndForm(forms.Form):
    role = forms.IntegerField(min_value=1)
