"""Services of applications of other sites."""

from .accesses import end_own, forget, login_shut, tokens_revoked
from .applications import MOST, Made, change, delete, delete_of, register, renew_secret, restore, reword, suspend

__all__ = [
    "MOST",
    "Made",
    "change",
    "delete",
    "delete_of",
    "end_own",
    "forget",
    "login_shut",
    "register",
    "renew_secret",
    "restore",
    "reword",
    "suspend",
    "tokens_revoked",
]
