"""Pages of tables in Spanish: every text that is translated while they are rendered is in the Spanish catalogue.

tests/architecture/test_languages.py reads the sources; this test renders the pages, with the texts of other packages.
"""

import gettext
import re
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import trans_real

from games.models import Table
from games.selectors import rule_sets
from tock_league.pages import rules as rule_pages

pytestmark = pytest.mark.django_db
SPANISH, ENGLISH = {"lang": "es"}, {"accept-language": "en"}
TABLES = [(one.id, seats, teams) for one in rule_sets.offered() for seats, many in one.shapes.items() for teams in many]
# Names that are the same in both languages.
SAME = {"Tock League", "Tock air", "Tractor (Sheng ji)", "Sheng ji"}
WORDS = re.compile(r"[A-Za-zÀ-ÿ’]{2,}")
SPOKEN = {"aria-label", "title", "alt", "placeholder"}


class Missing(gettext.NullTranslations):
    """A fallback of the Spanish catalogue that records the texts that are not in it."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def gettext(self, message: str) -> str:
        # Names of languages come here a second time when they are already Spanish.
        if message not in {"francés", "inglés"}:
            self.texts.append(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.texts.append(msgid1)
        return msgid1 if n == 1 else msgid2


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give the texts that were requested in Spanish and not found."""
    behind = Missing()
    monkeypatch.setattr(trans_real.translation("es"), "_fallback", behind)
    return behind.texts


class Texts(HTMLParser):
    """Collects the texts of a page and the words of its attributes, without scripts and notation."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.inside: list[str] = []
        self.found: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"script", "style", "title", "code"}:
            self.inside.append(tag)
        # Texts that are marked as another language than the page's are allowed.
        if not (dict(attrs).get("lang") and tag != "html"):
            self.found |= {value for name, value in attrs if name in SPOKEN and value}

    def handle_endtag(self, tag: str) -> None:
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.found.add(" ".join(data.split()))


def says(answer: object) -> set[str]:
    """Return the texts of two words or more on a page."""
    found = Texts(answer.content.decode()).found  # type: ignore[attr-defined]
    return {text for text in found if len(WORDS.findall(text)) > 1} - SAME


def opened(client: Client, rules: str, seats: int, teams: int) -> Table:
    """Return a practice table that this client has opened."""
    answer = client.post(reverse("games:practice"), {"rules": rules, "table": f"{seats}-{teams}", "level": "novice"})
    assert answer.status_code == 302, answer.content.decode()[:2000]
    return Table.objects.get()


def test_a_missing_text_is_recorded(client: Client, missing: list[str]) -> None:
    client.get(reverse("games:practice"), SPANISH)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trans_real.translation("es"), "_catalog", trans_real.TranslationCatalog())
        client.get(reverse("games:practice"), SPANISH)
    assert "Choose your game" in missing


def test_practice_and_its_refusals_are_in_spanish(client: Client, missing: list[str]) -> None:
    address = reverse("games:practice")
    wrong = ({"rules": "x"}, {"rules": "toc/1", "table": "8-2"}, {"rules": "tractor/1", "rounds": "x"}, {"level": "x"})
    both = []
    for headers in ({}, ENGLISH):
        if headers:
            client.get(address, {"lang": "en"})  # leaves Spanish
        else:
            client.get(address, SPANISH)
        pages = [client.get(address, headers=headers), *(client.post(address, data, headers=headers) for data in wrong)]
        both.append([says(page) for page in pages])
    assert missing == []
    for spanish, english in zip(*both, strict=True):
        assert spanish & english == set()


@pytest.mark.parametrize(("rules", "seats", "teams"), TABLES)
def test_every_table_and_its_replay_are_in_spanish(
    client: Client, missing: list[str], rules: str, seats: int, teams: int
) -> None:
    table = opened(client, rules, seats, teams)
    game = table.games.get()
    for name, slug in (("table", table.slug), ("replay", game.slug)):
        for visitor in (client, Client()):
            spanish = visitor.get(reverse(f"games:{name}", args=[slug]), SPANISH)
            assert spanish.status_code == 200
            english = visitor.get(reverse(f"games:{name}", args=[slug]), {"lang": "en"}, headers=ENGLISH)
            assert says(spanish) & says(english) == set()
    assert missing == []


@pytest.mark.parametrize("page", [page.name for page in rule_pages.pages("es")])
def test_every_rules_page_is_in_spanish(client: Client, missing: list[str], page: str) -> None:
    address = reverse("pages:rules", args=[page])
    spanish, english = client.get(address, SPANISH), client.get(address, {"lang": "en"}, headers=ENGLISH)
    assert says(spanish) & says(english) == set()
    assert missing == []


def test_pages_with_a_refusal_are_in_spanish(client: Client, missing: list[str]) -> None:
    assert client.get(reverse("games:table", args=["nowhere"]), SPANISH).status_code == 404
    assert client.get(reverse("games:replay", args=["nowhere"]), SPANISH).status_code == 404
    assert client.get(reverse("pages:rules", args=["hearts"]), SPANISH).status_code == 404
    assert missing == []


def test_a_signed_in_players_bar_is_in_spanish(client: Client, missing: list[str]) -> None:
    from tock_league.accounts.services import create_player, create_user

    player = create_player(display_name="Inés Quiroga", user=create_user(email="ines@example.org", password="x"))
    client.force_login(player.user, backend="allauth.account.auth_backends.AuthenticationBackend")  # type: ignore[arg-type]
    assert "Cerrar sesión" in client.get(reverse("games:practice"), SPANISH).content.decode()
    assert missing == []
