"""The time cap of an event's games: fields of its settings, by the names of the page's form."""

from rest_framework import serializers as s

from tock_league.competitions.core import caps

from .base import Asked


class CapAsked(Asked):
    """A usual time cap, or an own one, of which `cap_minutes` and the others say what it is."""

    cap = s.ChoiceField(
        choices=["", *caps.PRESETS, caps.OWN],
        required=False,
        help_text="The time cap of a game: empty for none, a usual one, or `own`, which the following fields describe.",
    )
    cap_minutes = s.IntegerField(required=False, help_text="5 to 240.")
    cap_of = s.ChoiceField(choices=caps.OFS, required=False, help_text="Whether the minutes are for a game or a match.")
    cap_call = s.ChoiceField(
        choices=caps.CALLS, required=False, help_text="At the cap: the last deal, one more turn each, or stop at once."
    )
    cap_counts = s.ChoiceField(choices=caps.COUNTS, required=False, help_text="What decides when the time is up.")
    cap_marble = s.IntegerField(required=False, help_text="Points of a marble home, 1 to 100.")
    cap_finished = s.IntegerField(required=False, help_text="Points more for a finished game, 0 to 1000.")
    cap_tie = s.ChoiceField(choices=caps.TIES, required=False, help_text="What equal scores are.")
    cap_came = s.IntegerField(
        required=False, allow_null=True, help_text="What a side scores whose opponent is absent; null: nothing."
    )
    cap_absent = s.IntegerField(required=False, allow_null=True, help_text="What the absent side scores.")
    cap_order = s.ChoiceField(
        choices=["usual", "score"],
        required=False,
        help_text="Of teams with as many match points: the usual tie-breaks first, or difference and score.",
    )
