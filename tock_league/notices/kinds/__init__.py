"""The registry of what people are told: one `Kind` for each, in the order in which the settings list them."""

from collections.abc import Mapping

from . import cases, clubs, invitations, matches, tournaments
from .kind import MAIL, PUSH, SITE, WAYS, Kind, Told

__all__ = ["KINDS", "MAIL", "PUSH", "SITE", "WAYS", "Kind", "Told"]

KINDS: Mapping[str, Kind] = {
    kind.key: kind for kind in (*invitations.KINDS, *tournaments.KINDS, *matches.KINDS, *cases.KINDS, *clubs.KINDS)
}
