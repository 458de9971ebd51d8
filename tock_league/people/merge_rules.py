"""Which two players can be merged, and what must have ended before."""

from django.utils.translation import gettext_lazy as _

from games.models import Game, Table
from tock_league.accounts.merged import in_force, kept_of
from tock_league.accounts.minors import is_child
from tock_league.accounts.models import Player, Role
from tock_league.accounts.permissions import label
from tock_league.arbitration.selectors.rulings.sanctioned import in_force as sanctions
from tock_league.common.errors import Refused, Text
from tock_league.competitions.models import Competition, CompetitionRole, RosterSpot
from tock_league.competitions.people import AHEAD, PLAYS_ON

from .models import Erased


def require_mergeable(former: Player, kept: Player) -> None:
    """Raise Refused on `former` or `kept` unless the two can be one person, who goes on as `kept`.

    Codes: same_player, bot, child, erased, merged, cycle, both_logins, former_login, sanction.
    """
    if former.pk == kept.pk:
        raise Refused("same_player", _("Choose two different players."), field="kept")
    for player, field in ((former, "former"), (kept, "kept")):
        if player.bot:
            raise _refused("bot", _("%(player)s is a bot."), player, field)
        if is_child(player):
            raise _refused("child", _("%(player)s is a child: the players of children are not merged."), player, field)
        if Erased.objects.filter(label=label(player)).exists():
            raise _refused("erased", _("%(player)s was erased: nobody may say who it was."), player, field)
    _chains(former, kept)
    _logins(former, kept)
    if former.pk in sanctions([former.pk]):
        text = _("%(player)s is kept out of play by a ruling: a merge waits until that ends, or is lifted.")
        raise _refused("sanction", text, former, "former")


def must_end(former: Player) -> None:
    """Raise Refused on `former` while the player sits at a table, is entered in an event, or holds an office.

    Only who signs in can play on, and whoever plays on does so as `kept`: so the roster is changed before, not silently.
    """
    running = Game.objects.filter(
        table__seatings__player=former, table__state__in=[Table.State.OPEN, Table.State.PLAYING]
    ).exclude(state=Game.State.OVER)
    if (game := running.select_related("table").first()) is not None:
        text = _("%(player)s plays at the table %(table)s: wait for the end of the game.")
        raise _refused("running_game", text, former, "former", table=game.table.name)
    spots = RosterSpot.objects.filter(player=former, left__isnull=True, entry__state__in=PLAYS_ON)
    events = Competition.objects.filter(pk__in=spots.values("competition"), state__in=AHEAD).order_by("pk")
    if names := [event.name for event in events]:
        text = _(
            "%(player)s is entered in %(events)s. Ask its organiser to change the roster or to withdraw the entry, or wait"
            " for its end."
        )
        raise _refused("plays_on", text, former, "former", events=", ".join(names))
    site = Role.objects.filter(player=former, until__isnull=True)
    offices = CompetitionRole.objects.filter(player=former, until__isnull=True, competition__state__in=AHEAD)
    if site.exists() or offices.exists():
        raise _refused("office", _("%(player)s holds an office: end it first."), former, "former")


def _chains(former: Player, kept: Player) -> None:
    if (end := kept_of(kept)) is not None and end.pk == former.pk:
        text = _("%(player)s was merged with %(former)s the other way round: separate them first.")
        raise _refused("cycle", text, kept, "kept", former=former.display_name)
    for player, field in ((former, "former"), (kept, "kept")):
        if (merge := in_force(player)) is not None:
            text = _("%(player)s is merged with %(other)s already: choose %(other)s, or separate them first.")
            raise _refused("merged", text, player, field, other=merge.kept.display_name)


def _logins(former: Player, kept: Player) -> None:
    """Refuse a former player who can sign in; a login that is deactivated stays so until a separation."""
    if former.user is None or not former.user.is_active:
        return
    if kept.user_id is None:
        text = _("%(player)s has a login and stays: choose the other player as the one that is given up.")
        raise _refused("former_login", text, former, "former")
    text = _(
        "Both have a login. Ask the person which one stays; then deactivate the login of %(player)s on the admin’s page of"
        " users, and merge again."
    )
    raise _refused("both_logins", text, former, "former")


def _refused(code: str, text: Text, player: Player, field: str, **more: str) -> Refused:
    return Refused(code, text % {"player": player.display_name, **more}, field=field, player=player.slug)
