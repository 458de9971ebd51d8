"""What a player wishes to be told, and what they have seen."""

from collections.abc import Collection, Mapping, Sequence

from django.core import signing
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player, User
from tock_league.common import clock, outbox
from tock_league.common.errors import NotThere, Refused
from tock_league.common.transactions import writing

from ..kinds import KINDS, MAIL, Kind
from ..models import Bounce, Notice, Preference, QuietHours
from ..selectors import GIVE_UP_AFTER
from .telling import MAIL_TASK

SALT = "notices.stop"


def mark_seen(*, by: Player, notice: Notice) -> Notice:
    """Mark an own notice as seen. Idempotent. NotThere for somebody else's."""
    with writing():
        row = Notice.objects.select_for_update().filter(player=by, pk=notice.pk).first()
        if row is None:
            raise NotThere
        if row.seen_at is None:
            row.seen_at = clock.now()
            row.save(update_fields=["seen_at"])
        return row


def mark_all_seen(*, by: Player, newest: int | None = None) -> int:
    """Mark all own notices as seen; return how many were not.

    `newest`: the highest key that the person was shown: what came later stays new, and is mailed.
    """
    with writing():
        rows = Notice.objects.filter(player=by, on_site=True, seen_at__isnull=True)
        if newest is not None:
            rows = rows.filter(pk__lte=newest)
        return rows.update(seen_at=clock.now())


def choose(*, by: Player, wanted: Mapping[str, Collection[str]]) -> None:
    """Write by which ways `by` hears of each kind in `wanted`; other kinds stay as they are.

    Raises Refused: `kind` for an unknown kind, `way` for an unknown way, `fixed` where a way that stays on is missing.
    """
    rows = []
    for key, ways in wanted.items():
        kind = KINDS.get(key)
        if kind is None:
            raise Refused("kind", _("There is no such notice."), field="kind")
        if not set(ways) <= set(kind.offered):
            raise Refused("way", _("Choose among the ways that are offered."), field=key)
        if not kind.fixed <= set(ways):
            raise Refused("fixed", _("This notice has a deadline or changes a match: it stays in the site."), field=key)
        rows += [Preference(player=by, kind=key, way=way, wanted=way in ways) for way in kind.offered]
    with writing():
        _write(rows)


def set_quiet_hours(*, by: Player, begins: int, ends: int) -> None:
    """Write the full hours, 0 to 23, between which nothing is sent to `by`; the same hour twice: none. Raise Refused `hour`."""
    for field, hour in (("begins", begins), ("ends", ends)):
        if not 0 <= hour <= 23:
            raise Refused("hour", _("Choose a full hour, from 0 to 23."), field=field)
    with writing():
        QuietHours.objects.update_or_create(player=by, defaults={"begins": begins, "ends": ends})


def allow_mail(*, by: User) -> int:
    """Forget that an address of the login was refused: the person says that it works again, or has another one.

    What came back within the last two days, and was not read meanwhile, is sent again. Return how many mails. Idempotent.
    """
    with writing():
        deleted, _by_model = Bounce.objects.filter(user=by).delete()
        if not deleted:
            return 0
        rows = Notice.objects.select_for_update().filter(
            player__user=by,
            mail=Notice.Mail.DROPPED,
            mail_why="bounced",
            seen_at__isnull=True,
            at__gt=clock.now() - GIVE_UP_AFTER,
        )
        keys = list(rows.order_by("pk").values_list("pk", flat=True))
        Notice.objects.filter(pk__in=keys).update(mail=Notice.Mail.WAITING, mail_why="", mail_claimed_at=None)
        for key in keys:
            outbox.enqueue(MAIL_TASK, f"{key}:{clock.now_ms()}", notice=key)
        return len(keys)


def token_for(player: Player, kind: Kind) -> str:
    """Return the signed text that stops the mails of a kind without a sign-in. It does not expire, and does nothing else."""
    return signing.Signer(salt=SALT).sign_object({"player": player.slug, "kind": kind.key}, compress=False)


def read_token(token: str) -> tuple[Player, Kind]:
    """Return whose mails of which kind the token stops. NotThere for a token that the site has not signed."""
    try:
        body = signing.Signer(salt=SALT).unsign_object(token)
        player, kind = Player.objects.filter(slug=body["player"]).first(), KINDS.get(body["kind"])
    except (signing.BadSignature, ValueError, KeyError, TypeError):
        raise NotThere from None
    if player is None or kind is None:
        raise NotThere
    return player, kind


def stop_mails(*, token: str) -> Kind:
    """Stop the mails that the token names; return their kind. Idempotent. NotThere as `read_token`."""
    with writing():
        player, kind = read_token(token)
        _write([Preference(player=player, kind=kind.key, way=MAIL, wanted=False)])
        return kind


def _write(rows: Sequence[Preference]) -> None:
    """Write the wishes, in place of former ones, in one statement."""
    Preference.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["player", "kind", "way"], update_fields=["wanted"]
    )
