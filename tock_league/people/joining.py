"""Joining a login to a player who had none, and taking it off again with a separation (decision 0064)."""

from tock_league.accounts.models import BirthYear, Consent, Merge, Player, User

from .merging import merge_as_site

PURPOSE = Consent.Purpose.ACCOUNT


def join_login(*, user: User, own: Player | None, player: Player) -> Merge | None:
    """Let `user` sign in as `player`; call it inside `writing()`, with the rows of both players locked.

    `own`: the player that the login had, without games; it is given up for `player`, who takes its clubs and teams, its
    settings, the year of birth and the consent to the account. Return the merge, None without `own`. Raises what a merge
    refuses.
    """
    if own is None:
        Player.objects.filter(pk=player.pk).update(user=user)
        return None
    Player.objects.filter(pk=own.pk).update(user=None)
    own.user = None
    made = merge_as_site(former=own, kept=player, login=user.pk)
    settings = ("language", "time_zone", "page_for", "shows_presence")
    Player.objects.filter(pk=player.pk).update(user=user, **{name: getattr(own, name) for name in settings})
    _same_person(own, player)
    return made


def _same_person(own: Player, player: Player) -> None:
    """Copy what the person has told and agreed to, where `player` has none of it."""
    year = BirthYear.objects.filter(player=own).first()
    if year is not None and not BirthYear.objects.filter(player=player).exists():
        BirthYear.objects.create(player=player, year=year.year, told_at=year.told_at)
    agreed = Consent.objects.filter(player=own, purpose=PURPOSE, withdrawn_at__isnull=True).first()
    if agreed is not None and not Consent.objects.filter(player=player, purpose=PURPOSE, withdrawn_at=None).exists():
        Consent.objects.create(
            player=player, purpose=PURPOSE, version=agreed.version, given_at=agreed.given_at, given_by=player
        )
