"""Children and minors: who counts as one, the pseudonym that others see, and who may take part (decision 0030).

Only the year of birth is known, so somebody counts as younger than an age until the end of the year of that birthday. An
unknown year protects nobody: the site asks for it (`is_asked`).
"""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import translation
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.ids import ALPHABET, new_slug
from tock_league.common.validation import checked

from .models import BirthYear, Consent, Player

CHILD_BELOW = 14  # a guardian consents below this age: Québec's Law 25, section 4.1
MINOR_BELOW = 18
OLDEST = 120
YOUNGEST = 4
SIGN_LENGTH = 4


def years() -> tuple[int, int]:
    """Return the first and the last year of birth that are accepted."""
    now = clock.now().year
    return now - OLDEST, now - YOUNGEST


def maybe_below(age: int, year: int, at: datetime | None = None) -> bool:
    """Return whether somebody born in `year` may be younger than `age`, at an instant or now."""
    return (at or clock.now()).year - year <= age


def is_child(player: Player) -> bool:
    """Return whether the player counts as a child, who needs a guardian. One query."""
    return BirthYear.objects.filter(_below(CHILD_BELOW), player=player).exists()


def children() -> QuerySet[BirthYear, int]:
    """Return the keys of the players who count as children now, for a condition of a query. No query by itself."""
    return BirthYear.objects.filter(_below(CHILD_BELOW)).values_list("player", flat=True)


def is_minor(player: Player, at: datetime | None = None) -> bool:
    """Return whether the player counts as a minor, at an instant or now. One query."""
    return BirthYear.objects.filter(_below(MINOR_BELOW, at), player=player).exists()


def is_adult(player: Player) -> bool:
    """Return whether the player has told a year of birth that makes an adult. One query."""
    return BirthYear.objects.exclude(_below(MINOR_BELOW)).filter(player=player).exists()


def is_asked(player: Player) -> bool:
    """Return whether somebody who signs in has not told the year of birth, or may tell it again. One query."""
    known = BirthYear.objects.filter(player=player, asked_again=False)
    return player.user_id is not None and not player.bot and not known.exists()


def called(players: Iterable[Player]) -> dict[int, str]:
    """Return by key the name by which a club knows those of `players` who are children: for its staff. One query."""
    keys = [player.pk for player in players]
    rows = BirthYear.objects.filter(_below(CHILD_BELOW), player__in=keys).exclude(called="")
    return dict(rows.values_list("player", "called"))


def without_consent(players: Collection[int]) -> int | None:
    """Return the key of the first child among `players` for whom no guardian's consent is in force. One query."""
    agreed = Consent.objects.filter(purpose=Consent.Purpose.CHILD, withdrawn_at__isnull=True).values("player")
    rows = BirthYear.objects.filter(_below(CHILD_BELOW), player__in=players).exclude(player__in=agreed)
    return rows.order_by("player").values_list("player", flat=True).first()


def require_consent(*players: int, field: str | None = None) -> None:
    """Raise Refused `consent_missing` on `field` when a child among `players` may not take part."""
    missing = without_consent(players)
    if missing is not None:
        player = Player.objects.get(pk=missing)
        raise Refused(
            "consent_missing",
            _(
                "%(player)s needs the consent of a parent or guardian first. The code for that is on %(player)s’s profile page."
            )
            % {"player": player.display_name},
            field=field,
            player=player.slug,
        )


def require_no_child(player: Player, *, field: str = "player") -> None:
    """Raise Refused `child_office` on `field` when a child would get an office: it shows names of children and statements."""
    if is_child(player):
        raise Refused(
            "child_office",
            _("%(player)s is younger than 14: an office shows what is private of others.")
            % {"player": player.display_name},
            field=field,
            player=player.slug,
        )


def named(player: Player, year: int | None) -> BirthYear | None:
    """Return the unsaved row of a new player's year of birth; a child's name goes there, and a pseudonym in its place."""
    if year is None:
        return None
    row = BirthYear(player=player, year=_possible(year), told_at=clock.now())
    if maybe_below(CHILD_BELOW, year):
        row.called, player.display_name = player.display_name, pseudonym(player.language)
    return row


def note(player: Player, year: int) -> BirthYear:
    """Write the year of birth of a player, inside the caller's transaction. Raises Conflict when it is known.

    Who is still a child after a correction keeps pseudonym and name.
    """
    before = BirthYear.objects.select_for_update().filter(player=player).first()
    if before is not None and not before.asked_again:
        raise Conflict(
            "birth_year_known", _("Your year of birth is known already. An administrator can let you correct it.")
        )
    shown = player.display_name
    row = named(player, year)
    assert row is not None
    if before is not None:
        if before.called and row.called:
            row.called, player.display_name = before.called, shown
        before.delete()
    checked(row).save(force_insert=True)
    return row


def pseudonym(language: str) -> str:
    """Return a name that nobody has, such as “Joueur 8F3K”, in a player's language."""
    while True:
        name = _worded(new_slug(SIGN_LENGTH), language)
        if not Player.objects.filter(display_name=name).exists():
            return name


def masked(player: Player) -> Player:
    """Return a copy of a minor for a page about conduct: under a pseudonym, without an address. It cannot be saved.

    The pseudonym follows from the server's key, so that nobody finds out by trying all players.
    """
    digest = int(salted_hmac("tock.minors", player.slug).hexdigest(), 16)
    sign = ""
    for _place in range(SIGN_LENGTH):
        digest, at = divmod(digest, len(ALPHABET))
        sign += ALPHABET[at]
    with_name = Player(display_name=_worded(sign, translation.get_language() or "fr"), slug="", bot=player.bot)
    with_name.pk = player.pk
    return with_name


def _worded(sign: str, language: str) -> str:
    with translation.override(language):
        return gettext("Player %(sign)s") % {"sign": sign.upper()}


def _below(age: int, at: datetime | None = None) -> Q:
    return Q(year__gte=(at or clock.now()).year - age)


def _possible(year: int) -> int:
    first, last = years()
    if not first <= year <= last:
        raise Refused(
            "birth_year",
            _("Type the year of birth with four digits, from %(first)d to %(last)d.") % {"first": first, "last": last},
            field="birth_year",
        )
    return year
