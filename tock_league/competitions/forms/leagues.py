"""Forms of seasons, leagues and club nights."""

from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player, plain_text
from tock_league.accounts.permissions import Person, can
from tock_league.clubs.models import PAIR, Club, Membership, Team

from ..core import places
from ..core.corrections import EVENT_S, LEAGUE_S
from ..models import Competition, Entry, Match, RosterSpot, Season
from ..selectors.seasons import competitions
from ..selectors.seasons.shapes import Shape
from .caps import FIELDS as CAP_FIELDS
from .caps import CapFields, cap_initial
from .fields import BotsField, CorrectionField, DayInput, LocalDateTimeField, PlaceField, PlayersField, place_of
from .shapes import LengthField, ShapeField


class SeasonForm(forms.ModelForm):
    """A season. Its club is no field of the model here, so that the service checks the name in it and names the field."""

    class Meta:
        model = Season
        fields = ["name", "starts_on", "ends_on"]
        widgets = {"starts_on": DayInput(), "ends_on": DayInput()}

    def __init__(self, *args: Any, by: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["club"] = _own_club(
            by, alone=can(by, "season.create", None), help_text=_("Only this club makes leagues in it.")
        )
        self.order_fields(["name", "club"])


GAMES = ("rules", "game_rounds", "best_of", "clocks", *CAP_FIELDS)  # the order of the fields about games


class SettingsForm(CapFields):
    """The settings that a league and a club night share."""

    name = forms.CharField(label=_("Name"), min_length=3, max_length=80)
    rules = ShapeField()
    best_of = forms.TypedChoiceField(
        label=_("Games in a match"),
        coerce=int,
        choices=[(1, _("1 game")), (3, _("best of 3")), (5, _("best of 5"))],
    )
    game_rounds = LengthField()
    clocks = forms.BooleanField(
        label=_("Clocks"),
        required=False,
        initial=True,
        help_text=_("Five minutes a player, five seconds more for each decision, at most a minute for one."),
    )
    place = PlaceField()
    bots_allowed = BotsField()


class LeagueForm(SettingsForm):
    """Six questions for a new league; other settings have default values, which its page shows."""

    season = forms.ModelChoiceField(label=_("Season"), queryset=Season.objects.all())
    division = forms.CharField(label=_("Name of the division"), max_length=40, initial="1")
    size = forms.IntegerField(label=_("Number of teams"), min_value=2, max_value=20, initial=8)
    club = forms.ModelChoiceField(queryset=Club.objects.none())
    correction = CorrectionField(initial=LEAGUE_S)
    field_order = ["name", "season", "division", "size", "club", *GAMES]

    def __init__(self, *args: Any, by: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["club"] = _own_club(by, alone=can(by, "competition.create", None))
        season = self.fields["season"]
        assert isinstance(season, forms.ModelChoiceField)
        season.queryset = Season.objects.filter(Q(club=None) | Q(club__in=own_clubs(by))).select_related("club")
        season.label_from_instance = _season_and_club  # type: ignore[assignment]


class EditForm(SettingsForm):
    """What a league or club night says of itself, until its calendar is made."""

    size = forms.IntegerField(label=_("Number of teams"), min_value=2, max_value=20)
    correction = CorrectionField()
    field_order = ["name", "size", *GAMES]

    def __init__(self, *args: Any, competition: Competition, **kwargs: Any) -> None:
        found, body = competition.regulations, competition.regulations.body
        initial = {
            "name": competition.name,
            "size": competition.division.size if competition.division is not None else None,
            "rules": Shape(competition.rules, competition.seats),
            "game_rounds": found.rounds,
            "best_of": found.best_of,
            "clocks": body.get("clocks") is not None,
            "correction": competition.correction_s,
            "place": place_of(competition),
            "bots_allowed": competition.bots_allowed,
        } | cap_initial(found.cap, body["tiebreaks"])
        super().__init__(*args, **kwargs | {"initial": initial})
        if competition.division is None:
            del self.fields["size"]


class NightForm(SettingsForm):
    """A club night: partners are drawn when everybody is there."""

    club = forms.ModelChoiceField(label=_("Club"), queryset=Club.objects.none())
    correction = CorrectionField(initial=EVENT_S)
    field_order = ["name", "club", *GAMES]

    def __init__(self, *args: Any, by: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["club"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = Club.objects.filter(pk__in=own_clubs(by))


def _own_club(by: Person, *, alone: bool, help_text: Any = "") -> forms.ModelChoiceField:
    """Return the choice of a club that `by` organises for. `alone`: whether it may be none, for all clubs together."""
    return forms.ModelChoiceField(
        label=_("Organising club"),
        queryset=Club.objects.filter(pk__in=own_clubs(by)),
        required=not alone,
        empty_label=_("several clubs"),
        help_text=help_text,
    )


def _season_and_club(season: Any) -> str:
    return f"{season.name} ({season.club.name})" if season.club is not None else season.name


def own_clubs(by: Person) -> list[int]:
    """Return the ids of the clubs `by` may organise for; a club night or a league is one of theirs."""
    if can(by, "competition.create", None):
        return list(Club.objects.values_list("pk", flat=True))
    if not isinstance(by, Player):
        return []
    roles = by.club_roles.filter(name__in=["officer", "organiser"], until__isnull=True)
    return list(roles.values_list("club", flat=True).distinct())


class EntryForm(forms.Form):
    """The team that enters: a named team of the club, or of any club, that is eligible and not entered yet."""

    team = forms.ModelChoiceField(label=_("Team"), queryset=Team.objects.none())

    def __init__(self, *args: Any, competition: Competition, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["team"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = competitions.teams_outside(competition)
        self.has_teams = field.queryset.exists()
        field.label_from_instance = _team_and_club  # type: ignore[assignment]


def _team_and_club(team: Any) -> str:
    return f"{team.name} ({team.club.name})" if team.club is not None else team.name


class WithdrawForm(forms.Form):
    entry = forms.ModelChoiceField(queryset=Entry.objects.none())

    def __init__(self, *args: Any, competition: Competition, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["entry"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = Entry.objects.filter(competition=competition)


class CalendarForm(forms.Form):
    """When the rounds are played: the first one, then every so many days at the same hour."""

    first = LocalDateTimeField(label=_("First round"), help_text=_("In your time zone."))
    days = forms.IntegerField(label=_("Days from one round to the next"), min_value=1, max_value=60, initial=7)
    legs = forms.TypedChoiceField(
        label=_("Everybody meets everybody"), coerce=int, choices=[(2, _("twice, home and away")), (1, _("once"))]
    )


class DateForm(forms.Form):
    starts_at = LocalDateTimeField(label=_("New date"), help_text=_("In your time zone."))


class PlaceForm(forms.Form):
    """A deed about the place of a match, and the place that it is about."""

    what = forms.ChoiceField(choices=[(deed, deed) for deed in places.DEEDS])
    on_board = forms.TypedChoiceField(choices=[("board", ""), ("table", "")], coerce=lambda value: value == "board")


class StateForm(forms.Form):
    to = forms.ChoiceField(choices=Competition.State.choices)
    reason = forms.CharField(label=_("Reason, shown to everybody"), max_length=200, required=False)


class AwardForm(forms.Form):
    """Awards a match that nobody played."""

    winner = forms.ChoiceField(label=_("The match goes to"))
    reason = forms.CharField(label=_("Reason, shown to everybody"), max_length=200, validators=[plain_text])

    def __init__(self, *args: Any, match: Match, names: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [*enumerate(names), ("none", _("nobody: double forfeit"))]
        field = self.fields["winner"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(str(value), label) for value, label in choices]

    def clean_winner(self) -> int | None:
        """Return the position, or None for nobody."""
        value: str = self.cleaned_data["winner"]
        return None if value == "none" else int(value)


class DrawForm(forms.Form):
    """The players present tonight, and when the first round begins."""

    players = PlayersField(label=_("Who is here"), queryset=Player.objects.none(), widget=forms.CheckboxSelectMultiple)
    starts_at = LocalDateTimeField(label=_("First round"), help_text=_("In your time zone."))
    minutes = forms.IntegerField(label=_("Minutes from one round to the next"), min_value=5, max_value=240, initial=40)
    field_order = ["players", "starts_at", "minutes"]

    def __init__(self, *args: Any, night: Competition, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["players"]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        members = Membership.objects.filter(club=night.club, until__isnull=True).values("player")
        busy = RosterSpot.objects.filter(competition=night, left__isnull=True).values("player")
        field.queryset = Player.objects.filter(pk__in=members).exclude(pk__in=busy).order_by("display_name")
        self.members, self.least = field.queryset.count(), 2 * night.side_size
        if night.side_size > PAIR:
            field.help_text = _("Lots make sides of %(size)d: tick %(least)d players, or %(size)d more, and so on.") % {
                "size": night.side_size,
                "least": self.least,
            }
