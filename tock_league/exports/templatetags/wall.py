"""`{% load wall %}`: which pages for a wall, and which form for chess programs, a competition has."""

from django import template
from django.utils.translation import gettext as _

from tock_league.competitions.core.registry import format_of
from tock_league.competitions.models import Competition

register = template.Library()


@register.filter
def wall_pages(competition: Competition) -> list[tuple[str, str]]:
    """`{{ competition|wall_pages }}`: (key of exports.wall.OF_COMPETITION, title), of those that the format has."""
    formats = _formats(competition)
    made = [("pairings", _("pairings of the round"))]
    if not all(formats):
        made.append(("standings", _("standings")))
    if any(formats):
        made.append(("bracket", _("bracket")))
    return made


@register.filter
def fits_chess(competition: Competition) -> bool:
    """`{% if competition|fits_chess %}`: whether it is one table of matches between two, which TRF can tell."""
    plan = competition.tournament_plan
    return plan is None or (not any(_formats(competition)) and not plan.groups)


def _formats(competition: Competition) -> list[bool]:
    """Return for each stage whether it is a bracket. No query."""
    plan = competition.tournament_plan
    return [False] if plan is None else [format_of(stage.format).is_bracket for stage in plan.stages]
