"""Blocks: two people of whom one wants nothing from the other. What brings people together asks here first.

A block works both ways: neither invites, answers or sees the presence of the other. A bot account counts as its owner. Public
pages (standings, matches) stay as they are. Nobody is told: a refusal says the same whoever has blocked whom.
"""

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing

from .models import Block, BotAccount, Player
from .permissions import Person, player_who_asks

MOST = 200  # a person blocks at most
APART = _("You and this person cannot be brought together here.")


def block(*, by: Person, player: Player) -> Block:
    """Return the block of `player` by the person asking. Idempotent.

    Raises Refused naming `player` for oneself and for a program, `blocks_most` when the list is full.
    """
    with writing():
        person = player_who_asks(by)
        if player.pk == person.pk:
            raise Refused("self_blocked", _("You cannot block yourself."), field="player")
        if player.bot:
            raise Refused("bot_blocked", _("A program asks nothing of you: there is nothing to block."), field="player")
        Player.objects.select_for_update().get(pk=person.pk)  # the limit holds for concurrent requests
        own = Block.objects.filter(player=person)
        known = own.filter(blocked=player).first()
        if known is not None:
            return known
        if own.count() >= MOST:
            raise Refused(
                "blocks_most",
                _("You block %(most)d people, which is the most. Unblock somebody first.") % {"most": MOST},
                field="player",
            )
        return Block.objects.create(player=person, blocked=player, since=clock.now())


def unblock(*, by: Person, player: Player) -> None:
    """End the own block of `player`. Idempotent."""
    with writing():
        Block.objects.filter(player=player_who_asks(by), blocked=player).delete()


def of(person: Player) -> list[Block]:
    """Return the person's own blocks, the latest first. One query."""
    return list(Block.objects.filter(player=person).select_related("blocked"))


def blocks(person: Player, player: Player) -> bool:
    """Return whether `person` has blocked `player`. One query."""
    return Block.objects.filter(player=person, blocked=player).exists()


def apart(person: Player | None) -> set[int]:
    """Return the keys of the players whom `person` has blocked, or who have blocked `person`, and of their bot accounts. At
    most one query for a person who has no block.
    """
    if person is None:
        return set()
    selves = _selves(person)
    pairs = Block.objects.filter(Q(player__in=selves) | Q(blocked__in=selves)).values_list("player", "blocked")
    found = {key for pair in pairs for key in pair} - selves
    bots = BotAccount.objects.filter(owner__in=found).values_list("player", flat=True) if found else ()
    return found.union(bots)


def _selves(player: Player) -> set[int]:
    """Return the key of the player, and for a bot account that of its owner. No query for people."""
    owners = BotAccount.objects.filter(player=player).values_list("owner", flat=True) if player.is_bot_account else ()
    return {player.pk, *owners}


def are_apart(one: Player, other: Player) -> bool:
    """Return whether one of the two has blocked the other. One query, and one for each bot account."""
    first, second = _selves(one), _selves(other)
    pair = Q(player__in=first, blocked__in=second) | Q(player__in=second, blocked__in=first)
    return Block.objects.filter(pair).exists()


def require_together(one: Person, other: Player, *, field: str | None = None) -> None:
    """Raise Refused `apart` on `field` when one of the two has blocked the other. The site itself is nobody's concern."""
    if isinstance(one, Player) and are_apart(one, other):
        raise Refused("apart", APART, field=field)


def forget(player: Player) -> None:
    """Delete the blocks by and of a player who is erased, inside the caller's transaction."""
    Block.objects.filter(Q(player=player) | Q(blocked=player)).delete()
