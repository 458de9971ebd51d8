"""The registry of what people are told: one `Kind` for each, in the order in which the settings list them."""

from collections.abc import Mapping

from . import applications, cases, clubs, invitations, matches, players, tournaments, webhooks, weekly
from .kind import MAIL, PUSH, SITE, WAYS, Kind, Told
from .weekly import DIGEST

__all__ = ["DIGEST", "KINDS", "MAIL", "PUSH", "SITE", "WAYS", "Kind", "Told"]

KINDS: Mapping[str, Kind] = {
    kind.key: kind
    for kind in (
        *invitations.KINDS,
        *tournaments.KINDS,
        *matches.KINDS,
        *cases.KINDS,
        *clubs.KINDS,
        *players.KINDS,
        *webhooks.KINDS,
        *applications.KINDS,
        *weekly.KINDS,
    )
}
