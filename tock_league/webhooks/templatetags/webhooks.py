"""`{% load webhooks %}`: events, states and errors of webhooks in words."""

from django import template
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ..forms import LABELS
from ..models import Delivery, Webhook

register = template.Library()

ERRORS: dict[str, Promise] = {
    "connect": _("no connection"),
    "tls": _("no valid certificate"),
    "timeout": _("no answer in time"),
    "broken": _("no valid answer"),
    "unknown": _("no server has this name"),
    "inside": _("the name leads to an address that is not public"),
    "https": _("the address does not begin with https://"),
    "address": _("the address is not valid"),
    "port": _("the port is not allowed"),
    "gone": _("not public any more"),
    "secret": _("the secret cannot be read: make a new one"),
    "off": _("the webhook was switched off"),
}
STATES: dict[str, Promise] = {
    Delivery.State.WAITING: pgettext_lazy("a delivery", "waits"),
    Delivery.State.SENT: pgettext_lazy("a delivery", "sent"),
    Delivery.State.GIVEN_UP: pgettext_lazy("a delivery", "given up"),
}
LOOKS = {Delivery.State.WAITING: "warn", Delivery.State.SENT: "good", Delivery.State.GIVEN_UP: "bad"}


@register.filter
def event_name(kind: str) -> str:
    """Return what a kind of event is called; the kind itself for a ping."""
    return str(LABELS.get(kind, kind))


@register.filter
def error_name(error: str) -> str:
    """Return why there was no answer; the code itself for one without words."""
    return str(ERRORS.get(error, error))


@register.simple_tag
def webhook_state(webhook: Webhook) -> SafeString:
    """Return a label: in force, failing, switched off or disabled."""
    if webhook.off == Webhook.Off.FAILURES:
        return _tag("bad", pgettext_lazy("a webhook", "disabled after failures"))
    if webhook.off:
        return _tag("", pgettext_lazy("a webhook", "disabled"))
    if webhook.failing_since is not None:
        return _tag("warn", pgettext_lazy("a webhook", "failing"))
    return _tag("good", pgettext_lazy("a webhook", "in force"))


@register.simple_tag
def delivery_state(delivery: Delivery) -> SafeString:
    """Return a label: the state, and the status of the answer where there was one."""
    status = f" · {delivery.status}" if delivery.status is not None else ""
    return _tag(LOOKS[Delivery.State(delivery.state)], f"{STATES[delivery.state]}{status}")


def _tag(look: str, text: str | Promise) -> SafeString:
    return format_html('<span class="tag {}">{}</span>', look, text)
