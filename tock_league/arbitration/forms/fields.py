"""Parts of the fields of case forms."""

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tock_league.accounts.models import plain_text
from tock_league.common.validation import no_markup

PLAIN = [no_markup]
ONE_LINE = [plain_text, no_markup]


def area(rows: int, most: int) -> forms.Textarea:
    """Return a field of several lines for at most `most` characters."""
    return forms.Textarea(attrs={"rows": rows, "maxlength": most})


def told(title: object, detail: object) -> SafeString:
    """Return a choice in two lines: what it is, and what it means."""
    return format_html('<b>{}</b><span class="small">{}</span>', title, detail)
