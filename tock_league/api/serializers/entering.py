"""Bodies about an entry: answers, check-in, substitutes, leaving; and previews, which say what a deed would change."""

from rest_framework import serializers as s

from .base import Asked, Told
from .organising import REASON

DIGEST = "The digest of the preview that you have seen; refused (409) when the deed would change anything else."


class Answer(Asked):
    accept = s.BooleanField(help_text="true to confirm the place on the roster, false to decline.")


class Presence(Asked):
    player = s.CharField(
        max_length=16, required=False, help_text="The slug of a player of the roster; left out: all starters are here."
    )
    here = s.BooleanField(help_text="false takes a player's check-in back.")


class PublicReason(Asked):
    reason = s.CharField(max_length=200, help_text=REASON)


class Swap(Asked):
    leaves = s.CharField(max_length=16, help_text="The slug of a starter.")
    comes = s.CharField(max_length=16, help_text="The slug of a substitute of the roster.")


class Addition(Asked):
    player = s.CharField(max_length=16, help_text="The slug of a substitute of the team.")


class Leaving(Asked):
    how = s.ChoiceField(choices=["withdrawal", "disqualification"])
    reason = s.CharField(required=False, allow_blank=True, max_length=200, help_text=f"{REASON} Needed after the draw.")
    digest = s.CharField(required=False, max_length=64, help_text=f"After the draw. {DIGEST}")


class Previewed(Asked):
    """A deed that was previewed."""

    reason = s.CharField(max_length=200, help_text=REASON)
    digest = s.CharField(max_length=64, help_text=DIGEST)


class PreviewRow(Told):
    kind = s.CharField(help_text="match, result, place, start, table, entry, points, rank, final, rating, event.")
    label = s.CharField()  # type: ignore[assignment]
    before = s.CharField()
    after = s.CharField()


class Preview(Told):
    """What a deed would change now."""

    digest = s.CharField(help_text="Send it with the deed.")
    rows = PreviewRow(many=True)
    others = s.IntegerField(help_text="How many ratings move too little to be named.")
