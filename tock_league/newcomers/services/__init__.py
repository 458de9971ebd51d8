"""All services that write newcomers: lists and their undo, codes, claims."""

from .claims import claim, decline
from .codes import make_code, revoke_code
from .lists import Preview, add_one, preview, save
from .undoing import Undone, undo

__all__ = [
    "Preview",
    "Undone",
    "add_one",
    "claim",
    "decline",
    "make_code",
    "preview",
    "revoke_code",
    "save",
    "undo",
]
