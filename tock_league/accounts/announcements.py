"""Announcements that accounts publishes for the apps above it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PlayerRenaming:
    """A player is about to get another name. WITHIN subscribers may refuse it, and lock what they look at.

    Published before the player's row is locked: clubs and competitions come earlier in the lock order.
    """

    player_id: int
    name: str


@dataclass(frozen=True)
class NameHidden:
    """A player who counts as a child gets a pseudonym: WITHIN subscribers put it where they keep a copy of the name.

    Published before the player's row is changed, for the same reason.
    """

    player_id: int
    name: str  # the former one
    pseudonym: str


@dataclass(frozen=True)
class TokensRevoked:
    """All access tokens of a login end: WITHIN subscribers end what could get new ones for it."""

    user_id: int


@dataclass(frozen=True)
class LoginShut:
    """A login may no longer sign in: WITHIN subscribers end what others let it do for them."""

    user_id: int
