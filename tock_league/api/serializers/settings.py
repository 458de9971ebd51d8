"""The settings of a tournament: the fields of the page's form, by the names and types of the API."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers as s
from rest_framework.exceptions import ErrorDetail

from tock_league.clubs.models import Club
from tock_league.common.errors import Refused
from tock_league.competitions.core.corrections import REPLAY, STAND
from tock_league.competitions.core.kind import BERTHS
from tock_league.competitions.core.registry import kinds
from tock_league.competitions.forms.announcing import FORM_FIELDS
from tock_league.competitions.forms.fields import PLACES
from tock_league.competitions.forms.settings import TournamentForm
from tock_league.competitions.selectors.seasons.shapes import Shape

from .base import Instant, Time, Told
from .caps import CapAsked

# Fields that the form has under another name.
NAMES = {"places": "size", "referee_wait_s": "referee_wait", "correction_s": "correction", "pause_minutes": "pause"}
TOLD_AS = {form: name for name, form in NAMES.items()}
BEST_OF = [1, 3, 5]
ON_PAPER = "true: results are entered, and no table opens. Not together with by_agreement."
BY_AGREEMENT = "true: tables open, unless both captains of a match agree to play it on a board."
BOTS = "Whether bot accounts may play; their matches are not rated."


class Settings(CapAsked):
    """What is left out stays as it is; in a new tournament it is as the page's form proposes it, and dates are not set."""

    name = s.CharField(max_length=80)
    kind = s.ChoiceField(
        choices=list(kinds()), required=False, help_text="How it is played; it ignores what it does not need."
    )
    places = s.IntegerField(
        required=False, allow_null=True, help_text="2 to 128; later entries wait. null: everybody plays."
    )
    groups = s.IntegerField(required=False, help_text="1 to 16.")
    qualify = s.IntegerField(required=False, help_text="How many of each group play on, 1 to 8.")
    berths = s.ChoiceField(
        choices=list(BERTHS),
        required=False,
        help_text="Teams in the bracket after groups. 0: `qualify` of each group. -1: by the size of the field. The best of the "
        "next rank in all groups fill it up.",
    )
    legs = s.ChoiceField(choices=[1, 2], required=False, help_text="How often everybody of a group meets everybody.")
    rounds = s.IntegerField(required=False, help_text="Swiss rounds, 1 to 20.")
    late_rounds = s.IntegerField(required=False, help_text="Swiss rounds that a late team may miss, 0 to 20.")
    late_points = s.ChoiceField(choices=["loss", "tie"], required=False, help_text="What a missed round counts as.")
    clubs = s.ChoiceField(
        choices=["off", "soft", "hard"], required=False, help_text="Whether Swiss pairings keep a club's teams apart."
    )
    third_place = s.BooleanField(required=False, help_text="Whether there is a match for third place.")
    reset_final = s.BooleanField(
        required=False, help_text="Whether a second final follows if the winner of the losers' bracket wins the first."
    )
    best_of_group = s.ChoiceField(choices=BEST_OF, required=False, help_text="In a group or Swiss round.")
    best_of_knockout = s.ChoiceField(choices=BEST_OF, required=False)
    best_of_final = s.ChoiceField(choices=BEST_OF, required=False)
    best_of_semi = s.ChoiceField(
        choices=[0, *BEST_OF], required=False, help_text="In semi-finals; 0: as in the bracket's other matches."
    )
    best_of_losers = s.ChoiceField(
        choices=[0, *BEST_OF], required=False, help_text="In the losers' bracket; 0: as in the bracket's other matches."
    )
    rules = s.CharField(max_length=60, required=False, help_text="A rule set, such as shawinigan/1.")
    seats = s.IntegerField(required=False, help_text="Seats of every table; see /rule-sets.")
    game_rounds = s.IntegerField(required=False, help_text="Rounds of a game of Tractor; 0: to its end by the rules.")
    clocks = s.BooleanField(required=False)
    referee_wait_s = s.ChoiceField(choices=[0, 120, 300, 600], required=False, help_text="How long a call stops play.")
    on_paper = s.BooleanField(required=False, help_text=ON_PAPER)
    by_agreement = s.BooleanField(required=False, help_text=BY_AGREEMENT)
    bots_allowed = s.BooleanField(required=False, help_text=BOTS)
    correction_s = s.IntegerField(
        required=False, allow_null=True, help_text="How long a result may be corrected: one of the times of the form."
    )
    later = s.ChoiceField(
        choices=[REPLAY, STAND],
        required=False,
        help_text="When a knockout result is corrected after the next match has begun.",
    )
    starts_at = Instant(help_text="The first round.")
    entries_close_at = Instant(required=False, allow_null=True)
    check_in_from = Instant(required=False, allow_null=True)
    check_in_until = Instant(required=False, allow_null=True, help_text="null: no check-in.")
    seeding = s.ChoiceField(choices=["rating", "hand", "lots"], required=False)
    pause_minutes = s.IntegerField(required=False, help_text="Between rounds.")
    auto = s.BooleanField(required=False, help_text="Whether rounds follow each other by themselves.")


class Draft(Settings):
    """A new tournament."""

    club = s.CharField(max_length=60, help_text="The slug of the organising club.")


class Change(Settings):
    """What changes."""

    name = s.CharField(max_length=80, required=False)
    starts_at = Instant(required=False, help_text="The first round.")


class SettingsTold(Told):
    """The settings as they are."""

    def get_fields(self) -> dict[str, Any]:
        """Return the fields of a body, all of them set; times in UTC."""
        made = dict(Settings().get_fields())
        for name, field in made.items():
            field.required = True
            if isinstance(field, Instant):
                made[name] = Time(allow_null=name != "starts_at", help_text=field.help_text)
        return made


def told(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a form (settings.tournament_initial) as SettingsTold takes them."""
    shape: Shape = values["rules"]
    renamed = {TOLD_AS.get(name, name): value for name, value in values.items() if name not in ("club", "place")}
    return renamed | {"rules": shape.rules, "seats": shape.seats, **PLACES[values["place"]]._asdict()}


def chosen(asked: Mapping[str, Any], before: Mapping[str, Any], *, by: Any) -> dict[str, Any]:
    """Return the cleaned values of the page's form for a body; what is left out is as in `before`, values of the form.

    Raises ValidationError (400) naming the fields of the body.
    """
    values = dict(before)
    for name, value in asked.items():
        if name not in ("rules", "seats", "on_paper", "by_agreement", "club"):
            values[NAMES.get(name, name)] = value
    values["place"] = place_asked(asked, str(before["place"]))
    shape = before["rules"]
    rules, seats = (shape.rules, shape.seats) if isinstance(shape, Shape) else str(shape).rsplit(":", 1)
    values["rules"] = f"{asked.get('rules', rules)}:{asked.get('seats', seats)}"
    if "club" in asked:
        values["club"] = Club.objects.filter(slug=asked["club"]).values_list("pk", flat=True).first() or 0
    bound = TournamentForm({name: value for name, value in values.items() if value is not None}, by=by)
    if "club" not in asked:
        bound.fields.pop("club")
    return cleaned(bound)


def place_asked(asked: Mapping[str, Any], before: str) -> str:
    """Return the key of forms.fields.PLACES that a body asks for; what is left out is as in `before`.

    Raises ValidationError (400) naming `by_agreement` where both are asked for.
    """
    if asked.get("on_paper") and asked.get("by_agreement"):
        sentence = _("Games are played on boards, or as the captains agree; not both.")
        raise s.ValidationError({"by_agreement": [ErrorDetail(str(sentence), "place")]})
    wanted = {
        **PLACES[before]._asdict(),
        **{name: asked[name] for name in ("on_paper", "by_agreement") if name in asked},
    }
    if wanted["on_paper"] and wanted["by_agreement"]:  # the one that the body names replaces the other
        return "agreed" if asked.get("by_agreement") else "paper"
    return next(key for key, values in PLACES.items() if values._asdict() == wanted)


def cleaned(form: Any, names: Mapping[str, str] = TOLD_AS) -> dict[str, Any]:
    """Return the cleaned values of a page's form. Raises ValidationError (400); `names`: of the body's fields by the form's."""
    if form.is_valid():
        return dict(form.cleaned_data)
    raise s.ValidationError(
        {
            names.get(name, name): [ErrorDetail(" ".join(one.messages), one.code or "invalid") for one in problems]
            for name, problems in form.errors.as_data().items()
        }
    )


def usual(*, by: Any) -> dict[str, Any]:
    """Return what the form proposes for a new tournament, without dates."""
    form = TournamentForm(by=by)
    return {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()} | {
        "berths": 0, "best_of_semi": 0, "best_of_losers": 0,
        "legs": 1, "best_of_group": 1, "best_of_knockout": 1, "best_of_final": 1, "clubs": "off", "late_points": "loss",
    }  # fmt: skip


def renamed(error: Refused) -> Refused:
    """Return a refusal of the services with the field of the body that it is about."""
    field = FORM_FIELDS.get(error.field or "", error.field)
    error.field = TOLD_AS.get(field or "", field)
    return error
