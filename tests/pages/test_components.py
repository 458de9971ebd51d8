"""The components page: administrators see every include with samples; includes that are not on it have a reason
here."""

from pathlib import Path
from typing import Any

import pytest
from django.template import Template
from django.test import Client
from django.urls import reverse

from tests.architecture import layout
from tests.competitions.world import a_signed_up_player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role

pytestmark = pytest.mark.django_db
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
ADDRESS = "/staff/components/"
SECTION = "a section of one page, shown by that page's tests"
WALL = "as large as a wall; the tests of walls show it"
# Why an include is not on the page: a folder or a file, and the reason.
NOT_SHOWN = {
    "accounts/_consents.html": "its buttons would end a consent",
    "accounts/_token_made.html": "it shows a secret",
    "accounts/_tokens.html": "its buttons would revoke a token",
    "allauth/elements/field.html": "our forms use accounts/_field.html; allauth's own pages use it",
    "allauth/elements/fields.html": "accounts/_form.html under allauth's name",
    "allauth/elements/form.html": "a panel with accounts/_form.html, used by allauth's own pages",
    "allauth/elements/img.html": "an image for two-factor sign-in alone",
    "arbitration/_appeal.html": SECTION,
    "arbitration/_book.html": SECTION,
    "arbitration/_cases.html": SECTION,
    "arbitration/_decision.html": SECTION,
    "arbitration/_draft.html": "its button would act on a case",
    "arbitration/_events.html": SECTION,
    "arbitration/_kept_out.html": SECTION,
    "arbitration/_of_match.html": SECTION,
    "arbitration/_parties.html": SECTION,
    "arbitration/_penalties.html": SECTION,
    "arbitration/_pieces.html": SECTION,
    "arbitration/_preview.html": SECTION,
    "_alternates.html": "nothing of it is seen",
    "_press.html": "its button would act",
    "arbitration/_proposal.html": SECTION,
    "arbitration/_referee.html": SECTION,
    "arbitration/_ruling.html": SECTION,
    "arbitration/_sanctioned.html": SECTION,
    "arbitration/_sanctioned_desk.html": SECTION,
    "arbitration/_what_to_do.html": "a sentence of the two above",
    "calendars/_season.html": "a line of words",
    "calendars/_subscribe.html": "a line of words",
    "competitions/_changes.html": "needs a preview; the tests of corrections and withdrawals show it",
    "competitions/_clashes.html": "needs matches that clash; the tests of the organisers' pages show it",
    "competitions/_corrections.html": SECTION,
    "competitions/_desk_entry.html": "its forms would act on a competition",
    "competitions/_listed.html": SECTION,
    "competitions/_place.html": SECTION,
    "competitions/_partner_answer.html": "its buttons would answer somebody",
    "competitions/_partner_desk.html": SECTION,
    "competitions/_sheet_line.html": SECTION,
    "competitions/_arrival.html": SECTION,
    "competitions/_countdown.html": "its button would act on a competition",
    "competitions/_begin_countdown.html": "its button would act on a competition",
    "competitions/_presence.html": "its form would act on a competition",
    "competitions/tournament/_best.html": SECTION,
    "competitions/tournament/_cross.html": SECTION,
    "competitions/_hall.html": "its button would open or close a hall",
    "competitions/tournament/_group.html": SECTION,
    "competitions/tournament/_reasons.html": SECTION,
    "competitions/tournament/_settled.html": SECTION,
    "competitions/tournament/_tabs.html": SECTION,
    "competitions/tournament/_when.html": SECTION,
    "exports/_files.html": "a line of words",
    "notices/_bounce.html": "its button would let mails go to an address again",
    "notices/_devices.html": SECTION,
    "exports/_of_competition.html": "the same",
    "exports/_wall.html": "the same",
    "upkeep/_copies.html": "a note of the site",
    "exports/_print_list.html": SECTION,
    "feed/_head.html": "the head of pages in frames of other sites",
    "oauth/_scope.html": "a line of words",
    "oauth/_secret.html": SECTION,
    "webhooks/_delivery.html": "its button would send something",
    "webhooks/_secret.html": SECTION,
    "hall/_clock.html": "the server’s time and a script make it; the tests of walls show it",
    "hall/_extra.html": "the same",
    "hall/_now.html": "the same",
    "hall/_follow.html": "the same",
    "hall/_code.html": "a picture of an address",
    "hall/_press.html": "its button would act on a clock",
    "hall/_screen_form.html": "the larger part of a form",
    "hall/_head.html": WALL,
    "hall/_names.html": WALL,
    "hall/_tables.html": WALL,
    "hall/_big_clock.html": WALL,
    "hall/_standings.html": WALL,
    "hall/_bracket.html": WALL,
    "hall/_results.html": WALL,
    "hall/_to_follow.html": WALL,
    "games/_deal.html": "a section of the replay, whose script fills it",
    "games/_felt.html": "the table's script and a game's record make it",
    "games/_game_choice.html": "the larger part of a form",
    "games/_room_deeds.html": SECTION,
    "games/_room_facts.html": "a line of words",
    "games/_room_seats.html": SECTION,
    "games/_settings.html": "a closed dialog, whose script opens it",
    "integrity/_rows.html": SECTION,
    "imports/_event.html": SECTION,
    "imports/_listed.html": SECTION,
    "newcomers/_double.html": "a choice of the preview of a list",
    "newcomers/_list_form.html": "the form of two pages of lists",
    "newcomers/_lists.html": "its buttons would undo a list",
    "newcomers/_people.html": "its buttons would make a code",
    "incidents/_state.html": SECTION,
    "journal/_check.html": SECTION,
    "pages/_first_steps.html": SECTION,
    "pages/_game_end.html": SECTION,
    "pages/_followed.html": SECTION,
    "pages/_followed_row.html": "its button would change a list",
    "pages/_invited.html": "its button would change a list",
    "pages/_lead_match.html": SECTION,
    "pages/_open_entries.html": SECTION,
    "pages/_open_tables.html": SECTION,
    "pages/_own_tables.html": SECTION,
    "pages/_own_teams.html": SECTION,
    "pages/_person_acts.html": "its buttons would act on a person",
    "pages/_practice_buttons.html": "its button would begin a game",
    "pages/_practice_games.html": SECTION,
    "pages/_rating_change.html": "a row of a table",
    "pages/_present.html": SECTION,
    "pages/_waiting.html": SECTION,
    "pages/_watch_list.html": SECTION,
    "people/_merge_changes.html": SECTION,
    "people/_obstacles.html": SECTION,
    "ratings/_apart.html": SECTION,
    "ratings/_corrections.html": SECTION,
    "ratings/_kind.html": "a word",
    "ratings/_card.html": "ratings/_figures.html with a heading",
    "ratings/_chart.html": "needs a history of ratings",
    "ratings/_club_part.html": SECTION,
    "ratings/_climbers.html": SECTION,
    "ratings/_club_rule.html": "two sentences",
    "ratings/_compared.html": SECTION,
    "ratings/_compared_chart.html": SECTION,
    "ratings/_crumbs.html": "the way back of the board pages, seen on each of them",
    "ratings/_frozen.html": SECTION,
    "ratings/_games.html": SECTION,
    "ratings/_name.html": "depends on the ladder",
    "ratings/_nobody.html": "two sentences",
    "ratings/_partners.html": SECTION,
    "ratings/_places.html": SECTION,
    "ratings/_player_card.html": "ratings/_card.html for each ladder",
    "ratings/_ranked.html": SECTION,
    "ratings/_records.html": SECTION,
    "ratings/_report_figures.html": "needs a report",
    "ratings/_report_leagues.html": "needs a report",
    "ratings/_seasons.html": SECTION,
    "ratings/_side.html": "depends on the ladder",
    "ratings/_tabs.html": SECTION,
    "ratings/_top_rows.html": SECTION,
}


@pytest.fixture
def administrator(client: Client) -> Client:
    player = a_signed_up_player("lise@example.org", "Lise Bolduc")
    give_role(by=SITE, player=player, name="administrator")
    client.force_login(player.user, backend=BACKEND)
    return client


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Give the names of the templates that are rendered inside the `with`, including includes."""
    names: set[str] = set()
    render = Template._render  # type: ignore[attr-defined]

    def noting(self: Template, context: Any) -> str:
        names.add(self.name or "")
        return str(render(self, context))

    monkeypatch.setattr(Template, "_render", noting)
    return names


def include_names() -> set[str]:
    return {str(Path(path).relative_to(layout.TEMPLATES)) for path in layout.includes()}


def test_administrators_see_the_components(administrator: Client) -> None:
    answer = administrator.get(ADDRESS)
    assert answer.status_code == 200
    page = answer.content.decode()
    for part in (
        "button danger",
        "tag live",
        "note warn",
        "field-error",
        "dialog",
        "standing",
        "bracket-drawing",
        'class="board',
        "toast",
    ):
        assert part in page, part


def test_every_include_is_on_the_page_or_has_a_reason(administrator: Client, rendered: set[str]) -> None:
    administrator.get(ADDRESS)
    missing = include_names() - rendered
    assert missing == set(NOT_SHOWN)


def test_others_are_refused(client: Client) -> None:
    assert client.get(ADDRESS).status_code == 403
    player = a_signed_up_player("martine@example.org", "Martine Gélinas")
    client.force_login(player.user, backend=BACKEND)
    assert client.get(ADDRESS).status_code == 403


def test_staff_find_it_from_the_admin(client: Client, django_user_model: Any) -> None:
    boss = django_user_model.objects.create_superuser(email="boss@example.org", password="le tock du mercredi")
    client.force_login(boss, backend=BACKEND)
    assert f'href="{ADDRESS}"' in client.get(reverse("admin:index")).content.decode()
