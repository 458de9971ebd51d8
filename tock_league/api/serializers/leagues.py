"""Seasons, leagues and club nights: their bodies, by the names of the API; late entries."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers as s

from tock_league.clubs.models import Club
from tock_league.competitions.forms import LeagueForm, NightForm
from tock_league.competitions.forms.shapes import usual_shape
from tock_league.competitions.models import Season

from .base import Asked, Instant, Told
from .caps import CapAsked
from .entering import DIGEST
from .settings import BEST_OF, BOTS, BY_AGREEMENT, ON_PAPER, TOLD_AS, cleaned, place_asked


class SeasonRow(Told):
    slug = s.CharField()
    name = s.CharField()
    club = s.CharField(
        source="club.slug", default=None, allow_null=True, help_text="Whose season it is; null: of the whole site."
    )
    starts_on = s.DateField()
    ends_on = s.DateField()


class NewSeason(Asked):
    name = s.CharField(max_length=60)
    club = s.CharField(
        max_length=60, required=False, allow_null=True, help_text="The slug of a club; null: the whole site."
    )
    starts_on = s.DateField()
    ends_on = s.DateField()


class NewNight(CapAsked):
    """What is left out is as the page's form proposes it."""

    name = s.CharField(max_length=80)
    club = s.CharField(max_length=60, help_text="The slug of the club.")
    rules = s.CharField(max_length=60, required=False, help_text="A rule set, such as shawinigan/1.")
    seats = s.IntegerField(required=False, help_text="Seats of every table; see /rule-sets.")
    best_of = s.ChoiceField(choices=BEST_OF, required=False, help_text="Games in a match.")
    game_rounds = s.IntegerField(required=False, help_text="Rounds of a game of Tractor; 0: to its end by the rules.")
    clocks = s.BooleanField(required=False)
    on_paper = s.BooleanField(required=False, help_text=ON_PAPER)
    by_agreement = s.BooleanField(required=False, help_text=BY_AGREEMENT)
    bots_allowed = s.BooleanField(required=False, help_text=BOTS)
    correction_s = s.IntegerField(required=False, allow_null=True, help_text="How long a result may be corrected.")


class NewLeague(NewNight):
    """What is left out is as the page's form proposes it."""

    club = s.CharField(max_length=60, required=False, allow_null=True, help_text="The slug of a club; null: several.")
    season = s.CharField(max_length=60, help_text="The slug of a season.")
    division = s.CharField(max_length=40, required=False)
    places = s.IntegerField(required=False, help_text="Number of teams, 2 to 20.")


class Calendar(Asked):
    first = Instant(help_text="The first round; the others follow at the same hour in `zone`.")
    zone = s.CharField(max_length=60, required=False, help_text="An IANA time zone; the caller's if left out.")
    days = s.IntegerField(min_value=1, max_value=60, required=False, default=7)
    legs = s.ChoiceField(choices=[1, 2], required=False, default=2, help_text="How often everybody meets everybody.")


class NightDraw(Asked):
    players = s.ListField(
        child=s.CharField(max_length=16), min_length=2, max_length=200, help_text="The slugs of who is here."
    )
    starts_at = Instant()
    minutes = s.IntegerField(min_value=5, max_value=240, required=False, default=40, help_text="Between rounds.")


class LateTeam(Asked):
    team = s.CharField(max_length=60, help_text="The slug of the team.")
    group = s.IntegerField(
        min_value=1, max_value=100, required=False, allow_null=True, help_text="By default the smallest."
    )


class LateEntry(LateTeam):
    digest = s.CharField(max_length=64, help_text=DIGEST)


class TakingLateBack(Asked):
    digest = s.CharField(max_length=64, help_text=DIGEST)


def values(asked: Mapping[str, Any], form: type[LeagueForm] | type[NightForm], *, by: Any) -> dict[str, Any]:
    """Return the cleaned values of the page's form for a body. Raises ValidationError (400) naming the fields of the body."""
    rules, seats = usual_shape().rsplit(":", 1)
    clubs = Club.objects.filter(slug=asked.get("club") or "")
    data = {
        "best_of": 1, "clocks": True, "division": "1", "place": place_asked(asked, "tables"),
        **{name: value for name, value in asked.items() if value is not None and name not in ("on_paper", "by_agreement")},
        "rules": f"{asked.get('rules', rules)}:{asked.get('seats', seats)}",
        "size": asked.get("places", 8), "correction": asked.get("correction_s"),
        "club": (clubs.values_list("pk", flat=True).first() or 0) if asked.get("club") else None,
        "season": Season.objects.filter(slug=asked.get("season", "")).values_list("pk", flat=True).first() or 0,
    }  # fmt: skip
    bound = form({name: value for name, value in data.items() if value is not None}, by=by)
    return cleaned(bound, TOLD_AS)
