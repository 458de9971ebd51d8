"""Events held elsewhere: a file is checked, recomputed, previewed and saved once; whatever differs is refused by its place."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from ratings.models import RatedResult
from tests.competitions.world import START, a_club, a_league, a_plan, a_signed_up_player, a_tournament
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Club
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.models import Competition
from tock_league.imports import reading, services
from tock_league.imports.models import ImportedEvent
from tock_league.journal.models import JournalEntry
from tock_league.journal.services import OPEN

from .files import Json, as_bytes, told

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def now() -> Iterator[None]:
    cache.clear()
    with clock.frozen(START):
        yield


def a_file() -> Json:
    return told(lambda: a_tournament(6, plan=a_plan("groups_knockout"), state="finished"))


def refused(data: Json, club: Club) -> Refused:
    with pytest.raises(Refused) as caught:
        services.preview(by=SITE, club=club, body=as_bytes(data))
    return caught.value


def test_a_finished_event_is_imported_shown_and_in_the_journal(client: Client) -> None:
    data, club = a_file(), a_club()
    made = services.save(by=SITE, club=club, body=as_bytes(data))
    assert (made.teams, made.name) == (len(data["entries"]), data["event"]["name"])
    page = client.get(reverse("imports:one", args=[made.slug])).content.decode()
    for entry in data["entries"]:
        assert entry["name"] in page
        for player in entry["players"]:  # of players of another site nothing is kept
            assert player["name"] not in str(made.body)
    last = JournalEntry.objects.filter(stream=OPEN).order_by("seq").last()
    assert last is not None
    assert made.digest.encode() in bytes(last.body)
    assert not RatedResult.objects.exists()
    assert not Competition.objects.exists()


def test_the_same_event_is_imported_once_and_one_of_this_site_never() -> None:
    data, club = a_file(), a_club()
    services.save(by=SITE, club=club, body=as_bytes(data))
    data["made_at"] = "2026-12-01T12:00:00+00:00"
    with pytest.raises(Conflict) as caught:
        services.save(by=SITE, club=club, body=as_bytes(data))
    assert caught.value.code == "imported"
    services.remove(by=SITE, event=ImportedEvent.objects.get())
    assert services.save(by=SITE, club=club, body=as_bytes(data)).pk
    ImportedEvent.objects.all().delete()
    own = a_league(2)
    Competition.objects.filter(pk=own.pk).update(slug=data["event"]["id"], lots_seed=data["event"]["lots_seed"])
    with pytest.raises(Conflict) as caught:
        services.save(by=SITE, club=club, body=as_bytes(data))
    assert caught.value.code == "played_here"


def _match(data: Json, stage: int = 0) -> Json:
    found: Json = data["stages"][stage]["groups"][0]["rounds"][0]["matches"][0]
    return found


def _standings(data: Json) -> list[Json]:
    found: list[Json] = data["stages"][0]["groups"][0]["table"]["standings"]
    return found


# What is changed in a good file, the place that the refusal names, and its code.
CHANGES: list[tuple[Callable[[Json], Any], str, str]] = [
    (lambda d: d.update(format="tock-results/2"), "$.format", "format"),
    (lambda d: d.update(extra=1), "$", "format"),
    (lambda d: d["entries"][1].pop("state"), "$.entries[1]", "format"),
    (lambda d: d["entries"][1].update(seed="2"), "$.entries[1].seed", "format"),
    (lambda d: d["entries"][1].update(seed=2.5), "$.entries[1].seed", "format"),
    (lambda d: d["entries"][1].update(seed=10**30), "$.entries[1].seed", "format"),
    (lambda d: d["entries"][1].update(name="a\x07b"), "$.entries[1].name", "format"),
    (lambda d: d["entries"][1].update(name="a\u202eb"), "$.entries[1].name", "format"),
    (lambda d: d["entries"][1].update(name="x" * 81), "$.entries[1].name", "format"),
    (lambda d: d["entries"][1].update(id=d["entries"][0]["id"]), "$.entries[1].id", "format"),
    (lambda d: d["entries"][0].update(final_rank=5), "$.entries[0].final_rank", "differs"),
    (lambda d: d["event"].update(state="running"), "$.event.state", "not_over"),
    (lambda d: d["event"].update(rules="poker/1"), "$.event.rules", "format"),
    (lambda d: d["event"].update(seats=5), "$.event.seats", "format"),
    (lambda d: d["event"].update(starts_at="soon"), "$.event.starts_at", "format"),
    (lambda d: _match(d).update(starts_at="soon"), ".matches[0].starts_at", "format"),
    (lambda d: _match(d).update(starts_at="2026-09-02"), ".matches[0].starts_at", "format"),
    (lambda d: d["event"]["plan"].update({"a\x00b": 1}), "$.event.plan", "format"),
    (lambda d: d["event"]["regulations"]["body"].update({"\ud800": 1}), "$.event.regulations.body", "format"),
    (lambda d: d["event"]["regulations"]["body"]["tiebreaks"].append("luck"), ".tiebreaks[5]", "format"),
    (lambda d: d["event"]["regulations"]["body"]["points"].update(win=3), ".standings[0].points", "differs"),
    (lambda d: d["stages"][0].update(format="ladder/9"), "$.stages[0].format", "format"),
    (lambda d: _match(d)["sides"].reverse(), ".standings[", "differs"),
    (lambda d: _match(d)["sides"].__setitem__(0, "nobody"), ".matches[0].sides", "format"),
    (lambda d: _match(d)["result"]["sides"].reverse(), ".matches[0].result.sides[0].outcome", "differs"),
    (lambda d: _match(d)["result"].update(fact="forfeit"), ".matches[0].result.fact", "differs"),
    (lambda d: _match(d)["versions"].clear(), ".matches[0].versions", "not_over"),
    (lambda d: _match(d)["versions"][0].update(previous_hash="1" * 64), ".versions[0].previous_hash", "differs"),
    (lambda d: _match(d)["versions"][0].update(game=7), ".matches[0].versions", "format"),
    (lambda d: _match(d)["versions"][0]["lines"][0].update(position=-1), ".matches[0].versions", "format"),
    (lambda d: _match(d).update(label="void"), ".matches[0].label", "format"),
    (lambda d: _match(d).update(best_of=2), ".matches[0].best_of", "format"),
    (lambda d: _standings(d)[0].update(rank=2), ".table.standings[0].rank", "differs"),
    (lambda d: _standings(d)[1].update(points=9), ".table.standings[1].points", "differs"),
    (lambda d: _standings(d).pop(), ".table.standings.length", "differs"),
    (lambda d: d["stages"][1]["groups"][0]["rounds"].pop(), "$.stages[1].groups[0]", "differs"),
    (lambda d: _match(d, 1)["sides"].reverse(), "$.stages[1].groups[0].rounds[0].matches[0].sides[", "differs"),
    (lambda d: _match(d, 1)["sources"].reverse(), ".rounds[0].matches[0].sources[0]", "differs"),
    (lambda d: _match(d, 1).update(advances=None), ".rounds[0].matches[0].advances", "differs"),
    (lambda d: d["stages"].clear(), "$.stages", "not_over"),
]


def test_each_change_is_refused_by_the_place_it_is_in() -> None:
    club, missed = a_club(), []
    for change, place, code in CHANGES:
        data = a_file()
        change(data)
        found = refused(data, club)
        if place not in str(found.field) or found.code != code:
            missed.append((place, code, found.field, found.code, str(found.sentence)))
    assert missed == []
    assert not ImportedEvent.objects.exists()


TEXTS = [
    (b"", "not_json"),
    (b"{", "not_json"),
    (b"\xff\xfe", "not_json"),
    (b"[]", "format"),
    (b"null", "format"),
    (b"NaN", "not_json"),
    (b'{"format": 1, "format": 2}', "format"),
    (b'{"format": "\\ud800"}', "format"),
    (b"[" * 100_000, "not_json"),
    (b"[" * 500 + b"]" * 500, "format"),
    (b"9" * 5000, "not_json"),
    (b'"' + b"x" * reading.MOST_BYTES + b'"', "too_large"),
]


@pytest.mark.parametrize(("text", "code"), TEXTS)
def test_what_is_no_such_file_is_refused(text: bytes, code: str) -> None:
    with pytest.raises(Refused) as caught:
        reading.read(text)
    assert caught.value.code == code
    assert caught.value.field is not None


def test_a_syntax_error_is_named_by_line_and_column() -> None:
    with pytest.raises(Refused) as caught:
        reading.read(b'{\n  "format": tock\n}')
    assert "2" in str(caught.value.sentence)
    assert "13" in str(caught.value.sentence)


def test_an_officer_previews_and_saves_and_nobody_else_does(client: Client) -> None:
    club, other = a_club(), a_club("Club de Trois-Rivières", town="Trois-Rivières")
    officer = a_signed_up_player("dirigeante@example.org")
    client.force_login(officer.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    new = reverse("imports:new")
    assert client.get(new).status_code == 403
    clubs.join(by=officer, club=club)
    clubs.give_role(by=SITE, club=club, player=officer, name="officer")
    body = as_bytes(a_file())
    shown = client.post(new, {"club": club.pk, "file": SimpleUploadedFile("event.json", body)})
    assert shown.status_code == 200
    assert not ImportedEvent.objects.exists()
    text = shown.context["form"].data["text"]
    answer = client.post(new, {"club": other.pk, "text": text, "save": "yes"})
    assert answer.status_code == 200  # no club of the choices
    assert not ImportedEvent.objects.exists()
    with pytest.raises(NotAllowed):
        services.save(by=officer, club=other, body=body)
    assert client.post(new, {"club": club.pk, "text": text.replace("win", "tie", 1), "save": "yes"}).status_code == 422
    client.post(new, {"club": club.pk, "text": text, "save": "yes"})
    made = ImportedEvent.objects.get()
    assert (made.club, made.imported_by) == (club, officer)
    assert made.name in client.get(reverse("pages:club", args=[club.slug])).content.decode()
    assert made.name in client.get(reverse("imports:list")).content.decode()
    assert Client().post(reverse("imports:remove", args=[made.slug])).status_code in (302, 403)
    assert ImportedEvent.objects.exists()
    client.post(reverse("imports:remove", args=[made.slug]))
    assert not ImportedEvent.objects.exists()


def test_a_hostile_name_is_text_on_the_pages(client: Client) -> None:
    data = a_file()
    data["entries"][0]["name"] = "<script>alert(1)</script>"
    made = services.save(by=SITE, club=a_club(), body=as_bytes(data))
    page = client.get(reverse("imports:one", args=[made.slug])).content.decode()
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;" in page


def test_queries_of_the_pages_do_not_grow(client: Client) -> None:
    made, counts = services.save(by=SITE, club=a_club(), body=as_bytes(a_file())), []
    address = reverse("imports:one", args=[made.slug])
    for number in range(3):
        with CaptureQueriesContext(connection) as seen:
            client.get(address)
            client.get(reverse("imports:list"))
        counts.append(len(seen))
        made.pk, made.slug, made.identity = None, f"copy{number}", str(number)
        made.body["stages"] *= 2
        made.save(force_insert=True)
        address = reverse("imports:one", args=[made.slug])
    assert counts[0] == counts[1] == counts[2]
