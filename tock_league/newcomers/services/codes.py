"""The one-use code with which a person shows that a player without a login is theirs. Shown once; its digest is stored."""

from datetime import datetime, timedelta
from hashlib import sha256

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.merged import require_separate
from tock_league.accounts.minors import is_child
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, can, is_administrator, label
from tock_league.clubs.models import Club, Membership
from tock_league.common import clock, refusals
from tock_league.common.errors import NotAllowed, Refused
from tock_league.common.ids import new_slug
from tock_league.common.transactions import writing
from tock_league.competitions.models import Competition
from tock_league.journal.services import OPEN, record

from ..models import ClaimCode, ListedName
from ..selectors import in_care

LIFE = timedelta(days=30)
LENGTH = 10  # letters of a code: 49 bits


def make_code(*, by: Person, player: Player) -> tuple[str, datetime]:
    """Return a new code for `player` and when it ends; the one before ends now.

    For officers of the home club, and of the club or event whose list made the player. Raises Refused: `has_login`,
    `bot`, `child`, `merged`.
    """
    with writing():
        player = Player.objects.select_for_update(of=("self",)).get(pk=player.pk)
        _may(by, player)
        require_claimable(player)
        now = clock.now()
        ClaimCode.objects.filter(player=player, ended_at__isnull=True).update(ended_at=now)
        code = new_slug(LENGTH).upper()
        made = ClaimCode.objects.create(
            player=player,
            digest=digest(code),
            made_by=by if isinstance(by, Player) else None,
            made_at=now,
            expires_at=now + LIFE,
        )
        record(OPEN, "claim_code.made", actor=label(by), body={"player": label(player)})
        return f"{code[:5]}-{code[5:]}", made.expires_at


def revoke_code(*, by: Person, player: Player) -> None:
    """End the player's code in force. Idempotent."""
    with writing():
        _may(by, player)
        if ClaimCode.objects.filter(player=player, ended_at__isnull=True).update(ended_at=clock.now()):
            record(OPEN, "claim_code.revoked", actor=label(by), body={"player": label(player)})


def require_claimable(player: Player) -> None:
    """Raise Refused on `player` for one that nobody can claim: with a login, a bot, a child, or given up in a merge."""
    if player.user_id is not None:
        text = _("%(player)s has an account already. Who has two records asks an administrator to merge them.")
        raise Refused("has_login", text % {"player": player.display_name}, field="player")
    if player.bot:
        raise Refused("bot", _("A program claims nobody, and nobody claims a program."), field="player")
    if is_child(player):
        text = _("%(player)s is a child: the players of children are not joined to an account by a code.")
        raise Refused("child", text % {"player": player.display_name}, field="player")
    require_separate(player.pk, field="player")


def may_give_code(person: Person, player: Player) -> bool:
    """Return whether `person` vouches for the player: as officer of the home club, or of the club or event whose list made
    the player (selectors.in_care).
    """
    if person is None:
        return False
    if not isinstance(person, Player) or is_administrator(person):
        return True
    ties = Membership.objects.filter(player=player, until__isnull=True).values("club")
    makers = ListedName.objects.filter(player=player, made_player=True)
    clubs = Club.objects.filter(Q(pk__in=ties) | Q(pk__in=makers.values("made_by__club")))
    if any(in_care(club, [player.pk]) and can(person, "club.edit", club) for club in clubs):
        return True
    events = Competition.objects.filter(pk__in=makers.values("made_by__competition"))
    return any(can(person, "competition.organise", event) for event in events)


def digest(code: str) -> str:
    """Return the SHA-256, hex, of a code however it was typed: case, spaces and dashes make no difference."""
    return sha256("".join(code.upper().replace("-", " ").split()).encode()).hexdigest()


def _may(person: Person, player: Player) -> None:
    if not may_give_code(person, player):
        if person is not None:
            refusals.tell(label(person), "claim_code.make", needed="club_officer")
        raise NotAllowed(needed="club_officer")
