"""The accounts that `serve` prints. No password is the same in two data folders, so that none is known on a network."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from tock_league.accounts.models import Player, User
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user, give_role, set_password
from tock_league.common.ids import new_slug

from .names import ADMINISTRATOR, DEMO_PLAYER, HEAD_REFEREE, ORGANISER

BIRTH_YEAR = 1975  # of everybody who can sign in: the demo asks nobody
EVERYBODY = Player.Readers.EVERYBODY  # may open a page of the demo's players, who are invented
FILE = "demo_accounts.json"  # beside the secret key, readable by its owner only


@dataclass(frozen=True, slots=True)
class Account:
    """A login of the demo."""

    label: str  # what it is for, printed beside it
    email: str
    slug: str
    name: str
    role: str = ""


ACCOUNTS = (
    Account("player", "martine@demo.tock", DEMO_PLAYER.slug, DEMO_PLAYER.name),
    Account("organiser", "lise@demo.tock", *ORGANISER, role="organiser"),
    Account("referee", "ginette@demo.tock", *HEAD_REFEREE),
    Account("administrator", "admin@demo.tock", *ADMINISTRATOR, role="administrator"),
)


def passwords() -> dict[str, str]:
    """Return the password of each account by its address, as this data folder keeps them; drawn on first use.

    A site without a folder of its own (production) keeps none: its commands print them once, when they load the demo.
    Where the file was removed, the accounts get new passwords.
    """
    path = _path()
    here = {user.email: user for user in User.objects.filter(email__in=[account.email for account in ACCOUNTS])}
    if path is None and here:
        return {}
    if path is not None and path.exists():
        found: dict[str, str] = json.loads(path.read_text(encoding="ascii"))
        added = {account.email: _new_password() for account in ACCOUNTS if account.email not in found}
        if added:  # a folder of an older demo, which had fewer accounts
            found |= added
            _keep(path, found)
        return found
    drawn = {account.email: _new_password() for account in ACCOUNTS}
    if path is not None:
        _keep(path, drawn)
    for email, user in here.items():
        set_password(user=user, password=drawn[email])
    return drawn


def _keep(path: Path, drawn: dict[str, str]) -> None:
    half = path.with_suffix(".new")
    half.unlink(missing_ok=True)
    with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        json.dump(drawn, file, indent=1)
    half.replace(path)


def _path() -> Path | None:
    """Return where the passwords are kept; nowhere when the site has no data folder of its own (production)."""
    folder = getattr(settings, "DATA", None)
    return Path(folder) / FILE if folder is not None else None


def _new_password() -> str:
    return "-".join(new_slug(4) for _part in range(4))


def create(account: Account, password: str | None) -> Player:
    """Return the player of a new login, which cannot be used without a password. Refused if the address is taken."""
    user: User = create_user(email=account.email, password=password)
    player = create_player(
        display_name=account.name, slug=account.slug, user=user, birth_year=BIRTH_YEAR, page_for=EVERYBODY
    )
    if account.role:
        give_role(player=player, name=account.role, by=SITE)
    return player


def lines(known: dict[str, str]) -> list[str]:
    """Return the lines that tell who may sign in; without passwords if these were told before: they are not stored."""
    told = [
        f"  {account.label:<14} {account.email:<20} {known.get(account.email, '')}".rstrip() for account in ACCOUNTS
    ]
    return ["Demo accounts (invented people; the passwords are this data folder's own):", *told]
