"""A program runs tournaments with nothing but the API."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from tests.competitions.world import FIRST_ROUND, a_club, a_plan, a_player, a_team, a_tournament
from tock_league.accounts import services as accounts
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Club, Team
from tock_league.common import clock
from tock_league.competitions.core.caps import PRESETS
from tock_league.competitions.models import Competition, Entry

from .calling import caller, code, fits, path_of, send

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def hand(settings: Any) -> Iterator[clock.Frozen]:
    settings.API_MINUTE_WRITES = settings.API_MINUTE_PER_PERSON = 10_000
    with clock.frozen(FIRST_ROUND) as frozen:
        yield frozen


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def boss(club: Club) -> Player:
    player = a_player("Organisatrice")
    clubs.join(by=SITE, club=club, player=player)
    clubs.give_role(by=SITE, club=club, player=player, name="organiser")
    return player


@pytest.fixture
def organiser(boss: Player) -> Client:
    return caller(boss, ["manage", "play"])


def a_draft(club: Club, **more: Any) -> dict[str, Any]:
    start = clock.now() + timedelta(hours=2)
    return {"name": "Coupe d’automne", "club": club.slug, "starts_at": start.isoformat(), "on_paper": True} | more


def get(client: Client, address: str) -> Any:
    answer = client.get(f"/api/v1/{address}")
    assert answer.status_code == 200, answer.content
    fits(answer, path_of(address))
    return answer.json()


def steps(client: Client, event: str, until: str) -> dict[str, Any]:
    """Do one step after the other until the next one is of the kind `until`."""
    step = get(client, f"competitions/{event}/step")
    while step["kind"] != until:
        assert step["can_be_done"], step
        answer = send(client, f"competitions/{event}/step", {"code": step["code"]})
        assert answer.status_code == 200, answer.content
        step = answer.json()
    return step


def captain_of(team: Team) -> Player:
    return team.spells.get(slot=1).player


def test_a_tournament_from_the_draft_to_the_podium(organiser: Client, club: Club) -> None:
    made = send(organiser, "competitions", a_draft(club, kind="groups_knockout", groups=2, qualify=1, places=8))
    assert made.status_code == 201, made.content
    event = made.json()["slug"]
    assert made.json()["state"] == "draft"
    assert caller().get(f"/api/v1/competitions/{event}").status_code == 404
    changed = send(organiser, f"competitions/{event}/settings", {"places": 9, "third_place": False}, method="patch")
    assert (changed.status_code, changed.json()["places"]) == (200, 9), changed.content
    assert get(organiser, f"competitions/{event}/settings") == changed.json()
    steps(organiser, event, "close")
    teams = [a_team(f"Équipe {number}", club=club) for number in range(4)]
    own = caller(captain_of(teams[0]), ["play"])
    entered = send(own, f"competitions/{event}/entries", {"team": teams[0].slug}).json()
    assert (entered["state"], entered["roster"][0]["player"]["name"]) == ("pending", "Équipe 0 A")
    partner = caller(teams[0].spells.get(slot=2).player, ["play"])
    assert send(partner, f"entries/{entered['slug']}/answer", {"accept": True}).json()["state"] == "accepted"
    for team in teams[1:]:
        answer = send(organiser, f"competitions/{event}/entries", {"team": team.slug})
        assert (answer.status_code, answer.json()["state"]) == (201, "accepted")
    order = [one["slug"] for one in get(organiser, f"competitions/{event}/entries")["results"]]
    seeded = send(organiser, f"competitions/{event}/seeds", {"how": "hand", "order": order})
    assert [one["slug"] for one in seeded.json()["entries"]] == order, seeded.content
    steps(organiser, event, "start")
    assert send(organiser, f"competitions/{event}/take-back-draw").json()["kind"] == "draw"
    step = steps(organiser, event, "wait")
    seeds = {slug: place for place, slug in enumerate(order)}
    names = {one["name"]: one["slug"] for one in get(organiser, f"competitions/{event}/entries")["results"]}
    while step["kind"] != "done":
        for slug in step["matches"]:
            sides = get(organiser, f"matches/{slug}")["sides"]
            winner = min(sides, key=lambda side: seeds[names[side["name"]]])["position"]
            told = send(organiser, f"matches/{slug}/certify", {"games": [{"winner": winner, "margin": 4}]})
            assert told.json()["state"] == "confirmed", told.content
        step = get(organiser, f"competitions/{event}/step")
        if step["can_be_done"]:
            send(organiser, f"competitions/{event}/step", {"code": step["code"]})
            step = get(organiser, f"competitions/{event}/step")
    podium = get(caller(), f"competitions/{event}/podium")["results"]
    assert [one["entry"]["slug"] for one in podium if one["rank"] < 3] == order[:2]
    bracket = get(caller(), f"competitions/{event}/bracket")["results"]
    assert [(node["title"], node["leads_to"], node["loser_to"]) for node in bracket] == [("Final", None, None)]
    assert get(caller(), f"competitions/{event}")["state"] == "finished"
    assert Entry.objects.filter(competition__slug=event, final_rank=1).get().slug == order[0]


@pytest.fixture
def running(club: Club) -> Competition:
    """A knockout of four teams on paper, with its first round open."""
    return a_tournament(4, club=club)


def captains(event: Competition) -> tuple[str, Client, Client]:
    """Return the slug of the first match and its captains' clients."""
    match = event.matches.order_by("round__number", "number").first()
    assert match is not None
    sides = [side.entry for side in match.side_rows.order_by("position")]
    first, second = (caller(entry.roster.get(slot=1, role="starter").player, ["play"]) for entry in sides)
    return match.slug, first, second


def test_captains_report_contest_and_accept_and_the_desk_corrects(organiser: Client, running: Competition) -> None:
    slug, home, away = captains(running)
    first = send(home, f"matches/{slug}/report", {"games": [{"winner": 0, "margin": 3}]})
    assert first.json()["state"] == "reported", first.content
    other = send(away, f"matches/{slug}/report", {"games": [{"winner": 1, "margin": 2}], "seen": 1})
    assert other.json()["state"] == "contested", other.content
    paper = get(home, f"matches/{slug}/paper")
    assert (paper["games"], paper["rival"], paper["version"]) == (
        [{"winner": 1, "margin": 2}], [{"winner": 0, "margin": 3}], 2,
    )  # fmt: skip
    assert code(send(home, f"matches/{slug}/accept", {"seen": 1})) == "result_changed"
    assert send(home, f"matches/{slug}/accept", {"seen": 2}).json()["sides"][1]["outcome"] == "win"
    right = {"kind": "paper", "games": [{"winner": 0, "margin": 3}]}
    seen = send(organiser, f"matches/{slug}/corrections/preview", right)
    assert {row["kind"] for row in seen.json()["rows"]} >= {"result", "place"}, seen.content
    signed = {**right, "reason": "Feuille mal lue.", "digest": "0" * 64}
    assert code(send(organiser, f"matches/{slug}/corrections", signed)) == "preview_moved"
    signed["digest"] = seen.json()["digest"]
    assert send(organiser, f"matches/{slug}/corrections", signed).json()["sides"][0]["outcome"] == "win"
    [row] = get(caller(), f"matches/{slug}/corrections")["results"]
    assert (row["number"], row["kind"], row["reason"]) == (1, "paper", "Feuille mal lue.")
    back = get(organiser, f"matches/{slug}/corrections/1/take-back")
    taken = send(organiser, f"matches/{slug}/corrections/1/take-back", {"reason": "Non.", "digest": back["digest"]})
    assert taken.json()["sides"][1]["outcome"] == "win", taken.content
    assert code(organiser.get(f"/api/v1/matches/{slug}/corrections/1/take-back")) == "taken_back"


def test_a_team_leaves_and_comes_back_as_its_previews_say(organiser: Client, running: Competition) -> None:
    slug, home, _away = captains(running)
    entry = running.entries.filter(side_rows__match__slug=slug, side_rows__position=0).get().slug
    seen = get(home, f"entries/{entry}/leaving")
    gone = {"how": "withdrawal", "reason": "Malade."}
    assert code(send(home, f"entries/{entry}/leave", gone)) == "preview_moved"
    left = send(home, f"entries/{entry}/leave", {**gone, "digest": seen["digest"]})
    assert (left.json()["state"], left.json()["reason"]) == ("withdrawn", "Malade.")
    assert code(send(home, f"entries/{entry}/come-back", {"reason": "x", "digest": "0"})) == "token_scope"
    back = get(organiser, f"entries/{entry}/coming-back")
    told = send(organiser, f"entries/{entry}/come-back", {"reason": "Guérie.", "digest": back["digest"]})
    assert told.json()["state"] == "playing", told.content
    assert send(home, f"matches/{slug}/forfeit", {"position": 0, "reason": "Fièvre."}).json()["state"] == "awarded"


def test_check_in_substitutes_and_the_waiting_list(organiser: Client, club: Club, hand: clock.Frozen) -> None:
    start = clock.now() + timedelta(hours=2)
    dates = {"check_in_from": start - timedelta(hours=1), "check_in_until": start - timedelta(minutes=10)}
    draft = a_draft(club, kind="knockout", places=2, **{name: at.isoformat() for name, at in dates.items()})
    event = send(organiser, "competitions", draft).json()["slug"]
    for code_ in ("publish", "open"):
        send(organiser, f"competitions/{event}/step", {"code": code_})
    slugs = []
    for number in range(4):
        team = a_team(f"Équipe {number}", club=club)
        entered = send(organiser, f"competitions/{event}/entries", {"team": team.slug}).json()
        slugs.append(entered["slug"])
        assert entered["state"] == ("accepted" if number < 2 else "waitlisted")
    refused = send(organiser, f"entries/{slugs[3]}/refuse", {"reason": "Trop tard."}).json()
    assert (refused["state"], refused["reason"]) == ("refused", "Trop tard.")
    hand.advance(hours=1, minutes=5)
    entry = Entry.objects.get(slug=slugs[0])
    own = caller(entry.roster.get(slot=1).player, ["play"])
    for spot in entry.roster.order_by("slot"):
        told = send(own, f"entries/{slugs[0]}/check-in", {"player": spot.player.slug, "here": True}).json()
    assert (told["state"], [spot["here"] for spot in told["roster"]]) == ("checked_in", [True, True])
    assert code(send(own, f"entries/{slugs[1]}/check-in", {"player": entry.slug, "here": True})) in (
        "token_scope", "not_found",
    )  # fmt: skip
    assert send(organiser, f"entries/{slugs[2]}/admit").json()["state"] == "accepted"
    reserve = a_player("Réserve")
    clubs.join(by=SITE, club=club, player=reserve)
    offer = clubs.invite(by=captain_of(entry.team), team=entry.team, player=reserve, slot=3)
    clubs.answer(by=reserve, invitation=offer, accept=True)
    joined = send(own, f"entries/{slugs[0]}/substitutes", {"player": reserve.slug}).json()
    assert joined["roster"][-1]["role"] == "substitute"
    leaves = joined["roster"][1]["player"]["slug"]
    swapped = send(own, f"entries/{slugs[0]}/substitute", {"leaves": leaves, "comes": reserve.slug}).json()
    assert [spot["player"]["slug"] for spot in swapped["roster"]][1:] == [reserve.slug, leaves]
    cancelled = send(organiser, f"competitions/{event}/state", {"to": "cancelled", "reason": "Verglas."}).json()
    assert (cancelled["state"], cancelled["reason"]) == ("cancelled", "Verglas.")


def test_a_league_and_a_club_night(organiser: Client, club: Club, boss: Player) -> None:
    accounts.give_role(by=SITE, player=boss, name="organiser")
    season = {"name": "Automne", "starts_on": "2026-09-01", "ends_on": "2026-12-20"}
    slug = send(organiser, "seasons", season).json()["slug"]
    assert [one["slug"] for one in get(caller(), "seasons")["results"]] == [slug]
    made = send(organiser, "leagues", {"name": "Ligue du jeudi", "season": slug, "club": club.slug, "best_of": 3})
    assert (made.status_code, made.json()["regulations"]["best_of"]) == (201, 3), made.content
    league = f"competitions/{made.json()['slug']}"
    for number in range(2):
        assert (
            send(organiser, f"{league}/entries", {"team": a_team(f"Équipe {number}", club=club).slug}).status_code
            == 201
        )
    first = {"first": "2026-09-10T19:00:00-04:00", "zone": "America/Toronto", "days": 7}
    assert send(organiser, f"{league}/calendar", {**first, "zone": "Mars/Olympus"}).json()["field"] == "zone"
    assert send(organiser, f"{league}/calendar", first).status_code == 200
    rounds = get(organiser, f"{league}/rounds")["results"]
    assert [one["first_at"] for one in rounds] == ["2026-09-10T23:00:00Z", "2026-09-17T23:00:00Z"]
    assert send(organiser, f"{league}/take-back-calendar").status_code == 200
    assert code(send(organiser, f"{league}/state", {"to": "running"})) == "state"
    people = [a_player(name) for name in ("Aline", "Benoît", "Carole", "Denis")]
    for one in people:
        clubs.join(by=SITE, club=club, player=one)
    night = send(organiser, "nights", {"name": "Soirée", "club": club.slug}).json()
    draw = {"players": [one.slug for one in people], "starts_at": (clock.now() + timedelta(hours=1)).isoformat()}
    assert send(organiser, f"competitions/{night['slug']}/draw-partners", draw).json()["state"] == "running"


def test_a_team_comes_late_and_goes_again(organiser: Client, club: Club) -> None:
    event = a_tournament(4, plan=a_plan("swiss"), club=club).slug
    team = a_team("Retardataires", club=club).slug
    seen = get(organiser, f"competitions/{event}/late?team={team}")
    late = send(organiser, f"competitions/{event}/late", {"team": team, "digest": seen["digest"]})
    assert (late.status_code, late.json()["state"]) == (201, "playing"), late.content
    entry = f"entries/{late.json()['slug']}/take-back-late"
    assert send(organiser, entry, {"digest": get(organiser, entry)["digest"]}).status_code == 200
    assert Entry.objects.filter(competition__slug=event).count() == 4


def test_a_time_cap_is_a_setting_and_its_results_are_counts(organiser: Client, club: Club) -> None:
    own = {"cap": "own", "cap_minutes": 40, "cap_counts": "marbles", "cap_tie": "next_home"}
    made = send(organiser, "competitions", a_draft(club, kind="knockout", **own))
    assert made.status_code == 201, made.content
    settings = f"competitions/{made.json()['slug']}/settings"
    told = get(organiser, settings)
    assert {name: told[name] for name in own} == own
    bad = send(organiser, settings, {"cap_minutes": 0}, method="patch")
    assert (bad.status_code, bad.json()["field"]) == (400, "cap_minutes"), bad.content
    assert send(organiser, settings, {"cap": ""}, method="patch").json()["cap"] == ""
    slug, home, away = captains(a_tournament(4, club=club, cap=PRESETS["pairs"].to_json()))
    assert code(send(home, f"matches/{slug}/report", {"games": [{"winner": 0, "margin": 3}]})) == "counts_missing"
    assert code(send(home, f"matches/{slug}/report", {"games": [{"counts": [4, 4]}]})) == "count_tie"
    assert code(send(home, f"matches/{slug}/report", {"games": [{"counts": [8, 3], "winner": 1}]})) == "winner"
    assert send(home, f"matches/{slug}/report", {"games": [{"counts": [8, 3]}]}).json()["state"] == "reported"
    assert get(away, f"matches/{slug}/paper")["games"] == [
        {"winner": 0, "margin": 20, "counts": [8, 3], "scores": [26, 6]}
    ]
    accepted = send(away, f"matches/{slug}/accept", {"seen": 1}).json()
    assert (accepted["state"], [side["score"] for side in accepted["sides"]]) == ("confirmed", [26, 6])
