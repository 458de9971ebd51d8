"""`{% load look %}`: icons and small helpers that every page of the site may use."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

ICONS = {  # lines in a box of 24 by 24
    "again": '<path d="M20 12a8 8 0 1 1-2.6-5.9M20 3v5h-5M10 9l5 3-5 3z"/>',
    "back": '<path d="M15 4l-8 8 8 8"/>',
    "bulb": '<path d="M9 18h6M10 21.5h4M8.5 15c-1.5-1.2-2.5-2.9-2.5-5a6 6 0 0 1 12 0c0 2.1-1 3.8-2.5 5v3h-7z"/>',
    "cal": '<rect x="3" y="5" width="18" height="16" rx="2"/><path d="M3 10h18M8 2v5M16 2v5"/>',
    "check": '<path d="M4 12.5l5.5 5.5L20 6.5"/>',
    "eye": '<path d="M2 12c3-5 6.5-7 10-7s7 2 10 7c-3 5-6.5 7-10 7s-7-2-10-7z"/><circle cx="12" cy="12" r="3"/>',
    "first": '<path d="M18 5l-9 7 9 7zM6 5v14"/>',
    "flag": '<path d="M5 22V3h12l-2 4.5L17 12H5"/>',
    "fwd": '<path d="M9 4l8 8-8 8"/>',
    "info": '<circle cx="12" cy="12" r="9.5"/><path d="M12 11v6M12 7.5v.1"/>',
    "link": '<path d="M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1.5-1.5"/>',
    "menu": '<path d="M3 6h18M3 12h18M3 18h18"/>',
    "next": '<path d="M6 5l9 7-9 7zM18 5v14"/>',
    "out": '<path d="M10 4H4v16h6M9 12h12M17 8l4 4-4 4"/>',
    "pause": '<path d="M8 5v14M16 5v14"/>',
    "play": '<path d="M7 4l13 8-13 8z"/>',
    "settings": '<path d="M3 7h9M18 7h3M3 17h3M12 17h9"/><circle cx="15" cy="7" r="3"/><circle cx="9" cy="17" r="3"/>',
    "shield": '<path d="M12 2l8 3v6c0 5-3.5 9-8 11-4.5-2-8-6-8-11V5z"/>',
    "sun": '<circle cx="12" cy="12" r="4.5"/><path d="M12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3L19 19'
    'M19 5l-1.7 1.7M6.7 17.3L5 19"/>',
    "swap": '<path d="M4 8h15l-4-4M20 16H5l4 4"/>',
    "user": '<circle cx="12" cy="8" r="4.5"/><path d="M3.5 21c1-4.5 4.5-6.5 8.5-6.5s7.5 2 8.5 6.5"/>',
    "warn": '<path d="M12 3L2 20h20zM12 10v4M12 17v.1"/>',
    "undo": '<path d="M4 9h9.5a5.5 5.5 0 0 1 0 11H8M8.5 4.5L4 9l4.5 4.5"/>',
    "whistle": '<circle cx="8.5" cy="14" r="5.5"/><path d="M10 8.7h11v4h-7.2M8.5 5V2.5M4.7 6.3L3 4.5"/>',
    "x": '<path d="M5 5l14 14M19 5L5 19"/>',
}


@register.simple_tag
def icon(name: str) -> SafeString:
    """`{% icon "eye" %}`: a decorative icon; the text stands beside it. Raises KeyError for an unknown name."""
    return mark_safe(f'<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">{ICONS[name]}</svg>')


@register.simple_tag
def progress(value: float, total: float, label: str) -> SafeString:
    """`{% progress 2 6 "Cards given" %}`: a bar for `value` of `total`, without inline style."""
    share = 0.0 if not total else max(0.0, min(1.0, float(value) / float(total)))
    return format_html(
        '<svg class="progress" role="progressbar" aria-valuenow="{}" aria-valuemin="0" aria-valuemax="{}" '
        'aria-label="{}">'
        '<rect width="{}%" height="100%"/></svg>',
        value,
        total,
        label,
        f"{share * 100:.1f}",
    )


@register.simple_tag(takes_context=True)
def current(context: template.Context, *starts: str) -> SafeString:
    """Return ` aria-current="page"` when the page's path begins with one of `starts`, else nothing."""
    request: Any = context.get("request")
    path = request.path if request else ""
    return mark_safe(' aria-current="page"') if any(s and path.startswith(s) for s in starts) else mark_safe("")
