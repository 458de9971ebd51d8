"""The digest of the week: promised at its hour to everybody who wants it, written when the mail leaves."""

from collections import defaultdict
from datetime import timedelta

from django.urls import reverse

from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing

from ..core import weekly
from ..kinds import DIGEST, MAIL
from ..models import DigestHour, Notice, Preference
from .telling import tell

LATE = timedelta(hours=12)  # after its hour, a digest that nobody has promised, because the site was down, is left out


def send_digests() -> int:
    """Tell everybody whose hour has come that their digest is due; return how many. Idempotent; two queries when none is."""
    now = clock.now()
    wanting = Preference.objects.filter(kind=DIGEST, way=MAIL, wanted=True).values("player")
    people = Player.objects.filter(pk__in=wanting, user__isnull=False).select_related("digest_hour")
    told = set(Notice.objects.filter(kind=DIGEST, at__gt=now - weekly.WEEK).values_list("player", "key"))
    due: dict[str, list[int]] = defaultdict(list)
    for player in people:
        hour = getattr(player, "digest_hour", None)
        day, at = (hour.day, hour.hour) if hour is not None else (weekly.DAY, weekly.HOUR)
        last = weekly.last_before(now, player.time_zone, day=day, hour=at)
        key = last.date().isoformat()
        if now - last < LATE and (player.pk, key) not in told:
            due[key].append(player.pk)
    return sum(tell(players, DIGEST, key, address=reverse("notices:settings")) for key, players in sorted(due.items()))


def set_digest_hour(*, by: Player, day: int, hour: int) -> None:
    """Write the day, 0 for Monday, and the full hour at which the digest comes. Raise Refused: `day`, `hour`."""
    if not 0 <= day <= 6:
        raise Refused("day", weekly.WRONG_DAY, field="digest_day")
    if not 0 <= hour <= 23:
        raise Refused("hour", weekly.WRONG_HOUR, field="digest_hour")
    with writing():
        DigestHour.objects.update_or_create(player=by, defaults={"day": day, "hour": hour})
