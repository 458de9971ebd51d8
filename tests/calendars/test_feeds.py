"""The calendars, read back by another library: who sees what, and how a calendar learns of a change."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.competitions.world import (
    FIRST_ROUND,
    START,
    a_club,
    a_league,
    a_player,
    a_tournament,
    first_match,
    under_way,
)
from tock_league.accounts.permissions import SITE
from tock_league.calendars import facts, services
from tock_league.calendars import feed as writer
from tock_league.calendars.models import CalendarItem
from tock_league.clubs.models import Club, Team
from tock_league.common import clock
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.rounds import calendar, draw, schedule
from tock_league.competitions.services.seasons import lifecycle, roles

from . import reading

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def now() -> Iterator[None]:
    cache.clear()
    with clock.frozen(START):
        yield


@pytest.fixture
def league() -> Competition:
    return a_league(club=a_club(), legs=1)


def feed(kind: str, slug: str) -> str:
    return reverse(f"calendars:{kind}", args=[slug])


def uid(match: Match) -> str:
    return f"match-{match.slug}@tock-league"


def player_in(match: Match):
    return match.side_rows.get(position=0).entry.roster.get(slot=1).player


def own(player, kind: str = "player") -> str:
    return feed(kind, services.secret_of(services.renew(by=player, kind=kind)))


def test_a_league_has_all_its_matches_with_times_in_utc(client: Client, league: Competition) -> None:
    dates = reading.fetched(client, feed("competition", league.slug))
    assert set(dates) == {uid(match) for match in league.matches.all()}
    date = dates[uid(first_match(league))]
    assert date.dtstart.value == FIRST_ROUND
    assert date.dtend.value == FIRST_ROUND + timedelta(minutes=25)
    assert date.summary.value == "Équipe 1 – Équipe 4"
    assert f"/matches/{first_match(league).slug}/" in date.url.value
    assert (date.status.value, reading.number(date)) == ("CONFIRMED", 0)


def test_each_calendar_has_its_own_part(client: Client, league: Competition) -> None:
    other = a_league(2)
    match = first_match(league)
    side = match.side_rows.get(position=0).entry
    theirs = {uid(one) for one in league.matches.filter(side_rows__entry=side)}
    everything = {uid(one) for one in league.matches.all()}
    referee = a_player("Sylvie Doucet")
    roles.give(by=SITE, competition=league, player=referee, name="referee")
    expected = {
        feed("team", side.team.slug): theirs,
        own(player_in(match)): theirs,
        feed("club", league.club.slug): everything,
        feed("season", league.division.season.slug): everything | {uid(one) for one in other.matches.all()},
        own(referee, "referee"): everything,
        own(referee): set(),
        feed("match", match.slug): {uid(match)},
    }
    assert {address: set(reading.fetched(client, address)) for address in expected} == expected
    # Only a calendar of one's own reminds.
    assert b"VALARM" in client.get(own(player_in(match))).content
    assert b"VALARM" not in client.get(feed("team", side.team.slug)).content


def test_a_moved_match_keeps_its_uid_and_gets_higher_numbers_in_every_calendar(
    client: Client, league: Competition
) -> None:
    match = first_match(league)
    addresses = [feed("competition", league.slug), own(player_in(match)), feed("match", match.slug)]
    before = [reading.fetched(client, address)[uid(match)] for address in addresses]
    for moves in (1, 2):
        with clock.frozen(START + timedelta(hours=moves)):
            schedule.move(by=SITE, match=match, starts_at=FIRST_ROUND + timedelta(days=moves))
        with clock.frozen(START + timedelta(hours=moves, minutes=5)):
            after = [reading.fetched(client, address) for address in addresses]
        assert [reading.number(dates[uid(match)]) for dates in after] == [moves] * 3
        assert {dates[uid(match)].dtstart.value for dates in after} == {FIRST_ROUND + timedelta(days=moves)}
        assert all(
            reading.modified(new[uid(match)]) > reading.modified(old) for new, old in zip(after, before, strict=True)
        )
    # The others have not changed.
    assert {reading.number(date) for key, date in after[0].items() if key != uid(match)} == {0}


def test_a_cancelled_match_stays_for_sixty_days(client: Client, league: Competition) -> None:
    match, address = first_match(league), feed("competition", league.slug)
    assert reading.fetched(client, address)[uid(match)].status.value == "CONFIRMED"
    lifecycle.advance(by=SITE, competition=league, to="cancelled", reason="La salle est fermée.")
    date = reading.fetched(client, address)[uid(match)]
    assert (date.status.value, date.transp.value, reading.number(date)) == ("CANCELLED", "TRANSPARENT", 1)
    with clock.frozen(START + timedelta(days=60)):
        assert reading.fetched(client, address)[uid(match)].status.value == "CANCELLED"
    with clock.frozen(FIRST_ROUND + timedelta(days=91)):
        assert uid(match) not in reading.fetched(client, address)


def test_a_match_awarded_without_a_game_is_cancelled(client: Client, league: Competition) -> None:
    match = first_match(league)
    settlement.award(by=SITE, match=match, winner=0, reason="Personne n’est venu.")
    assert reading.fetched(client, feed("competition", league.slug))[uid(match)].status.value == "CANCELLED"


def test_the_matches_of_a_discarded_calendar_are_cancelled_for_sixty_days(client: Client) -> None:
    league = a_league(state="closed", legs=1)
    match = first_match(league)
    player, team = player_in(match), match.side_rows.get(position=0).entry.team
    addresses = [feed("competition", league.slug), feed("team", team.slug), own(player)]
    for address in addresses:
        reading.fetched(client, address)
    calendar.discard_calendar(by=SITE, competition=league)
    for address in addresses:
        date = reading.fetched(client, address)[uid(match)]
        assert (date.status.value, reading.number(date), date.dtstart.value) == ("CANCELLED", 1, FIRST_ROUND)
        assert date.summary.value == "Équipe 1 – Équipe 4"
    with clock.frozen(START + timedelta(days=60)):
        assert uid(match) in reading.fetched(client, addresses[0])
    with clock.frozen(START + timedelta(days=61)):
        assert uid(match) not in reading.fetched(client, addresses[0])


def test_a_tournament_is_a_date_of_its_own_before_its_draw(client: Client) -> None:
    made = a_tournament(state="closed")
    address = feed("competition", made.slug)
    assert list(reading.fetched(client, address)) == [f"event-{made.slug}@tock-league"]
    assert reading.fetched(client, address)[f"event-{made.slug}@tock-league"].dtstart.value == made.starts_at
    draw.draw(by=SITE, competition=made)
    lifecycle.advance(by=SITE, competition=made, to="running")
    assert {uid(match) for match in under_way(made)} <= set(reading.fetched(client, address))


def test_a_draft_is_in_no_calendar(client: Client) -> None:
    league = a_league(state="draft", club=a_club())
    assert client.get(feed("competition", league.slug)).status_code == 404
    calendar.make_calendar(by=SITE, competition=league, times=[FIRST_ROUND] * 6)
    match = first_match(league)
    assert client.get(feed("match", match.slug)).status_code == 404
    for address in (feed("club", league.club.slug), feed("season", league.division.season.slug), own(player_in(match))):
        assert reading.fetched(client, address) == {}


def test_texts_are_in_the_language_of_the_owner_or_of_the_link(client: Client, league: Competition) -> None:
    player = player_in(first_match(league))
    player.language = "en"
    player.save()
    address = feed("competition", league.slug)
    for path, accepted, expected in (
        (own(player), "fr", "Round 1"),
        (address + "?lang=fr", "en", "Ronde 1"),
        (address + "?lang=en", "fr", "Round 1"),
        (address + "?lang=xx", "fr", "Ronde 1"),
    ):
        dates = reading.fetched(client, path, **{"accept-language": accepted})
        assert client.get(path)["Content-Language"] == ("fr-ca" if expected.startswith("Ronde") else "en")
        assert (
            dates[uid(first_match(league))].description.value.splitlines()[0].replace("\xa0", " ")
            == f"{league.name}, {expected}"
        )
    # The language does not count as a change.
    assert {item.sequence for item in CalendarItem.objects.all()} == {0}


def test_a_hostile_name_stays_inside_its_line(client: Client, league: Competition) -> None:
    name = "A;B,C\\nD:E “é” " + "x" * 40 + "\r\nATTACH:http://x"
    Competition.objects.filter(pk=league.pk).update(name=name)
    dates = reading.fetched(client, feed("competition", league.slug) + "?lang=en")
    date = dates[uid(first_match(league))]
    assert date.description.value.splitlines()[0] == name.replace("\r\n", " ") + ", Round 1"
    assert "attach" not in date.contents


def test_the_same_calendar_is_the_same_bytes_and_answered_with_304(client: Client, league: Competition) -> None:
    address = feed("competition", league.slug)
    first = client.get(address)
    with clock.frozen(START + timedelta(hours=3)):
        again = client.get(address)
        short = client.get(address, headers={"if-none-match": first["ETag"]})
    assert again.content == first.content
    assert (short.status_code, short.content, short["ETag"]) == (304, b"", first["ETag"])
    assert first["Cache-Control"] == short["Cache-Control"] == "public, max-age=900"
    assert not first.cookies
    schedule.move(by=SITE, match=first_match(league), starts_at=FIRST_ROUND + timedelta(days=1))
    assert client.get(address, headers={"if-none-match": first["ETag"]}).status_code == 200


def test_a_calendar_is_written_once_and_a_304_writes_none(client: Client, league: Competition, monkeypatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(writer, "_calendar", lambda contents: written.append(contents.feed.name) or b"BEGIN")
    public, private = feed("competition", league.slug), own(player_in(first_match(league)))
    for address, times in ((public, 1), (private, 2)):
        written.clear()
        first, second = client.get(address), client.get(address)
        short = client.get(address, headers={"if-none-match": first["ETag"]})
        assert (short.status_code, second["ETag"], len(written)) == (304, first["ETag"], times)
    # Every word of the calendar is in its ETag: a new name of the club, of a team, another language.
    etags = {client.get(public)["ETag"], client.get(f"{public}?lang=en")["ETag"]}
    Team.objects.filter(pk=first_match(league).side_rows.get(position=0).entry.team.pk).update(name="Les Neuves")
    etags.add(client.get(public)["ETag"])
    Competition.objects.filter(pk=league.pk).update(on_paper=True)
    etags.add(client.get(public)["ETag"])
    Club.objects.filter(pk=league.club.pk).update(town="Grand-Mère")
    etags.add(client.get(public)["ETag"])
    assert len(etags) == 5


def test_the_number_of_queries_does_not_depend_on_the_number_of_matches(client: Client) -> None:
    small, large = a_league(2, legs=1), a_league(4, legs=1)
    counts = []
    for league in (small, large):
        for address in (feed("competition", league.slug), own(player_in(first_match(league)))):
            client.get(address)
            with CaptureQueriesContext(connection) as seen:
                client.get(address)
            counts.append(len(seen))
    assert counts[0] == counts[2]
    assert counts[1] == counts[3]
    assert max(counts) <= 12
    with CaptureQueriesContext(connection) as seen:
        CalendarItem.objects.all().delete()
        client.get(feed("competition", large.slug))
    assert len(seen) < 40


def test_two_readers_at_once_write_one_row_each(league: Competition) -> None:
    """The second reader has seen no row, and finds those of the first one when it writes."""
    from tock_league.calendars import scopes

    found = facts.of(scopes.of_competition(league))
    services.told(found)
    services._create(found)
    assert CalendarItem.objects.count() == len(found)
    assert {row.sequence for row in services.told(found).values()} == {0}


def test_summer_time_ends_between_two_rounds_and_utc_tells_it(client: Client) -> None:
    league = a_league(2, legs=2)
    match = league.matches.get(round__number=2)
    local = datetime(2026, 11, 2, 0, 0, tzinfo=UTC)  # 19:00 in Shawinigan, after the clocks went back
    schedule.move(by=SITE, match=match, starts_at=local)
    assert b"DTSTART:20261102T000000Z" in client.get(feed("competition", league.slug)).content


def test_a_match_without_a_date_has_no_file_and_no_button(client: Client, league: Competition) -> None:
    match = first_match(league)
    page = reverse("competitions:match", args=[match.slug])
    assert feed("match", match.slug) in client.get(page).content.decode()
    Match.objects.filter(pk=match.pk).update(starts_at=None, state="ready")
    assert client.get(feed("match", match.slug)).status_code == 404
    assert feed("match", match.slug) not in client.get(page).content.decode()


def test_pages_lead_to_their_calendars(client: Client, league: Competition) -> None:
    team = first_match(league).side_rows.get(position=0).entry.team
    for page, address in (
        (reverse("competitions:matches", args=[league.slug]), feed("competition", league.slug)),
        (reverse("competitions:matches", args=[league.slug]), feed("season", league.division.season.slug)),
        (reverse("pages:team", args=[team.slug]), feed("team", team.slug)),
        (reverse("pages:club", args=[league.club.slug]), feed("club", league.club.slug)),
    ):
        assert f'href="{address}?lang=fr"' in client.get(page).content.decode()
