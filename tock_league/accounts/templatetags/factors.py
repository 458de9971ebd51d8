"""`{% load factors %}`: what a page says about second factors."""

from typing import Any

from django import template

from tock_league.accounts import seals

register = template.Library()


@register.filter
def is_lost(factor: Any) -> bool:
    """Return whether this app or these recovery codes are sealed with a key that the site has lost."""
    return seals.is_lost(factor.instance.data)
