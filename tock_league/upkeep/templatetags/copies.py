"""The warning of the desk and the organisers' page while copies on another disk were asked for and none succeeds."""

from pathlib import Path

from django import template
from django.conf import settings

from tock_league.upkeep.elsewhere import status

register = template.Library()


@register.inclusion_tag("upkeep/_copies.html")
def copy_warning() -> dict[str, object]:
    """Show since when no copy has succeeded, where that is more than three minutes; else nothing. No query."""
    data = getattr(settings, "DATA", None)
    found = status.read(Path(data)) if data is not None else None
    late = found if found is not None and found.is_late else None
    return {"late": late}
