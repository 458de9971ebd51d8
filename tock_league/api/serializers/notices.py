"""One's own notices."""

from rest_framework import serializers as s

from .base import Time, Told


class Notice(Told):
    id = s.IntegerField(source="row.pk")
    kind = s.CharField(source="row.kind")
    title = s.CharField(source="told.title")
    sentence = s.CharField(source="told.sentence")
    at = Time(source="row.at")
    seen_at = Time(source="row.seen_at", allow_null=True)
    page = s.CharField(source="row.address", help_text="The address of the page that it leads to.")


class SeenCount(Told):
    seen = s.IntegerField(help_text="How many had not been seen.")
