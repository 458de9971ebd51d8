"""An erasure: nothing of the person is left, and everything that others need is as it was."""

import re

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from tests.competitions.world import a_player as another
from tests.people.searching import rows_with
from tock_league.accounts import consents
from tock_league.accounts.models import BirthYear, Consent, Player, User
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player
from tock_league.arbitration.models import Draft, Ruling
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Membership, Team
from tock_league.common import clock
from tock_league.common.persons import Leaving, Person
from tock_league.journal.models import JournalEntry, PrivateText, Redaction
from tock_league.people import erasure, parts
from tock_league.people.models import Erased
from tock_league.upkeep.figures import computed
from tock_league.upkeep.verification import PARTS, verify

from .world import ADDRESS, NAME, SECOND, Life

pytestmark = pytest.mark.django_db


# Where the world of these tests holds name or address.
HELD_IN = {
    "account_emailaddress.email",
    "accounts_player.display_name",
    "accounts_user.email",
    "arbitration_draft.fields",
    "arbitration_ruling.facts",
    "axes_accessattempt.username",
    "clubs_team.name",
    "common_outboxrow.body",
    "competitions_competitionrole.reason",
    "competitions_correction.reason",
    "competitions_resultversion.reason",
    "django_admin_log.object_repr",
    "games_table.name",
    "games_table.team_names",
    "journal_privatetext.text",
    "notices_bounce.email",
}


def faults(*parts: str) -> list[str]:
    """Return what `verify_all` finds, in these parts or in all."""
    wanted = [part for part in PARTS if part.name != "database" and (not parts or part.name in parts)]
    return [str(each) for outcome in verify(wanted) for each in outcome.first]


def erased(life: Life) -> erasure.Done:
    return erasure.erase(parts.person_of(player=life.player))


@pytest.mark.both_databases
def test_nothing_of_the_person_is_left_and_everything_verifies(life: Life) -> None:
    assert set(rows_with(NAME, ADDRESS, SECOND)) >= HELD_IN
    assert faults() == []
    before = computed()
    done = erased(life)
    assert rows_with(NAME, ADDRESS, SECOND, "érable") == []
    assert faults() == []
    assert computed() == before  # standings and ratings, name for name but the one
    assert not User.objects.filter(email__in=[ADDRESS, SECOND]).exists()
    player = Player.objects.get(pk=life.player.pk)
    assert (player.display_name, player.user) == (done.pseudonym, None)
    assert done.pseudonym.startswith("Joueur ")
    assert not Draft.objects.filter(person=player).exists()
    assert not Membership.objects.filter(player=player, until=None).exists()


def test_texts_of_others_stay_with_the_pseudonym_and_own_words_go(life: Life) -> None:
    done = erased(life)
    told = set(PrivateText.objects.values_list("text", flat=True))
    assert f"{done.pseudonym} se trompe, et … aussi." in told
    assert f"Selon la feuille de {done.pseudonym}" in told
    assert Ruling.objects.get().facts == f"Selon {done.pseudonym}, on a parlé au coup 12."
    assert not any("secret" in text for text in told)
    assert Team.objects.filter(drawn=True, name__contains=done.pseudonym).count() == 1
    assert Team.objects.get(pk=life.team.pk).name == f"Les amis de {done.pseudonym}"
    table = life.world.game.table
    assert f"{done.pseudonym} et cie" in table.team_names
    assert f"{done.pseudonym} et cie" in table.name


def test_the_journal_tells_that_somebody_was_erased_and_how_many_texts_changed(life: Life) -> None:
    erased(life)
    body = bytes(JournalEntry.objects.filter(stream="open").last().body).decode()
    assert f'"person":"player:{life.player.slug}","redactions":{Redaction.objects.count()}' in body


@pytest.mark.both_databases
def test_a_permitted_text_is_the_only_change_that_a_ruling_lets_pass(life: Life) -> None:
    erased(life)
    ruling = Ruling.objects.get()
    permitted = Redaction.objects.get(table="arbitration_ruling")
    for change in (
        {"facts": "Il n’a rien dit."},
        {"facts": ruling.facts, "outcome": "dismissed"},
        {"reasons": ruling.facts},  # permitted for another column
        {"penalty": "none"},
    ):
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            Ruling.objects.filter(pk=ruling.pk).update(**change)
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        Redaction.objects.filter(pk=permitted.pk).update(digest="0" * 64)
    Ruling.objects.filter(pk=ruling.pk).update(facts=ruling.facts)  # once more the same


def test_a_text_that_was_changed_without_a_permit_is_a_fault(life: Life) -> None:
    erased(life)
    text = PrivateText.objects.get(text__contains="se trompe")
    PrivateText.objects.filter(pk=text.pk).update(text="Il se trompe.")
    assert any("personal text" in fault for fault in faults("journal"))
    PrivateText.objects.filter(pk=text.pk).update(text=text.text)
    version = life.night.matches.order_by("pk").first().versions.get(version=1)
    type(version).objects.filter(pk=version.pk).update(reason="autre chose")
    Redaction.objects.create(table="arbitration_ruling", row=1, field="facts", digest="0" * 64, at=clock.now())
    found = faults("journal", "results")
    assert any("competitions_resultversion" in fault for fault in found)
    assert any("permits to replace a text" in fault for fault in found)


def test_two_who_name_each_other_are_erased_one_after_the_other(life: Life) -> None:
    erased(life)
    other = life.world.players[0]
    name = other.display_name
    erasure.erase(parts.person_of(player=other))
    assert rows_with(NAME, name) == []
    assert faults("journal", "results") == []
    assert Erased.objects.count() == 2


def test_a_name_is_replaced_as_it_is_written_and_in_capitals_and_never_inside_words() -> None:
    leaving = Leaving(Person(None, Player(display_name="Max", slug="m")), "Joueur 8F3", at=clock.now())
    assert (
        leaving.cleaned("Max et MAX, mais max, Maxime et Climax")
        == "Joueur 8F3 et Joueur 8F3, mais max, Maxime et Climax"
    )


def test_a_phrase_as_a_name_defaces_nothing_of_strangers(life: Life) -> None:
    """Somebody calls themselves like words of a ruling, and like a team, of others."""
    phrase = another("Parler est")
    clubs.form_team(by=SITE, name="Les Autres", players=[phrase, another("Équipe 1")])
    erasure.erase(parts.person_of(player=phrase))
    erasure.erase(parts.person_of(player=Player.objects.get(display_name="Équipe 1")))
    assert Ruling.objects.get().reasons == "Parler est interdit."
    assert Team.objects.filter(name="Équipe 1").exists()


def test_a_name_that_stands_in_very_many_texts_is_refused(life: Life, caplog: pytest.LogCaptureFixture) -> None:
    erasure.ask_for(by=SITE, player=another("Nobody Else"), days=0)
    before, erasure.MOST_TEXTS = erasure.MOST_TEXTS, -1
    try:
        assert erasure.do_due() == 0
    finally:
        erasure.MOST_TEXTS = before
    assert "common_name" in caplog.text
    assert Player.objects.filter(display_name="Nobody Else").exists()


def test_a_one_word_name_elsewhere_is_somebody_else(hand) -> None:
    there = clubs.form_team(by=SITE, name="Max et Léa", players=[another("Max"), another("Léa")])
    max_ = another("Max")
    here = clubs.form_team(by=SITE, name="Max et Zoé", players=[max_, another("Zoé")])
    done = erasure.erase(parts.person_of(player=max_))
    assert Team.objects.get(pk=there.pk).name == "Max et Léa"
    assert Team.objects.get(pk=here.pk).name == f"{done.pseudonym} et Zoé"


def test_public_pages_are_the_same_but_for_the_name(client, life: Life) -> None:
    pages = [
        reverse("competitions:competition", args=[life.world.competition.slug]),
        reverse("ratings:ladder", args=["shawinigan", 2]),
        reverse("ratings:players", args=["shawinigan", 2]),
    ]
    before = [shown(client, page) for page in pages]
    done = erased(life)
    after = [shown(client, page).replace(done.pseudonym, NAME) for page in pages]
    assert all(NAME in page for page in before)
    assert after == before


def shown(client, page: str) -> str:
    answer = client.get(page)
    assert answer.status_code == 200
    text = re.sub(r'csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())
    return re.sub(r'<svg class="badge.*?</svg>', "", text, flags=re.DOTALL)  # initials


def test_a_child_and_a_guardian_leave_neither_name_nor_birth_year(db: None) -> None:
    child = create_player(display_name="Léa Tessier", birth_year=clock.now().year - 9)
    assert child.display_name != "Léa Tessier"
    guardian = create_player(display_name="Josée Tessier", birth_year=1984)
    given = consents.give(by=guardian, code=consents.ask(by=child))
    erasure.erase(parts.person_of(player=guardian))
    given.refresh_from_db()
    assert given.withdrawn_at is not None
    erasure.erase(parts.person_of(player=child))
    assert rows_with("Léa Tessier", "Josée Tessier") == []
    assert not BirthYear.objects.exists()
    assert not Consent.objects.filter(player=child).exists()
