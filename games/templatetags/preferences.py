"""`{% load preferences %}`: the settings of the tables' pages."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from games.selectors import preferences
from games.selectors.preferences import GROUPS, Setting
from tock_league.common.errors import Text

register = template.Library()
SOUNDS = ("turn", "eaten", "home", "exchange", "low", "referee")  # files below static/sounds, static/live/cues.js


@register.simple_tag
def chosen_attrs(boot: Mapping[str, Any]) -> SafeString:
    """`<html{% chosen_attrs boot %}>`: what the account has chosen, as ` data-<name>="<value>"`, for the first paint."""
    chosen = boot.get("chosen", {})
    return format_html_join("", ' data-{}="{}"', ((name, chosen[name]) for name in sorted(chosen)))


@register.simple_tag
def table_settings(boot: Mapping[str, Any]) -> list[tuple[Text, list[Setting]]]:
    """`{% table_settings boot as groups %}`: the settings that the page has, by group with its heading."""
    found = preferences.offered(boot.get("family", "tock"), seated=boot.get("seat") is not None)
    return [(label, own) for group, label in GROUPS.items() if (own := [one for one in found if one.group == group])]


@register.simple_tag
def sound_attrs() -> SafeString:
    """`<dialog{% sound_attrs %}>`: the address of each sound, as ` data-sound-<name>="<address>"`."""
    return format_html_join("", ' data-sound-{}="{}"', ((name, static(f"sounds/{name}.wav")) for name in SOUNDS))
