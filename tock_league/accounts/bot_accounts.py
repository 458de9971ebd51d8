"""Bot accounts: players whom a program plays, made and kept by a person (decision 0050).

A bot account has a login without an address and without a password, so nobody signs in by it: its program shows a token,
which the owner makes. Its name ends with MARK, a person's never does, so that every page, list and file marks it. It acts
for nobody else: `permissions.can` allows it what a player does for itself (BOT_ACTIONS), and no office can be given to it.
"""

from collections.abc import Collection

from django.db.models import F, QuerySet
from django.utils.translation import gettext_lazy as _

from tock_league.common import clock, limits
from tock_league.common.errors import NotThere, Refused
from tock_league.common.names import BOT_MARK, checked_name, is_marked, plain_look_of
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from . import minors, tokens
from .models import BOT_ACCOUNT, NAME_LENGTH, BotAccount, Player, Token, User, naming
from .permissions import Person, require

MOST = 3  # bot accounts in use a person has at most
MADE_A_DAY = 5
SCOPES = (Token.Scope.READ, Token.Scope.PLAY)  # a bot has no role that `manage` could use
NAME_SHORTEST = 2


def of(owner: Player) -> QuerySet[BotAccount]:
    """Return the person's bot accounts, those in use first, each with its player and login. One query."""
    in_use_first = F("closed_at").asc(nulls_first=True)  # PostgreSQL puts them last unless asked
    return BotAccount.objects.filter(owner=owner).select_related("player__user").order_by(in_use_first, "-made_at")


def own(owner: Player, slug: str) -> BotAccount:
    """Return one of the person's bot accounts by its player's public id. Raises NotThere."""
    found = of(owner).filter(player__slug=slug).first()
    if found is None:
        raise NotThere
    return found


def owner_of(player: Player) -> Player | None:
    """Return who keeps a bot account; None for people and for the site's own bots. One query, none for people."""
    if not player.is_bot_account:
        return None
    found = BotAccount.objects.filter(player=player).select_related("owner").first()
    return found.owner if found is not None else None


def make(*, by: Person, name: str) -> BotAccount:
    """Return a new bot account of the person asking. `name` is without the mark.

    Raises NotAllowed for visitors and bots; Refused on `name` when it is not readable, too long, or looks like another
    player's; `bots_most` when MOST are in use; `child_office` for a child, who must not answer for a program.
    """
    with writing():
        require(by, "profile.edit", by, needed="player")
        assert isinstance(by, Player)
        owner = Player.objects.select_for_update().get(pk=by.pk)  # the limit holds for concurrent requests
        minors.require_no_child(owner)
        name = _full_name(name)
        if BotAccount.objects.filter(owner=owner, closed_at__isnull=True).count() >= MOST:
            text = _("You have %(most)d bot accounts, which is the most. Close one first.")
            raise Refused("bots_most", text % {"most": MOST})
        limits.spend_of_day(
            owner, "bot", count=MADE_A_DAY, sentence=_("You have made several bot accounts today. Come back tomorrow.")
        )
        user = User()
        user.set_unusable_password()
        user.save()
        player = Player(
            display_name=name,
            language=owner.language,
            time_zone=owner.time_zone,
            user=user,
            bot=BOT_ACCOUNT,
            page_for=Player.Readers.EVERYBODY,
            shows_presence=False,
        )
        checked(player).save()
        return BotAccount.objects.create(player=player, owner=owner, made_at=clock.now())


def close(*, by: Person, slug: str) -> BotAccount:
    """Close one of the own bot accounts for good: its tokens and sockets end, its results stay. Idempotent."""
    with writing():
        account = _owned(by, slug)
        if account.closed_at is None:
            account.closed_at = clock.now()
            account.save(update_fields=["closed_at"])
            _shut(account.player)
        return account


def make_token(*, by: Person, slug: str, name: str, scopes: Collection[str], days: int) -> tokens.Made:
    """Return a new token of one of the own bot accounts. Raises Refused as `tokens.make` does, on `scopes` for `manage`,
    and `bot_closed`.
    """
    with writing():
        account = _owned(by, slug)
        if account.closed_at is not None:
            raise Refused("bot_closed", _("This bot account is closed."), status=409)
        if Token.Scope.MANAGE in scopes:
            raise Refused("scope", _("A bot account plays, and manages nothing."), field="scopes")
        assert account.player.user is not None
        return tokens.make(by=account.player.user, name=name, scopes=scopes, days=days)


def revoke_token(*, by: Person, slug: str, pk: int) -> Token:
    """Take a token of one of the own bot accounts out of force. Idempotent. NotThere for another one's."""
    with writing():
        account = _owned(by, slug)
        if account.player.user is None:
            raise NotThere
        return tokens.revoke(by=account.player.user, pk=pk)


def stop(owner: User) -> int:
    """Take every token of the bot accounts of a login's player out of force: whoever could make them is not trusted any more.
    Return how many.
    """
    with writing():
        found = Token.objects.filter(user__player__account__owner__user=owner, revoked_at__isnull=True)
        return found.update(revoked_at=clock.now())


def require_person(player: Player, *, field: str = "player") -> None:
    """Raise Refused `bot_office` on `field` when a bot would get an office."""
    if player.is_bot_account:
        text = _("%(player)s is a bot: it plays, and acts for nobody else.") % {"player": player.display_name}
        raise Refused("bot_office", text, field=field, player=player.slug)


def forget(owner: Player, pseudonym: str) -> None:
    """Close the bot accounts of somebody who is erased, take their names away, and delete their tokens, whose names the person
    has chosen; inside the caller's transaction.
    """
    for number, account in enumerate(of(owner).order_by("pk"), start=1):
        name = f"{pseudonym[: NAME_LENGTH - len(BOT_MARK) - 4]} {number}{BOT_MARK}"
        Player.objects.filter(pk=account.player_id).update(**naming(name))
        BotAccount.objects.filter(pk=account.pk, closed_at__isnull=True).update(closed_at=clock.now())
        _shut(account.player)
    Token.objects.filter(user__player__account__owner=owner).delete()


def _shut(player: Player) -> None:
    if player.user is not None:
        tokens.revoke_all(player.user)
        User.objects.filter(pk=player.user.pk).update(is_active=False)


def _owned(by: Person, slug: str) -> BotAccount:
    """Return the account, locked. Raises NotAllowed for visitors and bots, NotThere for somebody else's."""
    require(by, "profile.edit", by, needed="player")
    assert isinstance(by, Player)
    found = BotAccount.objects.select_for_update(of=("self",)).select_related("player__user")
    account = found.filter(owner=by, player__slug=slug).first()
    if account is None:
        raise NotThere
    return account


def _full_name(name: str) -> str:
    name = checked_name(name, field="name")
    if is_marked(name):
        name = name[: -len(BOT_MARK.strip())].rstrip()
    if not NAME_SHORTEST <= len(name) <= NAME_LENGTH - len(BOT_MARK):
        most = NAME_LENGTH - len(BOT_MARK)
        text = _("Give a name of 2 to %(most)d letters, digits and spaces.") % {"most": most}
        raise Refused("bot_name", text, field="name")
    full = name + BOT_MARK
    if Player.objects.filter(look__in=[plain_look_of(full), plain_look_of(name)]).exists():
        raise Refused("name_taken", _("A player has that name. Choose another one."), field="name")
    return full
