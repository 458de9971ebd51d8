"""The last restore drill, for the first page of the admin."""

from django import template

from tock_league.upkeep.models import Drill

register = template.Library()


@register.simple_tag
def last_drill() -> Drill | None:
    """Return the newest result, None before the first drill."""
    return Drill.objects.first()
