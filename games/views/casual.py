"""Pages of casual tables: open one, find one, its room, and what people do there."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_http_methods

from games.forms import CasualForm
from games.models.casual import CODE_LENGTH
from games.permissions import Person, may_see, may_see_game, person_of
from games.selectors import casual as reader
from games.services import casual
from tock_league.accounts.models import Player
from tock_league.common import limits
from tock_league.common.address import absolute
from tock_league.common.errors import NotThere, Refused

from . import guests

TABLES = 30  # opened, and seats taken, by one address in ten minutes: enough for a club behind one router
CODES = 60  # codes that one address may try in ten minutes


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Choose a game with friends; a POST opens its table and redirects to its room."""
    guest = person_of(request.user, request.session).player_id is None
    given: dict[str, Any] = {"guest": guest, "name": guests.name_of(request)}
    if request.method != "POST":
        known = {name: request.GET[name] for name in ("rules", "table", "level", "pace") if name in request.GET}
        return _form(request, CasualForm(initial=known, **given), 200)
    limits.spend(request, "casual", count=TABLES, seconds=600, in_halls=True)
    form = CasualForm(request.POST, **given)
    if not form.is_valid():
        return _form(request, form, 422)
    try:
        opened = casual.open_table(by=guests.somebody(request), **form.options())
    except Refused as refused:
        form.refuse(refused.field, refused.sentence)
        return _form(request, form, 422)
    guests.keep_name(request, form.cleaned_data.get("name", ""))
    return redirect("games:room", code=opened.code)


def _form(request: HttpRequest, form: CasualForm, status: int) -> HttpResponse:
    return render(request, "games/casual_new.html", {"form": form}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def quick(request: HttpRequest) -> HttpResponse:
    """Sit down with any partner and any opponents. Who loads the page of a refusal again goes to "Play"."""
    if request.method != "POST":
        return redirect("pages:play")
    limits.spend(request, "casual", count=TABLES, seconds=600, in_halls=True)
    name = request.POST.get("name", "")
    try:
        found = casual.quick_seat(
            by=guests.somebody(request), name=name, rules=request.POST.get("rules") or "shawinigan/1"
        )
    except Refused as refused:
        return _quick_form(request, refused, name)
    guests.keep_name(request, name)
    return _to_table(found.code, found.table.slug, found.table.games.exists())


def _quick_form(request: HttpRequest, refused: Refused, name: str) -> HttpResponse:
    context = {"refused": refused, "name": name, "rules": request.POST.get("rules", "")}
    return render(request, "games/quick_seat.html", context, status=refused.status)


@require_GET
def join(request: HttpRequest) -> HttpResponse:
    """Go to the table whose code was typed."""
    code = "".join(request.GET.get("code", "").split()).lower()[: 2 * CODE_LENGTH]
    limits.check(request, "code", count=CODES, seconds=600)
    if code and reader.code_is_known(code):
        return redirect("games:room", code=code)
    if code:
        limits.spend(request, "code", count=CODES, seconds=600)
    return render(request, "games/no_code.html", {"code": code}, status=404 if code else 200)


@ensure_csrf_cookie
@require_GET
def room(request: HttpRequest, code: str) -> HttpResponse:
    """Show who sits at the table and what the reader can do; seated readers are noted as present."""
    person = person_of(request.user, request.session)
    return _room(request, code, person, 200)


def _room(
    request: HttpRequest, code: str, person: Person, status: int, refused: Refused | None = None, name: str = ""
) -> HttpResponse:
    found = _found(request, code, person)
    if found.mine is not None:
        casual.note_presence([(found.table.pk, found.mine.seat)])
    game = found.game
    context = {
        "room": found,
        "refused": refused,
        "name": name or guests.name_of(request),
        "link": absolute(request, reverse("games:room", args=[found.code])),
        "may_watch": found.running and may_see(found.table, person),
        "may_replay": found.is_over and game is not None and may_see_game(game, person),
    }
    response = render(request, "games/room.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


def _found(request: HttpRequest, code: str, person: Person) -> reader.Room:
    """Return the room. Raises NotThere, and Refused `rate` for an address that has tried CODES unknown codes: it would
    otherwise go on guessing. Those who sit at the table know its code.
    """
    found = reader.room(code, person)
    if found is None:
        limits.spend(request, "code", count=CODES, seconds=600)
        raise NotThere
    if found.mine is None:
        limits.check(request, "code", count=CODES, seconds=600)
    return found


def _seat(request: HttpRequest) -> int:
    text = request.POST.get("seat", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else -1


def _sit(request: HttpRequest, code: str, by: Person) -> None:
    name = request.POST.get("name", "") or guests.name_of(request)
    casual.sit(code, _seat(request), by=by, name=name)
    if by.player_id is None:
        guests.keep_name(request, name)


def _invite(request: HttpRequest, code: str, by: Person) -> None:
    slug = request.POST.get("player", "").replace("\0", "")[:40]
    player = Player.objects.filter(slug=slug).first()
    if player is None:
        raise Refused("no_player", gettext("There is no such person."), field="player")
    casual.invite(code, player, by=by)
    messages.success(request, gettext("%(name)s is invited.") % {"name": player.display_name})


Deed = Callable[[HttpRequest, str, Person], None]
DEEDS: Mapping[str, Deed] = {
    "sit": _sit,
    "stand": lambda request, code, by: casual.stand(code, by=by),
    "free": lambda request, code, by: casual.free(code, _seat(request), by=by),
    "bot": lambda request, code, by: casual.put_bot(code, _seat(request), by=by),
    "no-bot": lambda request, code, by: casual.remove_bot(code, _seat(request), by=by),
    "begin": lambda request, code, by: casual.begin(code, by=by, fill=request.POST.get("fill") == "on"),
    "invite": _invite,
    "decline": lambda request, code, by: casual.decline(code, by=by),
    "leave": lambda request, code, by: casual.leave(code, by=by),
    "again": lambda request, code, by: casual.again(code, by=by, seats=request.POST.get("seats") or "same"),
}


@require_http_methods(["GET", "HEAD", "POST"])
def deed(request: HttpRequest, code: str, deed: str) -> HttpResponse:
    """Do what a person asks for in the room, and show it, or the table if its game runs and the person plays in it.

    A refusal is shown at this address; who loads it again goes to the room.
    """
    act = DEEDS.get(deed)
    if act is None:
        raise NotThere
    if request.method != "POST":
        return redirect("games:room", code=code)
    person = person_of(request.user, request.session)
    _found(request, code, person)
    if deed == "sit":
        limits.spend(request, "casual", count=TABLES, seconds=600, in_halls=True)
        person = guests.somebody(request)  # only now, so that no session is made for each try
    try:
        act(request, code, person)
    except Refused as refused:
        if refused.status in (404, 429):
            raise
        return _room(request, code, person, refused.status, refused, request.POST.get("name", ""))
    if deed == "decline":
        return redirect("pages:play" if request.POST.get("next") != "home" else "pages:home")
    found = reader.room(code, person)
    if found is None:
        raise NotThere
    return _to_table(code, found.table.slug, found.running and found.mine is not None)


def _to_table(code: str, slug: str, playing: bool) -> HttpResponse:
    return redirect("games:table", slug=slug) if playing else redirect("games:room", code=code)
