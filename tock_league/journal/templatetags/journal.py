"""`{% load journal %}`: what happened and who did it, in words."""

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

register = template.Library()

# A kind that is not here is shown by its code.
KINDS: dict[str, Promise] = {
    "role.given": _("A role was given"),
    "role.ended": _("A role ended"),
    "club.founded": _("A club was founded"),
    "club.joined": _("A player joined a club"),
    "club.left": _("A player left a club"),
    "club_role.given": _("A club role was given"),
    "club_role.ended": _("A club role ended"),
}
ACTORS: dict[str, Promise] = {
    "system": pgettext_lazy("who did it", "the site"),
    "visitor": pgettext_lazy("who did it", "a visitor"),
}


@register.simple_tag
def kind(code: str) -> str:
    """What happened, such as “A role was given”; the code itself where there are no words for it."""
    return str(KINDS.get(code, code))


@register.simple_tag
def actor(label: str) -> str:
    """Who did it, where it is no player with a page."""
    return str(ACTORS[label]) if label in ACTORS else gettext("somebody who is no longer here")
