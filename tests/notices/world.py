"""People with logins who are told something, and the mails that a worker would send."""

from django.core import mail
from django.core.mail import EmailMultiAlternatives

from tock_league.accounts.models import Player
from tock_league.accounts.services import create_player, create_user
from tock_league.common import outbox
from tock_league.common.transactions import writing
from tock_league.notices import tasks
from tock_league.notices.models import Notice
from tock_league.notices.services import tell
from tock_league.notices.services.mailing import MAIL_TASK
from tock_league.notices.services.telling import SPREAD_TASK

SITE_URL = "https://tock.example.org"


def a_reader(name: str, *, language: str = "en", **more: str) -> Player:
    """Return a player whose confirmed address begins with the first name."""
    user = create_user(email=f"{name.split()[0].lower()}@example.org")
    return create_player(display_name=name, user=user, language=language, birth_year=1984, **more)


def with_login(player: Player, email: str) -> Player:
    """Give a player of a league's world a login."""
    player.user = create_user(email=email)
    player.save(update_fields=["user"])
    return player


def told(player: Player) -> list[str]:
    """Return the kinds of the player's notices, oldest first."""
    return list(Notice.objects.filter(player=player).order_by("pk").values_list("kind", flat=True))


def tell_something(
    *players: Player,
    key: str = "1",
    kind: str = "result_to_confirm",
    address: str = "/matches/x/paper/",
    **more: object,
) -> int:
    """Tell the players something, by default that a result waits for them, of a match that does not exist."""
    with writing():
        ids = [player.pk for player in players]
        data = {"match": "x"} if kind == "result_to_confirm" else {}
        return tell(ids, kind, key, address=address, **data, **more)


def spread() -> list[outbox.OutboxRow]:
    """Let a worker find out what leaves; return the rows of the mails."""
    for row in outbox.waiting(SPREAD_TASK):
        tasks.spread(outbox_id=row.pk, **row.body)
    return outbox.waiting(MAIL_TASK)


def send(row: outbox.OutboxRow) -> str:
    """Let a worker send one mail; return what became of it."""
    return tasks.send_mail(outbox_id=row.pk, **row.body)


def work() -> list[str]:
    """Do what waits for a worker, as far as it is due; return what became of each mail."""
    return [send(row) for row in spread()]


def delivered() -> list[EmailMultiAlternatives]:
    """Do what waits, and return all mails that have been sent in this test."""
    work()
    return list(mail.outbox)
