"""Bodies and answers about the organisers' hand on the draw."""

from rest_framework import serializers as s

from tock_league.competitions.models import PairingWish

from .base import Asked, Time, Told
from .organising import REASON

ENTRY = "The slug of an entry."


class WishRow(Told):
    """What the organisers wish of two entries."""

    id = s.IntegerField(source="pk")
    kind = s.ChoiceField(choices=PairingWish.Kind.choices)
    one = s.CharField(source="low.slug")
    other = s.CharField(source="high.slug")
    reason = s.CharField()
    at = Time()


class NewWish(Asked):
    kind = s.ChoiceField(choices=PairingWish.Kind.choices)
    one = s.CharField(max_length=16, help_text=ENTRY)
    other = s.CharField(max_length=16, help_text=ENTRY)
    reason = s.CharField(max_length=200, help_text=REASON)


class Exchange(Asked):
    what = s.ChoiceField(
        choices=["opponents", "places"],
        help_text="opponents: in the next round; places: in a bracket or between groups, before the start.",
    )
    one = s.CharField(max_length=16, help_text=ENTRY)
    other = s.CharField(max_length=16, help_text=ENTRY)
    reason = s.CharField(max_length=200, help_text=REASON)


class NewSeed(Told):
    lots_seed = s.CharField(help_text="The seed that lots are drawn from now.")


class Paired(Told):
    """A match of the round."""

    home = s.CharField(help_text=ENTRY)
    away = s.CharField(help_text=ENTRY)
    again = s.BooleanField(help_text="Whether the two have met already.")


class RoundPreview(Told):
    """The next round as it would be paired now."""

    round = s.IntegerField(allow_null=True, help_text="null: no round is paired now.")
    pairs = Paired(many=True)
    byes = s.ListField(child=s.CharField())
    refused = s.CharField(help_text="Why no round can be paired; else empty.")
    wishes = WishRow(many=True, help_text="The wishes in force.")
