"""Claims: the login of somebody who shows a code is joined to the player of the code, or administrators are asked.

A login whose own player has played is never joined: two records of one person are merged by an administrator, who sees
before what that changes (people.merging).
"""

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.models import HeldSeat, Seating, Table
from ratings.models import Subject
from tock_league.accounts.merged import require_separate
from tock_league.accounts.minors import is_child
from tock_league.accounts.models import BotAccount, Player, Role, User
from tock_league.accounts.permissions import Person, label, require
from tock_league.clubs.models import ClubRole
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotThere, Refused
from tock_league.common.transactions import writing
from tock_league.competitions.models import CompetitionRole, Entry, RosterSpot
from tock_league.journal.services import OPEN, record
from tock_league.notices.services import tell
from tock_league.people.joining import join_login

from ..models import Claim, ClaimCode
from .codes import digest, require_claimable


def shown_by(code: str) -> ClaimCode:
    """Return the code in force with its player. Raise NotThere for another one. One query."""
    rows = ClaimCode.objects.filter(digest=digest(code), ended_at__isnull=True, expires_at__gt=clock.now())
    if (found := rows.select_related("player").first()) is None:
        raise NotThere(_("This code is not known, or was used, or has ended. Ask your club for a new one."))
    return found


def has_record(player: Player) -> bool:
    """Return whether a player has done what a merge must look at: games but practice, events, offices, bots. Eight queries."""
    rows = (
        Seating.objects.filter(player=player).exclude(table__kind=Table.Kind.PRACTICE),
        HeldSeat.objects.filter(player=player),
        Subject.objects.filter(members=player),
        RosterSpot.objects.filter(player=player),
        Entry.objects.filter(player=player),
        Role.objects.filter(player=player, until__isnull=True),
        ClubRole.objects.filter(player=player, until__isnull=True),
        CompetitionRole.objects.filter(player=player, until__isnull=True),
        BotAccount.objects.filter(Q(owner=player) | Q(player=player)),
    )
    return any(found.exists() for found in rows)


def claim(*, user: User, code: str) -> Claim:
    """Join the login to the player of the code, or ask administrators; the code ends with it.

    Raises NotThere for an unknown code; Refused: `own_code` for who made it, `child`, `merged`, `has_login`, and what a merge
    of the login's own player without games refuses.
    """
    with writing():
        found = shown_by(code)
        player = Player.objects.select_for_update(of=("self",)).get(pk=found.player_id)
        found = ClaimCode.objects.select_for_update(of=("self",)).get(pk=found.pk)
        if found.ended_at is not None:
            raise NotThere(_("This code is not known, or was used, or has ended. Ask your club for a new one."))
        require_claimable(player)
        own = Player.objects.select_for_update(of=("self",)).filter(user=user).first()
        if own is not None:
            _may_claim(own, found)
        found.ended_at = clock.now()
        found.save(update_fields=["ended_at"])
        actor = label(own) if own is not None else f"login:{user.username}"
        if own is not None and has_record(own):
            return _asked(own, player, actor)
        join_login(user=user, own=own, player=player)
        record(OPEN, "player.claimed", actor=actor, body={"player": label(player)})
        return Claim.objects.create(player=player, own=own, state=Claim.State.JOINED, at=clock.now())


def decline(*, by: Person, claim: Claim) -> Claim:
    """Answer a claim that no merge follows; for administrators. Raise Conflict `answered` when it was answered."""
    with writing():
        require(by, "player.merge", needed="administrator")
        found = Claim.objects.select_for_update(of=("self",)).select_related("player", "own").get(pk=claim.pk)
        if found.state != Claim.State.ASKED:
            raise Conflict("answered", _("This claim is answered already."))
        found.state, found.answered_at = Claim.State.DECLINED, clock.now()
        found.answered_by = by if isinstance(by, Player) else None
        found.save(update_fields=["state", "answered_at", "answered_by"])
        assert found.own is not None
        body = {"player": label(found.player), "own": label(found.own)}
        record(OPEN, "claim.declined", actor=label(by), body=body)
        return found


def _may_claim(own: Player, code: ClaimCode) -> None:
    if code.made_by_id == own.pk:
        text = _("You made this code: give it to the person. An administrator merges two records of your own.")
        raise Refused("own_code", text, field="code")
    if own.bot:
        raise Refused("bot", _("A program claims nobody."), field="code")
    if is_child(own):
        text = _("Before 14 years of age a record under a full name is not joined to an account. Ask your club.")
        raise Refused("child", text, field="code")
    require_separate(own.pk, field="code")


def _asked(own: Player, player: Player, actor: str) -> Claim:
    """Ask the administrators to merge; the person who asks again is answered with the claim that waits."""
    made, created = Claim.objects.get_or_create(
        player=player, own=own, state=Claim.State.ASKED, defaults={"at": clock.now()}
    )
    if created:
        record(OPEN, "claim.asked", actor=actor, body={"player": label(player), "own": label(own)})
        administrators = Role.objects.filter(name=Role.Name.ADMINISTRATOR, until__isnull=True).values("player")
        rulers = Player.objects.filter(Q(pk__in=administrators) | Q(user__is_superuser=True, user__is_active=True))
        keys = list(rulers.values_list("pk", flat=True))
        tell(keys, "merge_asked", f"{made.pk}", address=reverse("newcomers:claims"), player=player.slug, own=own.slug)
    return made
