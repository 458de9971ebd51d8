"""The registry of what people are told: one `Kind` for each, in the order in which the settings list them."""

from collections.abc import Mapping

from . import cases, invitations, matches, tournaments, webhooks
from .kind import MAIL, SITE, WAYS, Kind, Told

__all__ = ["KINDS", "MAIL", "SITE", "WAYS", "Kind", "Told"]

KINDS: Mapping[str, Kind] = {
    kind.key: kind for kind in (*invitations.KINDS, *tournaments.KINDS, *matches.KINDS, *cases.KINDS, *webhooks.KINDS)
}
