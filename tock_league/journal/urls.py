from django.urls import path, register_converter

from . import views


class StreamConverter:
    """A stream's name: `open`, `competition:winter-league`."""

    regex = r"[a-z]+(?::[-a-zA-Z0-9_]+)?"
    sample = "competition:winter-league"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(StreamConverter, "stream")
app_name = "journal"
urlpatterns = [
    path("journal/", views.index, name="index"),
    path("journal/verifier.py", views.verifier, name="verifier"),
    path("journal/<stream:name>/", views.stream, name="stream"),
    path("journal/<stream:name>/export/", views.export, name="export"),
]
