"""Merging two players and separating them again: what is refused, what happens, and that all of it comes back."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from ratings import services as ratings
from ratings import tasks
from ratings.core import recompute as core
from ratings.core.engines import engine_for
from ratings.core.params import DEFAULT
from ratings.models import Ladder, RatedResult
from ratings.selectors.log import entry_of
from ratings.services import audit
from tests.accounts.signing import a_boss, a_player, sign_in
from tests.arbitration.world import a_world
from tests.competitions.world import FIRST_ROUND
from tests.ratings.announced import Finished
from tests.ratings.history import START
from tock_league.accounts.merged import kept_of
from tock_league.accounts.models import Merge, Player, User
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, set_active
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Club, Membership, Team, TeamPlayer
from tock_league.clubs.selectors import players_to_invite
from tock_league.common import clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.announcements import PlayersEntered, PlayersTakePart
from tock_league.competitions.models import Match
from tock_league.competitions.services.entries import merged
from tock_league.journal.models import JournalEntry, PrivateText
from tock_league.notices.models import Notice
from tock_league.people import merging
from tock_league.people.meetings import meetings

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
LADDER = "shawinigan:2"


@pytest.fixture
def at() -> Iterator[clock.Frozen]:
    with clock.frozen(START) as hand:
        yield hand


@pytest.fixture
def people(at: clock.Frozen) -> list[Player]:
    """Ten players without a login: 8 and 9 are one person; 8 is given up."""
    return [create_player(display_name=f"Person {sign}") for sign in "ABCDEFGHIJ"]


@pytest.fixture
def finished(at: clock.Frozen) -> Finished:
    return Finished(at)


def played(at: clock.Frozen, people: list[Player], finished: Finished) -> None:
    """Let the former player and the other one play on different evenings."""
    for number in range(12):
        at.advance(hours=24)
        one = people[8] if number % 3 else people[9]
        finished([one, people[number % 4]], [people[4 + number % 4], people[(number + 1) % 4]])
    settled(at)


def settled(at: clock.Frozen) -> None:
    """Let the workers come to rest, and compare everything with a replay from nothing."""
    at.advance(seconds=2)
    while ratings.rate_waiting(ladder_key=LADDER).resting is not None:
        pass
    tasks.rebuild_ladder(ladder_key=LADDER)
    assert list(audit.differences()) == []


def states() -> str:
    stored, replayed = ratings.verify(ladder_key=LADDER)
    assert stored == replayed
    return stored


def renamed(former: int, kept: int) -> str:
    """Return the digest of a log in which `kept` has played from the beginning."""
    log = [entry_of(row) for row in RatedResult.objects.filter(kind="result")]
    replaced = [
        core.Entry(
            source=entry.source,
            completed_at=entry.completed_at,
            sides=tuple(tuple(kept if person == former else person for person in side) for side in entry.sides),
            ranks=entry.ranks,
        )
        for entry in log
    ]
    return core.digest(core.replay(replaced, engine_for(DEFAULT)))


def test_after_a_merge_and_a_separation_the_states_are_those_of_before_bit_for_bit(
    at: clock.Frozen, people: list[Player], finished: Finished
) -> None:
    played(at, people, finished)
    before, former, kept = states(), people[8], people[9]
    shown = merging.preview(by=SITE, former=former, kept=kept)
    assert states() == before  # a preview changes nothing
    assert not Merge.objects.exists()
    [ladder] = shown.ladders
    assert (ladder.games, ladder.omitted) == (8, 0)
    gone = next(row for row in ladder.rows if row.name == former.display_name)
    assert (gone.score_before is not None, gone.score_after) == (True, None)

    made = merging.merge(by=SITE, former=former, kept=kept, reason="Same card")
    settled(at)
    assert states() == renamed(former.pk, kept.pk) != before
    assert merging.preview_separation(by=SITE, merge=made).ladders[0].games == 8
    merging.separate(by=SITE, merge=made, reason="They are brothers")
    settled(at)
    assert states() == before
    with pytest.raises(Conflict, match="separated"):
        merging.separate(by=SITE, merge=made, reason="again")
    merging.merge(by=SITE, former=former, kept=kept, reason="They are one after all")
    settled(at)
    assert states() == renamed(former.pk, kept.pk)


def test_a_chain_of_merges_counts_for_the_last_and_a_late_result_of_a_new_ladder_too(
    at: clock.Frozen, people: list[Player], finished: Finished
) -> None:
    played(at, people, finished)
    merging.merge(by=SITE, former=people[8], kept=people[9], reason="one")
    third = create_player(display_name="Person K")
    merging.merge(by=SITE, former=people[9], kept=third, reason="two")  # before the ladder is computed again
    finished([people[8], people[0]], [people[4], people[5]], rules="tock/1", finished_at=clock.now())
    settled(at)
    assert kept_of(people[8]) == third
    keys = set(Ladder.objects.get(key=LADDER).generation.ratings.values_list("subject__key", flat=True))  # type: ignore[union-attr]
    assert (str(third.pk) in keys, str(people[9].pk) in keys, str(people[8].pk) in keys) == (True, False, False)
    merges = RatedResult.objects.filter(ladder__key="tock:2", kind="merge").values_list("source", flat=True)
    assert set(merges) == {f"merge:{people[8].pk}", f"merge:{people[9].pk}"}


def test_clubs_and_teams_go_over_and_come_back(at: clock.Frozen, people: list[Player]) -> None:
    former, kept, mate = people[8], people[9], people[0]
    home, other = (Club.objects.create(slug=slug, name=slug, town=slug) for slug in ("batiscan", "shawinigan"))
    first = clubs.join(by=former, club=home)
    clubs.join(by=former, club=other, home=False)
    clubs.join(by=kept, club=other, home=False)
    team = clubs.form_team(by=SITE, name="Les Deux", players=[former, mate])
    at.advance(days=1)
    shown = merging.preview(by=SITE, former=former, kept=kept)
    assert (shown.clubs, shown.teams) == (["batiscan", "shawinigan"], ["Les Deux"])
    made = merging.merge(by=SITE, former=former, kept=kept, reason="one")

    def stands(player: Player) -> tuple[set[tuple[str, bool]], set[tuple[str, int]]]:
        ties = Membership.objects.filter(player=player, until__isnull=True).values_list("club__slug", "home")
        spells = TeamPlayer.objects.filter(player=player, left__isnull=True).values_list("team__name", "slot")
        return set(ties), set(spells)

    assert stands(former) == (set(), set())
    assert stands(kept) == ({("batiscan", True), ("shawinigan", False)}, {("Les Deux", 1)})
    at.advance(days=1)
    merging.separate(by=SITE, merge=made, reason="two")
    assert stands(former) == ({("batiscan", True), ("shawinigan", False)}, {("Les Deux", 1)})
    assert stands(kept) == ({("shawinigan", False)}, set())
    assert Membership.objects.get(player=former, club=home, until__isnull=True).since == first.since
    assert Team.objects.get(pk=team.pk).dissolved_at is None


def test_who_was_given_up_begins_nothing_new(at: clock.Frozen, people: list[Player]) -> None:
    former, kept, captain = people[8], people[9], people[0]
    club = Club.objects.create(slug="batiscan", name="batiscan", town="batiscan")
    team = clubs.found_team(by=captain, name="Les Autres")
    merging.merge(by=SITE, former=former, kept=kept, reason="one")
    for act in (
        lambda: clubs.join(by=SITE, club=club, player=former),
        lambda: clubs.invite(by=captain, team=team, player=former, slot=2),
        lambda: clubs.form_team(by=SITE, name="Les Deux", players=[former, captain]),
    ):
        with pytest.raises(Refused) as refusal:
            act()
        assert (refusal.value.code, refusal.value.details["kept"]) == ("merged", kept.slug)
    assert former not in players_to_invite(team, "Person")
    answer = Client().get(reverse("pages:player", args=[former.slug]))
    assert (answer.status_code, answer["Location"]) == (302, reverse("pages:player", args=[kept.slug]))


def test_the_api_names_the_player_who_stays(at: clock.Frozen, people: list[Player], client: Client) -> None:
    former, kept = people[8], people[9]
    address = f"/api/v1/players/{former.slug}"
    assert client.get(address).json()["merged_into"] is None
    merging.merge(by=SITE, former=former, kept=kept, reason="one")
    assert client.get(address).json()["merged_into"]["slug"] == kept.slug


def test_a_merge_is_refused_for_people_who_cannot_be_one(at: clock.Frozen, people: list[Player]) -> None:
    one, other = people[8], people[9]
    child = create_player(display_name="Petit Prince", birth_year=2018)
    bot = create_player(display_name="Robot", bot="easy")
    login, second = a_player("Océane T", "o@example.org"), a_player("Maude L", "m@example.org")
    cases = [
        (one, one, "same_player", "kept"), (child, one, "child", "former"), (one, child, "child", "kept"),
        (bot, one, "bot", "former"), (login, second, "both_logins", "former"), (login, people[0], "former_login", "former"),
    ]  # fmt: skip
    merging.merge(by=SITE, former=one, kept=other, reason="one")
    cases += [
        (one, people[0], "merged", "former"), (people[0], one, "merged", "kept"), (other, one, "cycle", "kept"),
    ]  # fmt: skip
    for former, kept, code, field in cases:
        with pytest.raises(Refused) as refusal, transaction.atomic():
            merging.merge(by=SITE, former=former, kept=kept, reason="x")
        assert (refusal.value.code, refusal.value.field) == (code, field)
    with pytest.raises(Refused) as refusal:
        merging.merge(by=SITE, former=people[0], kept=people[1], reason="  ")
    assert refusal.value.field == "reason"
    with pytest.raises(NotAllowed):
        merging.merge(by=people[0], former=people[0], kept=people[1], reason="x")


def test_a_deactivated_login_can_be_given_up_and_stays_shut_until_they_are_separate(people: list[Player]) -> None:
    login, second = a_player("Océane T", "o@example.org"), a_player("Maude L", "m@example.org")
    set_active(by=SITE, user=login.user, active=False)
    login.refresh_from_db()
    made = merging.merge(by=SITE, former=login, kept=second, reason="Lost the password, signed up again")
    with pytest.raises(Refused, match="merged"):
        set_active(by=SITE, user=login.user, active=True)
    assert list(Notice.objects.filter(player=second).values_list("kind", flat=True)) == ["players_merged"]
    merging.separate(by=SITE, merge=made, reason="no")
    set_active(by=SITE, user=login.user, active=True)
    assert User.objects.get(pk=login.user.pk).is_active


def test_the_reason_is_kept_apart_from_the_public_journal(people: list[Player]) -> None:
    merging.merge(by=SITE, former=people[8], kept=people[9], reason="A private matter")
    entry = JournalEntry.objects.latest("pk")
    assert b"player.merged" in bytes(entry.body)
    assert b"private matter" not in bytes(entry.body)
    assert PrivateText.objects.get(entry=entry).text == "A private matter"


def test_an_administrator_sees_what_will_happen_then_merges_and_separates_by_the_pages(
    at: clock.Frozen, people: list[Player], finished: Finished, client: Client
) -> None:
    played(at, people, finished)
    finished([people[8], people[0]], [people[9], people[1]])
    settled(at)
    former, kept = people[8], people[9]
    page = reverse("accounts:merge", args=[former.slug, kept.slug])
    assert client.get(page).status_code == 302  # to the sign-in
    sign_in(client, a_player("Océane Trudel", "oceane@example.org").user)
    assert client.get(page).status_code == 403
    client.logout()
    boss = a_boss()
    Player.objects.filter(pk=boss.pk).update(language="en")
    sign_in(client, boss.user)
    chosen = {"action": "merge", "_selected_action": [former.pk, kept.pk]}
    assert client.post(reverse("admin:accounts_player_changelist"), chosen)["Location"] == page
    text = client.get(page).content.decode()
    assert f"{former.display_name} is given up, {kept.display_name} stays." in text
    assert "8 rated games" in text
    assert "1 game in which both sat" in text
    assert "These two have met." in text
    assert f"{kept.display_name} is given up" in client.get(page, {"kept": former.slug}).content.decode()
    assert client.post(page, {"reason": ""}).status_code == 422
    assert "tick that those games" in client.post(page, {"reason": "One person"}).content.decode()
    assert client.post(page, {"reason": "One person", "despite_meetings": "on"}).status_code == 302
    found = Merge.objects.get()
    separate = reverse("accounts:separate", args=[found.pk])
    chosen = {"action": "separate", "_selected_action": [found.pk]}
    assert client.post(reverse("admin:accounts_merge_changelist"), chosen)["Location"] == separate
    assert "8 rated games" in client.get(separate).content.decode()
    assert client.post(separate, {"reason": "Two people"}).status_code == 302
    assert Merge.objects.get().separated_at is not None
    assert client.get(separate).status_code == 409


def test_who_plays_in_an_event_is_not_merged_and_meetings_are_listed() -> None:
    with clock.frozen(FIRST_ROUND):
        world = a_world()
        home, away = world.match.side_rows.order_by("position")
        one, opponent = home.entry.roster.first().player, away.entry.roster.first().player
        Player.objects.filter(pk__in=[one.pk, opponent.pk]).update(user=None)
        for player in (one, opponent):
            player.refresh_from_db()
        other = create_player(display_name="Somebody New")
        with pytest.raises(Refused) as refusal:
            merging.merge(by=SITE, former=one, kept=other, reason="x")
        assert (refusal.value.code, refusal.value.field) == ("plays_on", "former")
        assert world.competition.name in str(refusal.value.sentence)
        world.open()
        with pytest.raises(Refused, match="running_game"):
            merging.merge(by=SITE, former=one, kept=other, reason="x")
        Match.objects.filter(pk=world.match.pk).update(state="live")
        met = meetings(one, opponent)  # the return match has not been played
        assert (list(met.games), list(met.matches)) == ([world.game.slug], [world.match.slug])
        with pytest.raises(Refused, match="met"):
            merging.merge(by=SITE, former=one, kept=opponent, reason="x")


def test_who_was_given_up_is_on_no_roster_but_an_old_result_may_be_entered(
    at: clock.Frozen, people: list[Player]
) -> None:
    merging.merge(by=SITE, former=people[8], kept=people[9], reason="one")
    merged.refuse_entry(PlayersEntered(1, (people[9].pk,)))
    with pytest.raises(Refused, match="merged"):
        merged.refuse_entry(PlayersEntered(1, (people[0].pk, people[8].pk)))
    before = clock.now() - timedelta(hours=1)
    merged.refuse_taking_part(PlayersTakePart(1, (people[8].pk,), field="games", at=before))
    with pytest.raises(Refused, match="merged"):
        merged.refuse_taking_part(PlayersTakePart(1, (people[8].pk,), field="games", at=clock.now()))
