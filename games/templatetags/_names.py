"""Names of the people and bots at a table, for pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from ._pieces import letter


def seat_names(boot: Mapping[str, Any]) -> list[str]:
    """Return one name per seat: a player's name, else "Bot B" for a bot and "Guest" for somebody without an account."""
    bots = boot.get("bots") or [""] * boot["seats"]
    names = []
    for seat, name in enumerate(boot["names"]):
        if name:
            names.append(str(name))
        elif bots[seat]:
            # Translators: a program that holds a seat; the letter is its seat's.
            names.append(_("Bot %(letter)s") % {"letter": letter(seat).upper()})
        else:
            names.append(_("Guest"))
    return names


def short_names(names: Sequence[str]) -> list[str]:
    """Return first names, or full names where two seats share a first name."""
    first = [str(name).split(" ")[0] for name in names]
    return [str(name) if first.count(short) > 1 else short for name, short in zip(names, first, strict=True)]
