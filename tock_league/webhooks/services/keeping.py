"""What the staff of a club or competition do with its webhooks."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, label, require
from tock_league.accounts.seals import seal
from tock_league.clubs.models import Club
from tock_league.common import clock, limits, outbox
from tock_league.common.errors import Conflict, NotThere, Refused
from tock_league.common.ids import new_slug
from tock_league.common.transactions import writing
from tock_league.common.validation import checked
from tock_league.competitions.announcements import FACTS
from tock_league.competitions.models import Competition
from tock_league.journal.services import OPEN, record, stream_of

from ..models import ID_LENGTH, Delivery, Webhook
from ..selectors import Place, of_place, own, place_of
from . import addresses
from .signing import new_secret

KINDS: Sequence[str] = FACTS
PING = "ping"
MOST = 5  # webhooks of one place
BY_HAND_A_DAY = 200  # pings and deliveries that one person sends again
DELIVER_TASK = "tock_league.webhooks.tasks.deliver"


@dataclass(frozen=True)
class Made:
    """A webhook with its new secret, which is shown this once."""

    webhook: Webhook
    secret: str


def add(*, by: Person, place: Place, address: str, kinds: Collection[str]) -> Made:
    """Add a webhook to a club or competition. Return it with its secret.

    Raises Refused on `kinds` (`webhook_kinds`), on `address` as `addresses` does and `webhook_known`, and `webhooks_most`.
    """
    require(by, "webhook.manage", place, needed="organiser")
    chosen = _kinds(kinds)
    target = addresses.parsed(address)
    addresses.resolved(target)  # asks a name server, so before the transaction
    secret = new_secret()
    with writing():
        type(place)._default_manager.select_for_update(no_key=True).get(pk=place.pk)  # the limit holds for two requests
        address = address.strip()
        if of_place(place).count() >= MOST:
            text = _("There are %(most)d webhooks here, which is the most. Delete one first.")
            raise Refused("webhooks_most", text % {"most": MOST})
        if of_place(place).filter(address=address).exists():
            raise Refused("webhook_known", _("This address is told already: change its events."), field="address")
        row = Webhook(
            slug=new_slug(ID_LENGTH),
            club=place if isinstance(place, Club) else None,
            competition=place if isinstance(place, Competition) else None,
            address=address,
            kinds=chosen,
            sealed=seal(secret),
            made_by=by if isinstance(by, Player) else None,
            made_at=clock.now(),
        )
        checked(row).save(force_insert=True)
        _note("webhook.added", by, row, host=target.host, kinds=chosen)
        return Made(row, secret)


def change(*, by: Person, slug: str, kinds: Collection[str]) -> Webhook:
    """Choose of which facts a webhook hears. Raises Refused on `kinds`."""
    with writing():
        row, chosen = _locked(by, slug), _kinds(kinds)
        row.kinds = chosen
        row.save(update_fields=["kinds"])
        _note("webhook.changed", by, row, kinds=chosen)
        return row


def renew_secret(*, by: Person, slug: str) -> Made:
    """Give a webhook a new secret; the former one signs nothing any more."""
    secret = new_secret()
    with writing():
        row = _locked(by, slug)
        row.sealed = seal(secret)
        row.save(update_fields=["sealed"])
        _note("webhook.secret_renewed", by, row)
        return Made(row, secret)


def switch_off(*, by: Person, slug: str) -> Webhook:
    """Send a webhook nothing until it is switched on again, also not what waits. Idempotent."""
    with writing():
        row = _locked(by, slug)
        if not row.off:
            row.off, row.off_at = Webhook.Off.PERSON, clock.now()
            row.save(update_fields=["off", "off_at"])
            _note("webhook.switched_off", by, row)
        return row


def switch_on(*, by: Person, slug: str) -> Webhook:
    """Send a webhook the facts from now on again, also one that was disabled after failures. Idempotent."""
    with writing():
        row = _locked(by, slug)
        if row.off:
            row.off, row.off_at, row.failing_since = "", None, None
            row.save(update_fields=["off", "off_at", "failing_since"])
            _note("webhook.switched_on", by, row)
        return row


def remove(*, by: Person, slug: str) -> Place:
    """Delete a webhook with its log; return its place."""
    with writing():
        row = _locked(by, slug)
        place = place_of(row)
        _note("webhook.removed", by, row)
        row.delete()
        return place


def ping(*, by: Person, slug: str) -> Delivery:
    """Send a webhook a fact of the kind `ping`, to try it. Raises Conflict `webhook_off`, and 429 beyond BY_HAND_A_DAY."""
    with writing():
        row = _locked(by, slug)
        _by_hand(by, row)
        now = clock.now()
        event = f"p{new_slug(16)}"
        delivery = Delivery.objects.create(webhook=row, event=event, kind=PING, made_at=now, asked_at=now)
        enqueue(delivery)
        return delivery


def send_again(*, by: Person, slug: str, delivery: int) -> Delivery:
    """Send one delivery again, under the same id. NotThere for one of another webhook; raises as `ping` does."""
    with writing():
        row = _locked(by, slug)
        found = Delivery.objects.select_for_update().filter(webhook=row, pk=delivery).first()
        if found is None:
            raise NotThere
        _by_hand(by, row)
        found.state, found.asked_at = Delivery.State.WAITING, clock.now()
        found.save(update_fields=["state", "asked_at"])
        enqueue(found)
        return found


def enqueue(delivery: Delivery) -> None:
    """Enqueue the attempts of a delivery; inside `writing()`."""
    key = f"{delivery.pk}:{delivery.attempts}:{clock.ms(delivery.asked_at)}"
    outbox.enqueue(DELIVER_TASK, key, delivery=delivery.pk)


def _locked(by: Person, slug: str) -> Webhook:
    """Return the webhook, locked, if `by` looks after it."""
    found = own(by, slug)
    row = (
        Webhook.objects.select_for_update(of=("self",)).select_related("club", "competition__club").filter(pk=found.pk)
    )
    locked = row.first()
    if locked is None:
        raise NotThere
    return locked


def _by_hand(by: Person, row: Webhook) -> None:
    if row.off:
        raise Conflict("webhook_off", _("This webhook is switched off: switch it on first."))
    text = _("You have sent enough by hand today. Deliveries that fail are sent again by themselves.")
    limits.spend_of_day(by, "webhook", count=BY_HAND_A_DAY, sentence=text)


def _kinds(kinds: Collection[str]) -> list[str]:
    unknown = sorted(set(kinds) - set(KINDS))
    if unknown or not kinds:
        text = _("Choose at least one event, among %(known)s.")
        raise Refused("webhook_kinds", text % {"known": ", ".join(KINDS)}, field="kinds")
    return [kind for kind in KINDS if kind in kinds]


def _note(kind: str, by: Person, row: Webhook, **body: Any) -> None:
    """Write what a member of the staff did to the journal: of the competition, or the open one for a club. The address may
    hold a secret of the receiver, so that only its host is told."""
    place = place_of(row)
    if isinstance(place, Competition):
        record(stream_of(place.slug), kind, actor=label(by), body={"webhook": row.slug[:8], **body})
    else:
        record(OPEN, kind, actor=label(by), body={"club": place.slug, "webhook": row.slug[:8], **body})
