"""`{% load rules %}`: links to the sentences and sections of the rules pages."""

from collections.abc import Sequence

from django import template
from django.urls import reverse
from django.utils.translation import get_language

from tock_league.common.errors import NotThere

from .. import rules as pages

register = template.Library()


@register.simple_tag
def rule_links(page: str, cited: Sequence[str]) -> list[tuple[str, str]]:
    """`{% rule_links one.rules_page one.rules as links %}`: each rule with its address on the rules page, "" where the
    page has no such place (a section of regulations)."""
    try:
        shown = pages.page(page, get_language() or "fr")
    except NotThere:
        return [(rule, "") for rule in cited]
    found = [(rule, shown.place(rule)) for rule in cited]
    address = reverse("pages:rules", args=[page])
    return [(rule, f"{address}#{place}" if place else "") for rule, place in found]
