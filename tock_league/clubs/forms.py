"""Forms of the club pages. They check what was typed; services decide."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player, plain_text
from tock_league.common.validation import no_markup

from .models import MOST_PLACES, PAIR, SIZES, TEAM_NAME_LENGTH, Club, ClubNews, ClubRole, Membership, Team


class ClubForm(forms.ModelForm):
    class Meta:
        model = Club
        fields = ["name", "town", "about"]
        help_texts = {"about": _("For example: Legion hall, 5th Street, Wednesdays and Fridays at 7 p.m.")}


class NewsForm(forms.ModelForm):
    class Meta:
        model = ClubNews
        fields = ["text"]
        widgets = {"text": forms.Textarea(attrs={"rows": 3})}
        help_texts = {"text": _("At most 500 letters, without line breaks.")}


class JoinForm(forms.Form):
    home = forms.BooleanField(label=_("This is my home club"), required=False)


class TeamForm(forms.ModelForm):
    """A name and two to four members of the club."""

    captain = forms.ModelChoiceField(label=_("Captain"), queryset=Player.objects.none())
    partner = forms.ModelChoiceField(label=_("Partner"), queryset=Player.objects.none())
    third = forms.ModelChoiceField(
        label=_("Third player"),
        queryset=Player.objects.none(),
        required=False,
        help_text=_("For a team of three, at tables of 6 seats."),
    )
    fourth = forms.ModelChoiceField(
        label=_("Fourth player"),
        queryset=Player.objects.none(),
        required=False,
        help_text=_("For a team of four, at tables of 8 seats."),
    )

    PLAYERS = ("captain", "partner", "third", "fourth")

    class Meta:
        model = Team
        fields = ["name"]

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        members = Player.objects.filter(
            pk__in=Membership.objects.filter(club=club, until__isnull=True).values("player")
        ).order_by("display_name")
        for name in self.PLAYERS:
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = members

    def players(self) -> list[Player]:
        """Return whom the form names, the captain first."""
        return [self.cleaned_data[name] for name in self.PLAYERS if self.cleaned_data[name] is not None]


class RoleForm(forms.Form):
    """Gives a member a role in the club."""

    player = forms.SlugField(max_length=16)
    name = forms.ChoiceField(choices=ClubRole.Name.choices)


class RoleEndForm(forms.Form):
    role = forms.IntegerField(min_value=1)


def size_choices() -> list[tuple[int, str]]:
    """Return the sizes of a team, each with the tables where two sides of it play."""
    return [
        (size, _("%(size)d players, for tables of %(seats)d") % {"size": size, "seats": 2 * size}) for size in SIZES
    ]


def size_field() -> forms.TypedChoiceField:
    """Return a field for how many players of a team sit at a table."""
    return forms.TypedChoiceField(
        label=_("Players at the table"), coerce=int, choices=size_choices, initial=PAIR, widget=forms.RadioSelect
    )


class FoundTeamForm(forms.Form):
    """A name, how many play, and the club the team plays for, or none."""

    name = forms.CharField(
        label=_("Name of the team"),
        min_length=2,
        max_length=TEAM_NAME_LENGTH,
        validators=[plain_text, no_markup],
        help_text=_("For example: Les Draveurs. You can change it later."),
    )
    size = size_field()
    club = forms.ModelChoiceField(
        label=_("Club"),
        queryset=Club.objects.none(),
        required=False,
        to_field_name="slug",
        empty_label=_("no club: a free team"),
    )

    def __init__(self, *args: Any, by: Player | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["club"]
        assert isinstance(field, forms.ModelChoiceField)
        own = Membership.objects.filter(player=by, until__isnull=True).values("club")
        field.queryset = Club.objects.filter(pk__in=own)


class RenameTeamForm(forms.Form):
    name = forms.CharField(
        label=_("Name of the team"),
        min_length=2,
        max_length=TEAM_NAME_LENGTH,
        validators=[plain_text, no_markup],
    )


class ResizeTeamForm(forms.Form):
    size = size_field()


class SearchForm(forms.Form):
    """Part of a player's name."""

    q = forms.CharField(label=_("Name of the player"), max_length=40, required=False, validators=[plain_text])


class PlaceForm(forms.Form):
    """A free place of a team, for an invitation."""

    slot = forms.IntegerField(label=_("Place"), min_value=2, max_value=MOST_PLACES)


class InviteForm(PlaceForm):
    player = forms.SlugField(max_length=16)


class MoveForm(forms.Form):
    """A player of the team and the place they go to."""

    player = forms.SlugField(max_length=16)
    slot = forms.IntegerField(label=_("Place"), min_value=1, max_value=MOST_PLACES)


class AnswerForm(forms.Form):
    accept = forms.ChoiceField(choices=[("yes", _("Accept")), ("no", _("Decline"))])
