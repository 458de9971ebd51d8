"""One's own notices."""

from rest_framework import serializers as s

from .base import Asked, Time, Told


class Notice(Told):
    id = s.IntegerField(source="row.pk")
    kind = s.CharField(source="row.kind")
    title = s.CharField(source="told.title")
    sentence = s.CharField(source="told.sentence")
    at = Time(source="row.at")
    seen_at = Time(source="row.seen_at", allow_null=True)
    page = s.CharField(source="row.address", help_text="The address of the page that it leads to.")


class Newest(Asked):
    newest = s.IntegerField(
        required=False,
        default=None,
        min_value=1,
        max_value=2**63 - 1,
        help_text="The id of the newest notice that the person was shown; later ones stay new. Without it: all.",
    )


class SeenCount(Told):
    seen = s.IntegerField(help_text="How many had not been seen.")
