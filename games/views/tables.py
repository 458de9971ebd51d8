"""Pages of tables and games.

The page of a table contains the viewer's own first view with the hand, so caches must not store it.
"""

from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from games import verifier as program
from games.fold import EVERYTHING, SPECTATOR
from games.forms import PlayOnForm, PracticeForm, again_fields
from games.models import Game, Table
from games.permissions import may_see, may_see_game, person_of
from games.selectors import analyses, casual, commitments, preferences, rule_sets
from games.selectors import games as reader
from games.selectors import tables as table_reader
from games.services import coach as asking
from games.services import play_on as play_on_from
from games.services import tables
from tock_league.common import clock, limits
from tock_league.common.errors import NotThere, Refused
from tock_league.common.http import valid

from . import guests

PRACTICE_TABLES = 60  # per address in ten minutes: enough for a whole club behind one router


@ensure_csrf_cookie
@require_GET
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table: to its players from their seats, to everybody else as spectators."""
    found = reader.table_by_slug(slug)
    if found is None:
        return _room(slug)
    person = person_of(request.user, request.session)
    if not may_see(found, person):
        raise NotThere
    game = reader.current_game(found.pk)
    boot = table_reader.page(found, game, person, now=clock.now_ms())
    boot |= _addresses(found, game, boot["bots"], seated=boot["seat"] is not None)
    boot["chosen"] = preferences.of(request.user)
    if boot["role"] == "referee":
        boot["desk"] = _of_arbitration("table_case", found.slug)
    return _no_store(render(request, _templates("table", boot), {"table": found, "game": game, "boot": boot}))


@ensure_csrf_cookie
@require_GET
def replay(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game from its first deal on: as a spectator sees it while it runs, with every hand once it is over."""
    game = reader.game_by_slug(slug)
    if game is None:
        raise NotThere
    found = game.table
    if not may_see_game(game, person_of(request.user, request.session)):
        raise NotThere
    over = game.state == Game.State.OVER
    viewer = EVERYTHING if over else SPECTATOR
    boot: dict[str, Any] = table_reader.boot(found, game, SPECTATOR, table_reader.players_of(game))
    boot |= {"replay": True, "as": "all" if over else "spectator"}
    if not over and table_reader.referee_viewer(found.pk, person_of(request.user, request.session)) is not None:
        boot["views"] = ["spectator", "referee"]
    boot |= _of_deal(game) | {"chosen": preferences.of(request.user)}
    boot |= {"snap": table_reader.snap(game, viewer, now=clock.now_ms())} | _addresses(found, game, boot["bots"])
    if over:
        boot["comments"] = reverse("games:comments", kwargs={"slug": game.slug})
        boot["alternatives"] = reverse("games:alternatives", kwargs={"slug": game.slug})
    if over and play_on_from.offered(game):
        boot["other_plays"] = True
        boot["play_on"] = reverse("games:play_on", kwargs={"slug": game.slug})
    if over and found.kind == Table.Kind.MATCH and request.user.is_authenticated:
        boot["dispute"] = _of_arbitration("dispute", game.slug)
    return _no_store(render(request, _templates("replay", boot), {"table": found, "game": game, "boot": boot}))


@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest) -> HttpResponse:
    """Choose a game against bots; a POST opens its table and redirects there. No account is needed."""
    if request.method != "POST":
        known = {name: request.GET[name] for name in ("rules", "table", "level") if name in request.GET}
        return _practice_page(request, PracticeForm(initial=known), 200)
    limits.spend(request, "practice", count=PRACTICE_TABLES, seconds=600, in_halls=True)
    form = PracticeForm(request.POST)
    if not form.is_valid():
        return _practice_page(request, form, 422)
    try:
        opened = tables.open_practice(**_somebody(request), **form.options())
    except Refused as refused:
        form.refuse(refused.field, refused.sentence)
        return _practice_page(request, form, 422)
    return redirect("games:table", slug=opened.slug)


@require_POST
def play_on(request: HttpRequest, slug: str) -> HttpResponse:
    """Open a practice table from the position after the play `seq` of a finished game, and redirect there."""
    game = reader.game_by_slug(slug)
    if game is None or not may_see_game(game, person_of(request.user, request.session)):
        raise NotThere
    limits.spend(request, "practice", count=PRACTICE_TABLES, seconds=600, in_halls=True)
    form = PlayOnForm(request.POST)
    valid(form)
    return redirect("games:table", slug=play_on_from.play_on(game=game, **_somebody(request), **form.options()).slug)


def _somebody(request: HttpRequest) -> dict[str, Any]:
    """Return who sits down at a practice table: the player, or the key of a guest's session."""
    player = getattr(request.user, "player", None) if request.user.is_authenticated else None
    if player is not None:
        return {"player": player}
    return {"guest_key": guests.key_of(request)}


@require_safe
def open_deals(request: HttpRequest) -> HttpResponse:
    """Show the commitments to deals that were not opened: a game that is abandoned leaves one."""
    return render(request, "games/open_deals.html", {"commitments": commitments.unopened()})


@require_safe
def deal_verifier(request: HttpRequest) -> HttpResponse:
    """Show the program that checks the deals of a record: one file, the standard library only."""
    headers = {"Content-Disposition": 'attachment; filename="deal_verifier.py"'}
    content = Path(program.__file__).read_bytes()
    return HttpResponse(content, content_type="text/x-python; charset=utf-8", headers=headers)


def _room(slug: str) -> HttpResponse:
    """Redirect to the room of a casual table that has no game yet. Raises NotThere for another table."""
    code = casual.code_of_slug(slug)
    if not code:
        raise NotThere
    return redirect("games:room", code=code)


def _practice_page(request: HttpRequest, form: PracticeForm, status: int) -> HttpResponse:
    return render(request, "games/practice.html", {"form": form}, status=status)


def _templates(page: str, boot: dict[str, Any]) -> list[str]:
    """Return the templates of a page, the family's own first."""
    return [f"games/{page}_{boot['family']}.html", f"games/{page}.html"]


def _addresses(found: Table, game: Game, bots: list[str], *, seated: bool = False) -> dict[str, Any]:
    """Return the addresses that the page reads and writes. `bots`: the level of each seat's bot, empty for a person.
    `seated`: whether the reader has a seat.
    """
    here = {"slug": found.slug}
    return {
        "ws": f"/ws/table/{found.slug}",
        "commands": reverse("games:commands", kwargs=here),
        # Empty where no coach can be asked.
        "coach": reverse("games:coach", kwargs=here) if asking.is_offered(found) else "",
        "events": reverse("games:events", kwargs=here),
        "snap_url": reverse("games:snap", kwargs=here),
        "record": reverse("games:record", kwargs={"slug": game.slug}),
        "replay_url": reverse("games:replay", kwargs={"slug": game.slug}),
        # Empty when no bot can judge the choices.
        "analysis": reverse("games:analysis", kwargs={"slug": game.slug}) if analyses.offered(game) else "",
        **_again(found, bots, seated),
        "rules_page": rules_page(found.rules),
        "back": _back(found),
        "ending": _page("pages:game_end", game.slug),
        "back_name": _back_name(found),
        "rulings": _of_arbitration("of_game", game.slug) if found.kind == Table.Kind.MATCH else "",
        "lang": (get_language() or "fr").split("-")[0],
    }


def _of_deal(game: Game) -> dict[str, Any]:
    """Return the commitment to the deals of a game, and where its record and the program that checks it are."""
    return {
        "opened": commitments.is_opened(game),
        "root": commitments.root_of(game),
        "export": reverse("games:export", kwargs={"slug": game.slug}),
        "checker": reverse("games:deal_verifier"),
        "open_deals": reverse("games:open_deals"),
    }


def _again(found: Table, bots: list[str], seated: bool) -> dict[str, Any]:
    """Return the address and the form fields that ask for another game of the same kind: practice, or with friends."""
    if found.kind == Table.Kind.CASUAL:
        here = reverse("games:room_deed", args=[casual.code_of(found.pk), "again"])
        return {"again": here if seated else "", "again_fields": {}}
    if found.kind != Table.Kind.PRACTICE:
        return {"again": ""}
    fields = again_fields(
        rules=found.rules,
        seats=found.seats,
        teams=found.teams,
        full_ranking=found.full_ranking,
        touch=found.touch,
        level=next(filter(None, bots), ""),
        rounds=found.rounds,
    )
    return {"again": reverse("games:practice"), "again_fields": fields}


def rules_page(rules: str) -> str:
    """Return the address of the rules page, found by its URL name; "" if the site has no such page."""
    return _page("pages:rules", rule_sets.page_of(rules))


def _back(found: Table) -> str:
    """Return the address of the table's match, found by its URL name; the first page if there is none."""
    if found.kind == Table.Kind.CASUAL:
        return reverse("games:room", args=[casual.code_of(found.pk)])
    if found.kind == Table.Kind.MATCH:
        return _page("competitions:match-of-table", found.slug) or "/"
    return "/"


def _page(name: str, slug: str) -> str:
    """Return the address of a page of an app above, found by its URL name; "" if the site has no such page."""
    try:
        return reverse(name, args=[slug])
    except NoReverseMatch:
        return ""


def _back_name(found: Table) -> str:
    """Return the words on the link to `_back` after a game; "" where there is nothing to go back to."""
    if found.kind == Table.Kind.CASUAL:
        return gettext("To the table’s room")
    return gettext("Back to the match") if found.kind == Table.Kind.MATCH else ""


def _of_arbitration(name: str, slug: str) -> str:
    """Return an address of the arbitration app; "" if the site has no such page."""
    return _page(f"arbitration:{name}", slug)


def _no_store(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    return response
