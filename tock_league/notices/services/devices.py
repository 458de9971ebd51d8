"""The devices to which pushes go: switched on in the browser, listed in the settings, revoked there or by signing out."""

import base64
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player, User
from tock_league.common import clock
from tock_league.common.errors import NotThere, Refused
from tock_league.common.transactions import writing

from ..models import ENDPOINT_LENGTH, Device
from ..selectors import push_is_sent
from . import endpoints

MOST_DEVICES = 10  # of a player


def add_device(*, by: Player, endpoint: str, p256dh: str, auth: str, name: str, session: str | None = None) -> Device:
    """Let pushes go to a browser from now on; return its row. Idempotent: an endpoint is one device.

    `endpoint`, `p256dh`, `auth`: of the browser's PushSubscription. `session`: the key of the session: the device goes with
    it. A browser in which somebody else signs in is theirs from now on.
    Raises Refused: `push_off`, `endpoint`, `p256dh`, `auth`, `too_many_devices`.
    """
    if not push_is_sent():
        raise Refused("push_off", _("This site sends no pushes."))
    _check_endpoint(endpoint)
    _check_keys(p256dh, auth)
    digest = digest_of(endpoint)
    with writing():
        # One player's devices are counted and added one after another.
        Player.objects.select_for_update().get(pk=by.pk)
        others = Device.objects.filter(player=by).exclude(digest=digest).count()
        if others >= MOST_DEVICES:
            raise Refused("too_many_devices", _("You have 10 devices. Remove one of them first."))
        found = Device.objects.select_for_update().filter(digest=digest).first()
        if found is not None and found.player_id != by.pk:
            found.delete()
            found = None
        device = found or Device(player=by, digest=digest, made_at=clock.now())
        device.endpoint, device.p256dh, device.auth = endpoint, p256dh.rstrip("="), auth.rstrip("=")
        device.name, device.session = name[:60], digest_of(session) if session else ""
        device.save()
        return device


def end_device(*, by: Player, pk: int) -> None:
    """Send no more pushes to an own device. NotThere for somebody else's."""
    with writing():
        deleted, _by_model = Device.objects.filter(player=by, pk=pk).delete()
        if not deleted:
            raise NotThere


def show_texts(*, by: Player, pk: int, shown: bool) -> None:
    """Choose whether pushes to an own device say what happened, also on its lock screen. NotThere for somebody else's."""
    with writing():
        if not Device.objects.filter(player=by, pk=pk).update(shows_text=shown):
            raise NotThere


def signed_out(request: HttpRequest | None = None, **_more: Any) -> None:
    """Send no more pushes to the device whose session ends: who signs out may hand it on. A receiver of user_logged_out,
    which Django sends before it empties the session.
    """
    key = request.session.session_key if request is not None and hasattr(request, "session") else None
    if key:
        with writing():
            Device.objects.filter(session=digest_of(key)).delete()


def sessions_ended(user: User, key: str | None = None, kept: str | None = None, **_more: Any) -> None:
    """Send no more pushes to the devices whose sessions the person has ended elsewhere: of one, or all but one."""
    with writing():
        devices = Device.objects.filter(player__user=user)
        if key:
            devices = devices.filter(session=digest_of(key))
        elif kept:
            devices = devices.exclude(session=digest_of(kept))
        devices.delete()


def password_renewed(user: User, **_more: Any) -> None:
    """Send no more pushes to any device of a person with a new password: whoever knew the old one may have added one."""
    sessions_ended(user)


def digest_of(text: str) -> str:
    """Return SHA-256 in hex."""
    return sha256(text.encode()).hexdigest()


def _check_endpoint(endpoint: str) -> None:
    try:
        if len(endpoint) > ENDPOINT_LENGTH:
            raise endpoints.Forbidden("form")
        endpoints.checked(endpoint)
    except endpoints.Forbidden:
        raise Refused(
            "endpoint", _("The push service must have an https address of the public Internet."), field="endpoint"
        ) from None


def _check_keys(p256dh: str, auth: str) -> None:
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes_of(p256dh, 65))
    except ValueError:
        raise Refused("p256dh", _("The browser's key is no point of the curve P-256."), field="p256dh") from None
    try:
        _bytes_of(auth, 16)
    except ValueError:
        raise Refused("auth", _("The browser's secret must have 16 bytes."), field="auth") from None


def _bytes_of(text: str, length: int) -> bytes:
    """Return what base64url says. Raises ValueError unless it has `length` bytes, and another spelling of them is refused."""
    bare = text.rstrip("=")
    found = base64.urlsafe_b64decode(bare + "=" * (-len(bare) % 4))
    if len(found) != length or base64.urlsafe_b64encode(found).rstrip(b"=").decode() != bare:
        raise ValueError
    return found
