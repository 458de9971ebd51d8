"""One form makes a tournament: every setting with its effect beside it."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import plain_text
from tock_league.accounts.permissions import Person
from tock_league.clubs.models import Club
from tock_league.common import clock
from tock_league.common.validation import no_markup

from ..core.corrections import EVENT_S, REPLAY, STAND
from ..core.kind import BERTHS, BRACKET, BY_FIELD, FINAL, GROUP, LOSERS, OPTIONAL_PHASES, SEMI, PlanError
from ..core.plan import TournamentPlan
from ..core.registry import kinds
from ..models import Competition
from ..selectors.seasons.shapes import Shape
from .caps import FIELDS as CAP_FIELDS
from .caps import CapFields, cap_initial
from .fields import BotsField, CorrectionField, LocalDateTimeField, PlaceField, place_of
from .leagues import own_clubs
from .shapes import LengthField, ShapeField

GAMES = [(1, _("1 game")), (3, _("best of 3")), (5, _("best of 5"))]
PLAN_PROBLEMS = {
    "plan_groups": _("Choose 1 to 16 groups."),
    "plan_berths": _("A bracket has places for 8 teams of each group at most."),
    "plan_qualify": _("Choose 1 to 8 teams of each group, at least two in all."),
    "plan_rounds": _("Choose 1 to 20 rounds."),
    "plan_late_rounds": _("Choose 0 to 20 rounds."),
    "plan_pause": _("The pause lasts at most a day."),
}


class TournamentForm(CapFields):
    """Every setting of a tournament, each with what it does; the defaults make a club evening of eight teams."""

    name = forms.CharField(label=_("Name"), min_length=3, max_length=80, validators=[plain_text, no_markup])
    club = forms.ModelChoiceField(label=_("Organising club"), queryset=Club.objects.none())
    kind = forms.ChoiceField(
        label=_("How it is played"),
        choices=lambda: [(kind.key, kind.title(translation)) for kind in kinds().values()],
        widget=forms.RadioSelect,
        initial=lambda: next(iter(kinds())),
    )
    size = forms.IntegerField(
        label=_("Places"),
        min_value=2,
        max_value=128,
        required=False,
        initial=8,
        help_text=_("How many teams get a place; who comes later waits on a list. Empty: everybody plays."),
    )
    groups = forms.IntegerField(
        label=_("Groups"),
        min_value=1,
        max_value=16,
        required=False,
        initial=2,
        help_text=_("In a group everybody meets everybody. The draw spreads the best teams over the groups."),
    )
    qualify = forms.IntegerField(
        label=_("Teams that play on"),
        min_value=1,
        max_value=8,
        required=False,
        initial=2,
        help_text=_("Of each group: 2 groups with 2 teams each make semi-finals."),
    )
    berths = forms.TypedChoiceField(
        label=_("Teams in the bracket"),
        coerce=int,
        choices=[
            (0, _("those of each group, as above")),
            (BY_FIELD, _("by the size of the field: 2, 4, 8, 16 or 32, at most half of it")),
            *((number, str(number)) for number in BERTHS if number > 0),
        ],
        required=False,
        help_text=_(
            "With a number, each group sends equally many; the best of the next rank in all groups take the places that are left."
        ),
    )
    legs = forms.TypedChoiceField(
        label=_("In a group, everybody meets everybody"), coerce=int, choices=[(1, _("once")), (2, _("twice"))]
    )
    rounds = forms.IntegerField(
        label=_("Swiss rounds"),
        min_value=1,
        max_value=20,
        required=False,
        initial=5,
        help_text=_("Nobody meets the same team twice. 4 or 5 rounds single out the best of 16 teams."),
    )
    late_rounds = forms.IntegerField(
        label=_("Rounds that a late team may miss"),
        min_value=0,
        max_value=20,
        required=False,
        initial=1,
        help_text=_("You enter a late team at the desk after the start. 0: no team comes late."),
    )
    late_points = forms.ChoiceField(
        label=_("A round that a late team has missed"),
        choices=[("loss", _("counts as lost")), ("tie", _("counts as a tie"))],
        required=False,
        help_text=_("The points of the Swiss table. It is no match: it has no result and no opponent."),
    )
    clubs = forms.ChoiceField(
        label=_("Teams of one club"),
        choices=[
            ("off", _("meet like any others")),
            ("soft", _("meet only if it cannot be avoided")),
            ("hard", _("never meet")),
        ],
        required=False,
        help_text=_("Whether Swiss pairings keep teams of the same club apart."),
    )
    third_place = forms.BooleanField(
        label=_("Match for third place"),
        required=False,
        initial=True,
        help_text=_("The losers of the semi-finals play once more, beside the final."),
    )
    reset_final = forms.BooleanField(
        label=_("Second final"),
        required=False,
        initial=True,
        help_text=_(
            "If the winner of the losers’ bracket wins the final, both have lost once: a second final decides."
        ),
    )
    best_of_group = forms.TypedChoiceField(
        label=_("Games in a match of a group or of a Swiss round"), coerce=int, choices=GAMES
    )
    best_of_knockout = forms.TypedChoiceField(label=_("Games in a knockout match"), coerce=int, choices=GAMES)
    best_of_final = forms.TypedChoiceField(
        label=_("Games in the final"),
        coerce=int,
        choices=GAMES,
        help_text=_(
            "A game of Tock takes about 25 minutes with 4 players, longer with 6 or 8. The match for third place counts as a "
            "knockout match."
        ),
    )
    best_of_semi = forms.TypedChoiceField(
        label=_("Games in the semi-finals"),
        coerce=int,
        choices=[(0, _("like the other matches of the bracket")), *GAMES],
        required=False,
        help_text=_("With double elimination: in the last match of each bracket."),
    )
    best_of_losers = forms.TypedChoiceField(
        label=_("Games in the losers’ bracket"),
        coerce=int,
        choices=[(0, _("like the other matches of the bracket")), *GAMES],
        required=False,
    )
    bots_allowed = BotsField()
    rules = ShapeField()
    game_rounds = LengthField()
    clocks = forms.BooleanField(
        label=_("Clocks"),
        required=False,
        initial=True,
        help_text=_("Five minutes a player, five seconds more for each decision, at most a minute for one."),
    )
    referee_wait = forms.TypedChoiceField(
        label=_("When a player calls the referee"),
        coerce=int,
        choices=[
            (0, _("nobody is on duty: the game goes on, the call is noted")),
            (120, _("the table waits 2 minutes")),
            (300, _("the table waits 5 minutes")),
            (600, _("the table waits 10 minutes")),
        ],
        initial=300,
        help_text=_("The clocks stop meanwhile. Name the referees on the tournament's page."),
    )
    place = PlaceField()
    correction = CorrectionField(initial=EVENT_S)
    later = forms.ChoiceField(
        label=_("When a knockout result is corrected after the next match has begun"),
        choices=[
            (REPLAY, _("that match is played again with the right team")),
            (STAND, _("that match stands; the correction changes the result only")),
        ],
        widget=forms.RadioSelect,
        required=False,
        initial=REPLAY,
    )
    starts_at = LocalDateTimeField(label=_("First round"), help_text=_("In your time zone."))
    entries_close_at = LocalDateTimeField(
        label=_("Entries close"), required=False, help_text=_("Captains register until then; you may add teams later.")
    )
    check_in_from = LocalDateTimeField(label=_("Check-in opens"), required=False)
    check_in_until = LocalDateTimeField(
        label=_("Check-in closes"),
        required=False,
        help_text=_("A whole side says that it is here; a team that does not is dropped. Both empty: no check-in."),
    )
    seeding = forms.ChoiceField(
        label=_("Seeding"),
        choices=[
            ("rating", _("by rating: the best teams meet late")),
            ("hand", _("by hand: you put the teams in order")),
            ("lots", _("drawn by lots from a published seed: anybody can draw them again")),
        ],
        widget=forms.RadioSelect,
        initial="rating",
    )
    pause = forms.IntegerField(
        label=_("Minutes between rounds"),
        min_value=0,
        max_value=1440,
        initial=5,
        help_text=_("From the last result of a round to the first card of the next. 0: at once."),
    )
    auto = forms.BooleanField(
        label=_("Rounds follow each other by themselves"),
        required=False,
        initial=True,
        help_text=_("Otherwise you press a button for each round."),
    )

    SECTIONS = (
        ("what", _("What and who"), ("name", "club", "size", "bots_allowed")),
        (
            "how",
            _("Course of the tournament"),
            (
                "kind",
                "groups",
                "qualify",
                "berths",
                "legs",
                "rounds",
                "clubs",
                "late_rounds",
                "late_points",
                "third_place",
                "reset_final",
                "seeding",
            ),
        ),
        (
            "games",
            _("Matches and games"),
            (
                "best_of_group",
                "best_of_knockout",
                "best_of_losers",
                "best_of_semi",
                "best_of_final",
                "rules",
                "game_rounds",
                "clocks",
            ),
        ),
        ("cap", _("Time cap"), CAP_FIELDS),
        ("place", _("Tables and referees"), ("place", "referee_wait", "correction", "later")),
        ("when", _("When"), ("starts_at", "entries_close_at", "check_in_from", "check_in_until", "pause", "auto")),
    )

    def __init__(self, *args: Any, by: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["club"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = Club.objects.filter(pk__in=own_clubs(by))

    def sections(self) -> Iterator[tuple[str, Any, list[tuple[forms.BoundField, list[int]]]]]:
        """Yield each part of the page: its key, its title, its fields with the places of the kinds that ignore them."""
        for key, title, names in self.SECTIONS:
            yield key, title, [(self[name], _ignored_by(name)) for name in names if name in self.fields]

    def clean(self) -> dict[str, Any]:
        """Add `plan`, the TournamentPlan; its faults stand at the fields they come from."""
        chosen = super().clean() or {}
        if self.errors:
            return chosen
        try:
            chosen["plan"] = plan_of(chosen)
        except PlanError as error:
            field = {"pause_s": "pause", "best_of": "best_of_group"}.get(error.field, error.field)
            self.add_error(field if field in self.fields else None, PLAN_PROBLEMS.get(error.code, _("Invalid choice.")))
        return chosen


def plan_of(chosen: dict[str, Any]) -> TournamentPlan:
    """Return the plan that the cleaned values describe. Raises PlanError."""
    read = kinds()[chosen["kind"]].fields
    return TournamentPlan(
        kind=chosen["kind"],
        third_place="third_place" in read and bool(chosen["third_place"]),
        reset_final="reset_final" not in read or bool(chosen["reset_final"]),
        groups=(chosen["groups"] or 0) if "groups" in read else 0,
        qualify=(chosen["qualify"] or 0) if "qualify" in read else 0,
        berths=(chosen["berths"] or 0) if "berths" in read else 0,
        legs=chosen["legs"] if "legs" in read else 1,
        rounds=(chosen["rounds"] or 0) if "rounds" in read else 0,
        best_of={
            GROUP: chosen["best_of_group"],
            BRACKET: chosen["best_of_knockout"],
            FINAL: chosen["best_of_final"],
            **{
                phase: chosen[f"best_of_{phase}"]
                for phase in OPTIONAL_PHASES
                if f"best_of_{phase}" in read and chosen[f"best_of_{phase}"]
            },
        },
        pause_s=chosen["pause"] * 60,
        auto=chosen["auto"],
        clubs=(chosen["clubs"] or "off") if "clubs" in read else "off",
        late_rounds=chosen["late_rounds"] if "late_rounds" in read and chosen["late_rounds"] is not None else 1,
        late_points=(chosen["late_points"] or "loss") if "late_points" in read else "loss",
    )


def _ignored_by(field: str) -> list[int]:
    """Return which kinds ignore the field, by their places in the choices; none for a field that every kind has."""
    settings = {name for kind in kinds().values() for name in kind.fields}
    return [at for at, kind in enumerate(kinds().values()) if field in settings and field not in kind.fields]


def initial_dates() -> dict[str, Any]:
    """The next evening but six, seven o'clock: entries close two hours before, check-in runs the hour before."""
    start = timezone.localtime(clock.now()).replace(hour=19, minute=0, second=0, microsecond=0) + timedelta(days=7)
    return {
        "starts_at": start,
        "entries_close_at": start - timedelta(hours=2),
        "check_in_from": start - timedelta(hours=1),
        "check_in_until": start - timedelta(minutes=10),
    }


def tournament_initial(made: Competition) -> dict[str, Any]:
    """The form's values of a tournament that exists."""
    plan = TournamentPlan.read(made.plan)
    body = made.regulations.body
    return {
        "name": made.name,
        "club": made.club,
        "size": made.size,
        "bots_allowed": made.bots_allowed,
        "kind": plan.kind,
        "groups": plan.groups or 2,
        "qualify": plan.qualify or 2,
        "berths": plan.berths,
        "legs": plan.legs,
        "rounds": plan.rounds or 5,
        "clubs": plan.clubs,
        "late_rounds": plan.late_rounds,
        "late_points": plan.late_points,
        "third_place": plan.third_place,
        "reset_final": plan.reset_final,
        "best_of_group": plan.best_of[GROUP],
        "best_of_knockout": plan.best_of[BRACKET],
        "best_of_final": plan.best_of[FINAL],
        "best_of_semi": plan.best_of.get(SEMI, 0),
        "best_of_losers": plan.best_of.get(LOSERS, 0),
        "rules": Shape(made.rules, made.seats),
        "game_rounds": made.regulations.rounds,
        "clocks": body.get("clocks") is not None,
        "referee_wait": body.get("referee_wait_s", 300),
        "place": place_of(made),
        "correction": made.correction_s,
        "later": made.regulations.later,
        "starts_at": _local(made.starts_at),
        "entries_close_at": _local(made.entries_close_at),
        "check_in_from": _local(made.check_in_from),
        "check_in_until": _local(made.check_in_until),
        "seeding": made.seeding,
        "pause": plan.pause_s // 60,
        "auto": plan.auto,
    } | cap_initial(made.regulations.cap, body["tiebreaks"])


def _local(at: Any) -> Any:
    return timezone.localtime(at) if at is not None else None
