"""The page of the own notices, its settings, and the link that stops mails."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tock_league.accounts.models import Player, User
from tock_league.accounts.selectors import player_of
from tock_league.accounts.templatetags.people import device
from tock_league.common.errors import NotAllowed
from tock_league.common.http import valid

from . import selectors, services
from .forms import DeviceForm, SeenForm, SettingsForm
from .kinds import KINDS
from .models import Bounce
from .services import vapid
from .services.settings import read_token


def in_the_header(request: HttpRequest) -> dict[str, Any]:
    """Context of every page: `unseen_notices`, and `refused_address` of the reader's mails, read only where the page shows
    them. One query each, none for visitors.
    """
    return {
        "unseen_notices": SimpleLazyObject(lambda: _unseen(request)),
        "refused_address": SimpleLazyObject(lambda: _refused_address(request)),
    }


def _refused_address(request: HttpRequest) -> Bounce | None:
    user = getattr(request, "user", None)
    return selectors.bounce_to_show(user) if isinstance(user, User) else None


def _unseen(request: HttpRequest) -> int:
    player = player_of(request) if hasattr(request, "user") else None
    return selectors.unseen(player) if player is not None else 0


def _reader(request: HttpRequest) -> Player:
    """Return the signed-in person's player. Raise NotAllowed for a login without one."""
    player = player_of(request)
    if player is None:
        raise NotAllowed(_("Notices are for players."), needed="player")
    return player


@require_safe
@login_required
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    """Show the own notices, the newest first."""
    player = _reader(request)
    notices = selectors.newest(player)
    context = {
        "notices": notices,
        "newest": max((notice.pk for notice in notices), default=""),
        "mail_is_sent": selectors.mail_is_sent(),
    }
    return render(request, "notices/list.html", context)


@require_POST
@login_required
def go(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark a notice as seen and lead to its page."""
    player = _reader(request)
    notice = services.mark_seen(by=player, notice=selectors.own(player, pk))
    return redirect(notice.address)


@require_POST
@login_required
def all_seen(request: HttpRequest) -> HttpResponse:
    """Mark all own notices as seen, up to the newest that the page has shown."""
    services.mark_all_seen(by=_reader(request), newest=valid(SeenForm(request.POST))["newest"])
    return redirect("notices:list")


@login_required
@never_cache
def edit(request: HttpRequest) -> HttpResponse:
    """Show and save what the person wishes to be told, by which ways, and the quiet hours."""
    player = _reader(request)
    assert isinstance(request.user, User)
    kinds = selectors.kinds_for(player)
    begins, ends = selectors.quiet_hours(player)
    day, hour = selectors.digest_hour(player)
    initial = {"begins": begins, "ends": ends, "digest_day": day, "digest_hour": hour}
    form = SettingsForm(request.POST or None, initial=initial, kinds=kinds)
    if request.method == "POST" and form.is_valid():
        services.choose(by=player, wanted=form.wanted())
        services.set_quiet_hours(by=player, begins=form.cleaned_data["begins"], ends=form.cleaned_data["ends"])
        services.set_digest_hour(by=player, day=form.cleaned_data["digest_day"], hour=form.cleaned_data["digest_hour"])
        messages.success(request, _("Your settings are saved."))
        return redirect("notices:settings")
    context = {
        "form": form,
        "kinds": kinds,
        "player": player,
        "mail_is_sent": selectors.mail_is_sent(),
        "push_key": vapid.public_key(),
        "devices": selectors.devices_of(player),
    }
    return render(request, "notices/settings.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def add_device(request: HttpRequest) -> HttpResponse:
    """Let pushes go to this browser."""
    player = _reader(request)
    subscription = valid(DeviceForm(request.POST))
    name = device(request.headers.get("User-Agent", ""))
    services.add_device(by=player, name=name, session=request.session.session_key, **subscription)
    messages.success(request, _("Pushes go to this device."))
    return redirect("notices:settings")


@require_POST
@login_required
def end_device(request: HttpRequest, pk: int) -> HttpResponse:
    """Send no more pushes to an own device."""
    services.end_device(by=_reader(request), pk=pk)
    messages.success(request, _("No more pushes go to this device."))
    return redirect("notices:settings")


@require_POST
@login_required
def device_texts(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose whether pushes to an own device say what happened."""
    services.show_texts(by=_reader(request), pk=pk, shown=request.POST.get("shown") == "yes")
    messages.success(request, _("Your settings are saved."))
    return redirect("notices:settings")


@require_safe
@login_required
@never_cache
def turns(request: HttpRequest) -> JsonResponse:
    """Return as JSON whether the reader wants to hear of turns on devices, for the page of a table (static/live/away.js)."""
    player = _reader(request)
    return JsonResponse({"wanted": "push" in selectors.wishes([player.pk], KINDS["your_turn"])[player.pk]})


@require_POST
@login_required
def mail_again(request: HttpRequest) -> HttpResponse:
    """Let mails go again to an address that was refused."""
    assert isinstance(request.user, User)
    again = services.allow_mail(by=request.user)
    messages.success(request, _("Mails go to your address again."))
    if again:
        messages.success(
            request,
            ngettext("%(count)s mail is sent again.", "%(count)s mails are sent again.", again) % {"count": again},
        )
    return redirect("notices:list")


@csrf_exempt  # the token is the permission; a mail program that presses the button has no cookie (RFC 8058)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Stop the mails of one kind, without a sign-in. A GET only asks: programs that check mails follow their links."""
    _player, kind = read_token(token)
    stopped = request.method == "POST"
    if stopped:
        services.stop_mails(token=token)
    return render(request, "notices/stop.html", {"kind": kind, "stopped": stopped})
