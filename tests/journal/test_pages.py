"""The journal's pages are open to everybody and do not show what is not public."""

import re
from pathlib import Path

import pytest
from django.test import Client

from tock_league.accounts import services as accounts
from tock_league.accounts.permissions import SITE
from tock_league.clubs.services import found_club, give_role
from tock_league.common.transactions import writing
from tock_league.journal.models import JournalEntry, JournalStream
from tock_league.journal.selectors import entries as selectors
from tock_league.journal.services import record

pytestmark = pytest.mark.django_db
SITE_CODE = Path(__file__).resolve().parents[2] / "tock_league"


@pytest.fixture
def drafts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give streams of which one, `thing:shown`, may be shown and has a name."""
    monkeypatch.setitem(
        selectors._namers, "thing", lambda slugs: {slug: "The Shown" for slug in slugs if slug == "shown"}
    )
    with writing():
        record("thing:shown", "role.given", body={})
        record("thing:draft", "role.given", body={})


def test_roles_of_site_and_clubs_are_told_with_names(client: Client) -> None:
    head = accounts.create_player(display_name="Martine Gagnon")
    role = accounts.give_role(player=head, name="head_referee", by=SITE)
    accounts.give_role(player=head, name="head_referee", by=SITE)
    accounts.end_role(role=role, by=SITE)
    accounts.end_role(role=role, by=SITE)
    club = found_club(by=head, name="Draveurs", town="Shawinigan")
    give_role(by=head, club=club, player=head, name="organiser")
    kinds = [entry.kind for entry in reversed(selectors.entries_for("open"))]
    assert kinds == ["role.given", "role.ended", "club.founded", "club.joined", "club_role.given", "club_role.given"]
    page = client.get("/journal/open/", headers={"accept-language": "en"}).content.decode()
    assert "A role was given" in page
    assert page.count("Martine Gagnon") == 9
    assert f'href="/players/{head.slug}/"' in page
    assert JournalStream.objects.get().hash in page


def test_a_stream_that_nobody_may_see_is_not_there(client: Client, drafts: None) -> None:
    page = client.get("/journal/").content.decode()
    assert "The Shown" in page
    assert "draft" not in page
    assert client.get("/journal/thing:shown/").status_code == 200
    for path in (
        "/journal/thing:draft/",
        "/journal/thing:draft/export/",
        "/journal/thing:none/",
        "/journal/none/export/",
    ):
        assert client.get(path).status_code == 404


def test_long_streams_come_in_pages_newest_first(client: Client) -> None:
    with writing():
        for number in range(selectors.PAGE + 3):
            record("open", "role.given", body={"number": number})
    first = client.get("/journal/open/").content.decode()
    assert 'id="e53"' in first
    assert 'id="e3"' not in first
    assert "?before=4" in first
    second = client.get("/journal/open/?before=4").content.decode()
    assert [f'id="e{seq}"' in second for seq in (1, 3, 4)] == [True, True, False]
    assert 'href="?before=' not in second
    for odd in ("?before=x", "?before=-1", "?before=" + "9" * 40, "?before=²", "?before="):
        assert client.get("/journal/open/" + odd).status_code == 200


def test_what_people_wrote_is_shown_as_text_and_personal_texts_not_at_all(client: Client) -> None:
    with writing():
        record("open", "<b>odd</b>", body={"name": "<script>alert(1)</script>"}, private={"text": "Il a parlé."})
    page = client.get("/journal/open/").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page
    assert "&lt;b&gt;odd" in page
    assert "parlé" not in page
    assert JournalEntry.objects.get().hash in page


def test_only_reading_is_possible(client: Client) -> None:
    for path in ("/journal/", "/journal/open/", "/journal/open/export/", "/journal/verifier.py"):
        assert client.post(path).status_code == 405


KIND = re.compile(r"""(?:note\(\s*[\w.]+,|record\(\s*[\w.()]+,|Entry\(\s*|_tell\()\s*"([a-z_]+\.[a-z_]+)\"""")


def test_every_kind_that_is_recorded_has_words() -> None:
    """Kinds made of parts, such as `case.<event>`, come from their own lists."""
    from tock_league.arbitration.core import cases
    from tock_league.arbitration.services.cases.events import KINDS as OWN
    from tock_league.competitions.models import Competition
    from tock_league.journal.templatetags.journal import KINDS

    files = [path for app in ("accounts", "clubs", "competitions") for path in (SITE_CODE / app).rglob("*.py")]
    written = {kind for path in files for kind in KIND.findall(path.read_text(encoding="utf-8"))}
    assert {"role.given", "draw.made", "result.recorded", "effect.applied", "club.left"} <= written
    written |= {OWN.get(type, f"case.{type}") for type in cases._STEPS}
    written |= {f"competition.{state}" for state in Competition.State.values}
    assert sorted(written - KINDS.keys()) == []
