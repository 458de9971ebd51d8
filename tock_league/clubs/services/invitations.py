"""Invitations into a team, by name or by a secret link, and their answers."""

import secrets
from datetime import timedelta

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.blocks import require_together
from tock_league.accounts.merged import require_separate
from tock_league.accounts.minors import require_consent
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, player_who_asks, require
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing
from tock_league.notices.services import tell, tell_withdrawn

from ..models import CAPTAIN, Team, TeamInvitation, TeamPlayer
from ..selectors import digest, invitation_by_token
from .teams import locked

LIFE = timedelta(days=7)
State = TeamInvitation.State


def invite(*, by: Person, team: Team, player: Player, slot: int) -> TeamInvitation:
    """Offer a place of the team to a player, who sees it on their own pages and may answer within LIFE.

    Raises Refused naming `player` for oneself and for a player who is in the team or has an open invitation already,
    `slot` when the place is taken or offered; `apart` on `player` when one of the two has blocked the other.
    """
    with writing():
        team = _may_offer(by, team, slot)
        if isinstance(by, Player) and by.pk == player.pk:
            raise Refused("self_invited", _("You cannot invite yourself."), field="player")
        require_together(by, player, field="player")
        require_separate(player.pk, field="player")
        if TeamPlayer.objects.filter(team=team, player=player, left__isnull=True).exists():
            raise Refused(
                "already_in_team",
                _("%(player)s is already in this team.") % {"player": player.display_name},
                field="player",
            )
        if TeamInvitation.objects.filter(team=team, player=player, state=State.OPEN).exists():
            raise Refused(
                "second_invitation",
                _("%(player)s is already invited and has not answered yet.") % {"player": player.display_name},
                field="player",
            )
        invitation = _offer(by, team, slot, player=player)
        tell(
            [player.pk],
            "team_invitation",
            str(invitation.pk),
            address=reverse("pages:home"),  # it is answered there
            useless_at=invitation.expires_at,
            team=team.slug,
            by=by.slug if isinstance(by, Player) else "",
            until=invitation.expires_at,
        )
        return invitation


def invite_by_link(*, by: Person, team: Team, slot: int) -> tuple[TeamInvitation, str]:
    """Return an invitation for whoever opens its link first, and the secret of the link, which is not stored."""
    with writing():
        team = _may_offer(by, team, slot)
        token = secrets.token_urlsafe(24)
        return _offer(by, team, slot, token_hash=digest(token)), token


def revoke(*, by: Person, invitation: TeamInvitation) -> TeamInvitation:
    """Take an invitation back. Idempotent; an answered one stays as it is."""
    with writing():
        team = Team.objects.select_for_update().get(pk=invitation.team_id)
        require(by, "team.edit", team, needed="captain")
        invitation = _again(invitation)
        if invitation.state == State.REVOKED:
            return invitation
        if invitation.state != State.OPEN:
            raise _used(invitation)
        return _close(invitation, State.REVOKED, by)


def answer(*, by: Person, invitation: TeamInvitation, accept: bool) -> TeamInvitation:
    """Accept or decline an invitation by name; only the player it names may.

    Raises Conflict when it is answered, taken back or expired, and when the place has been taken meanwhile.
    """
    with writing():
        require(by, "invitation.answer", invitation, needed="invited_player")
        return _answered(by, invitation, accept=accept)


def answer_link(*, by: Person, token: str, accept: bool) -> TeamInvitation:
    """Accept or decline by the secret of a link; the first answer uses it up.

    Raises NotThere for an unknown link, Refused("self_invited") for its sender, `apart` when sender or asker has blocked the
    other, and what `answer` raises.
    """
    with writing():
        invitation = invitation_by_token(token)
        by = player_who_asks(by)
        if invitation.sent_by_id == by.pk:
            raise Refused("self_invited", _("You made this link yourself: send it to the player you invite."))
        if accept and invitation.sent_by is not None:
            require_together(by, invitation.sent_by)
        return _answered(by, invitation, accept=accept)


def open_or_refuse(invitation: TeamInvitation) -> None:
    """Raise Conflict unless the invitation still waits for its answer."""
    if invitation.team.dissolved_at is not None:
        raise Conflict("team_dissolved", _("%(team)s is dissolved.") % {"team": invitation.team.name})
    if invitation.state == State.EXPIRED or (invitation.state == State.OPEN and invitation.expires_at <= clock.now()):
        raise Conflict("invitation_expired", _("This invitation has expired. Ask the captain for a new one."))
    if invitation.state == State.REVOKED:
        raise Conflict("invitation_revoked", _("The captain has taken this invitation back."))
    if invitation.state != State.OPEN:
        raise _used(invitation)


def _used(invitation: TeamInvitation) -> Conflict:
    return Conflict("invitation_used", _("This invitation has already been answered."), state=invitation.state)


def _again(invitation: TeamInvitation) -> TeamInvitation:
    return TeamInvitation.objects.select_for_update(of=("self",)).select_related("team", "player").get(pk=invitation.pk)


def _may_offer(by: Person, team: Team, slot: int) -> Team:
    """Return the team under lock, its invitations that ran out closed."""
    team = locked(team)
    require(by, "team.edit", team, needed="captain")
    if slot not in team.places or slot == CAPTAIN:
        raise Refused(
            "place_unknown",
            _("Besides its captain a team of %(size)d has places for %(others)d players and two substitutes.")
            % {"size": team.size, "others": team.size - 1},
            field="slot",
        )
    now = clock.now()
    offers = TeamInvitation.objects.filter(team=team, state=State.OPEN)
    offers.filter(expires_at__lte=now).update(state=State.EXPIRED, answered_at=now)
    if TeamPlayer.objects.filter(team=team, slot=slot, left__isnull=True).exists():
        raise Refused("place_taken", _("This place in the team is taken."), field="slot")
    if offers.filter(slot=slot).exists():
        raise Refused(
            "second_invitation",
            _("An invitation for this place is open already. Take it back before you send another one."),
            field="slot",
        )
    return team


def _offer(by: Person, team: Team, slot: int, **to: object) -> TeamInvitation:
    now = clock.now()
    return TeamInvitation.objects.create(
        team=team,
        slot=slot,
        sent_by=by if isinstance(by, Player) else None,
        sent_at=now,
        expires_at=now + LIFE,
        **to,
    )


def _answered(by: Person, invitation: TeamInvitation, *, accept: bool) -> TeamInvitation:
    team = Team.objects.select_for_update().get(pk=invitation.team_id)
    invitation = _again(invitation)
    open_or_refuse(invitation)
    who = invitation.player or by  # an administrator may answer for the player
    assert isinstance(who, Player)
    if accept:
        require_consent(who.pk)
        spells = TeamPlayer.objects.filter(team=team, left__isnull=True)
        if spells.filter(player=who).exists():
            raise Refused("already_in_team", _("You are already in this team."))
        if spells.filter(slot=invitation.slot).exists():
            raise Conflict("place_taken", _("Somebody else has taken this place in the team meanwhile."))
        TeamPlayer.objects.create(team=team, player=who, slot=invitation.slot, joined=clock.now())
    return _close(invitation, State.ACCEPTED if accept else State.DECLINED, by)


def _close(invitation: TeamInvitation, state: str, by: Person) -> TeamInvitation:
    invitation.state = state
    invitation.answered_at = clock.now()
    invitation.answered_by = by if isinstance(by, Player) else None
    invitation.save(update_fields=["state", "answered_at", "answered_by"])
    tell_withdrawn("team_invitation", str(invitation.pk))
    return invitation
