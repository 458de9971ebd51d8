"""verify_all finds each kind of planted difference, and names table, row and field."""

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from ratings.models import RatedResult
from ratings.services.log import log_played
from tock_league.upkeep.verification import PARTS, verify

pytestmark = pytest.mark.django_db


def plant(sql: str, *values: Any) -> None:
    """Change the database as nobody may: past the services, and past the triggers."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        assert cursor.rowcount == 1, sql


def unlock(table: str, kind: str = "update") -> None:
    """Drop the trigger that refuses a change, with the rights of the database's owner."""
    with connection.cursor() as cursor:
        cursor.execute(f'DROP TRIGGER "{table}_no_{kind}"' + ("" if connection.vendor == "sqlite" else f" ON {table}"))


def one(column: str, table: str, where: str = "") -> Any:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {column} FROM {table} {where} ORDER BY id LIMIT 1")
        return cursor.fetchone()[0]


def found(part: str) -> list[str]:
    """Return the differences of one part."""
    outcome = next(verify([each for each in PARTS if each.name == part]))
    assert outcome.count == len(outcome.first)
    return [str(each) for each in outcome.first]


@pytest.mark.both_databases
def test_a_site_that_nobody_tampered_with_is_good_in_every_part(site: None) -> None:
    out = StringIO()
    call_command("verify_all", stdout=out)
    lines = out.getvalue().splitlines()
    assert [line.split(":")[0] for line in lines] == [part.name for part in PARTS]
    assert all(": good, " in line for line in lines), out.getvalue()
    assert "3 games" not in lines[0]
    assert "good, 4 games" in lines[3]


def test_the_command_fails_names_the_part_and_speaks_json(site: None) -> None:
    plant("UPDATE games_game SET reason = 'played' WHERE id = %s", one("id", "games_game"))
    out = StringIO()
    with pytest.raises(CommandError, match="differences in games"):
        call_command("verify_all", "--json", "--part", "games", "--part", "journal", stdout=out)
    journal, games = (json.loads(line) for line in out.getvalue().splitlines())
    assert (journal["part"], journal["good"], journal["differences"]) == ("journal", True, 0)
    assert games["good"] is False
    assert {each["field"] for each in games["first"]} == {"reason"}
    assert games["first"][0]["table"] == "games_game"


# Part, statement, and what the report must name: the table and the field.
PLANTED = [
    ("games", "UPDATE games_game SET ranks = '[1, 0]' WHERE id = {games_game}", "games_game", "ranks"),
    ("games", "UPDATE games_game SET epoch = 3 WHERE id = {games_game}", "games_game", "epoch"),
    ("games", "UPDATE games_game SET rated = {false} WHERE id = {games_game}", "games_game", "rated"),
    ("games", "UPDATE games_game SET last_seq = last_seq - 1 WHERE id = {games_game}", "games_game", "last_seq"),
    ("games", "UPDATE games_gameevent SET at = at + 1 WHERE id = {games_gameevent}", "games_gameevent", "chain"),
    ("games", "UPDATE games_table SET state = 'playing' WHERE id = {games_table}", "games_table", "state"),
    (
        "games",
        "UPDATE competitions_resultline SET margin = margin + 2 WHERE id = {competitions_resultline}",
        "competitions_resultline",
        "lines",
    ),
    (
        "results",
        "UPDATE competitions_resultline SET margin = margin + 2 WHERE id = {competitions_resultline}",
        "competitions_resultversion",
        "hash",
    ),
    ("results", "UPDATE competitions_match SET state = 'void' WHERE id = {decided}", "competitions_match", "state"),
    ("results", "UPDATE ratings_ratedresult SET ranks = '[1, 0]' WHERE id = {second}", "ratings_ratedresult", "ranks"),
    (
        "results",
        "UPDATE ratings_ratedresult SET source = '987654' WHERE id = {second}",
        "ratings_ratedresult",
        "987654",
    ),
    ("standings", "UPDATE competitions_entry SET final_rank = 4 WHERE id = {champion}", "competitions_entry", "rank"),
    ("standings", "UPDATE competitions_round SET state = 'open' WHERE id = {done}", "competitions_round", "state"),
    ("ratings", "UPDATE ratings_rating SET mu = {nudged} WHERE id = {rating}", "ratings_rating", "mu"),
    ("ratings", "UPDATE ratings_rating SET games = games + 1 WHERE id = {rating}", "ratings_rating", "games"),
    ("ratings", "UPDATE ratings_ratingchange SET chance = 0.25 WHERE id = {change}", "ratings_ratingchange", "chance"),
    ("ratings", "DELETE FROM ratings_ratingchange WHERE id = {change}", "ratings_ratingchange", "missing"),
    ("ratings", "UPDATE ratings_generation SET applied_source = 'x' WHERE id = {generation}", "generation", "applied"),
    ("arbitration", "UPDATE arbitration_case SET state = 'withdrawn' WHERE id = {arbitration_case}", "case", "I1"),
]


def test_an_unrated_result_at_the_end_of_the_log_is_no_difference(site: None) -> None:
    last = RatedResult.objects.filter(kind="result", rated=True).order_by("completed_at").last()
    assert last is not None
    log_played(
        rules="shawinigan/1",
        source="987654",
        completed_at=last.completed_at + timedelta(days=400),
        sides=last.sides,
        ranks=last.ranks,
        reason="unrated_table",
        rated=False,
    )
    row = RatedResult.objects.get(source="987654")
    assert row.ladder.generation.applied_source != row.source
    assert found("ratings") == []


@pytest.mark.parametrize(("part", "sql", "table", "field"), PLANTED)
def test_a_planted_difference_is_found_and_named(site: None, part: str, sql: str, table: str, field: str) -> None:
    live = "WHERE generation_id = (SELECT generation_id FROM ratings_ladder)"
    of_knockout = "WHERE competition_id = (SELECT max(id) FROM competitions_competition)"
    names = {
        "false": "0" if connection.vendor == "sqlite" else "false",
        "decided": lambda: one("id", "competitions_match", "WHERE state = 'confirmed'"),
        "second": lambda: one("max(id)", "ratings_ratedresult", "GROUP BY id HAVING id > 1"),
        "champion": lambda: one("id", "competitions_entry", f"{of_knockout} AND final_rank = 1"),
        "done": lambda: one("id", "competitions_round", "WHERE state = 'done'"),
        "rating": lambda: one("id", "ratings_rating", live),
        "change": lambda: one("id", "ratings_ratingchange", live),
        "generation": lambda: one("generation_id", "ratings_ladder"),
        "nudged": lambda: repr(one("mu", "ratings_rating", live) * (1 + 2**-52)),
    }
    for name in {word.split("}")[0] for word in sql.split("{")[1:]}:
        value = names.get(name, lambda name=name: one("id", name))
        sql = sql.replace(f"{{{name}}}", str(value() if callable(value) else value))
    plant(sql)
    differences = found(part)
    assert any(table in line and field in line for line in differences), differences


def test_a_changed_play_is_found_although_the_chain_was_forged_with_it(site: None) -> None:
    """Whoever may write the database can compute hashes too; the rules and the committed seeds remain."""
    from games.fold import Row, first_link, link
    from games.models import Game, GameEvent

    game = Game.objects.filter(state="over").order_by("pk")[0]
    draw = GameEvent.objects.get(game=game, code="draw")
    body = draw.body | {"dealer": (draw.body["dealer"] + 1) % 4}
    GameEvent.objects.filter(pk=draw.pk).update(body=body)
    chain = first_link(game.slug)
    for row in GameEvent.objects.filter(game=game).order_by("seq"):
        fields = {name: getattr(row, name) for name in ("seq", "kind", "code", "body", "actor", "at", "epoch")}
        chain = link(chain, Row(**fields, command_id=row.command_id or "", body_hash=row.body_hash))
        GameEvent.objects.filter(pk=row.pk).update(chain=chain)
    Game.objects.filter(pk=game.pk).update(chain=chain)
    differences = found("games")
    assert any(f"{game.slug} {draw.seq}, record_deal" in line for line in differences), differences


@pytest.mark.both_databases
def test_exchanged_seeds_of_a_running_game_are_found_and_not_shown(site: None) -> None:
    from games.models import DealSecret

    secret = DealSecret.objects.filter(game__state="seating").order_by("pk")[0]
    seeds = bytes(secret.seeds)[::-1]
    DealSecret.objects.filter(pk=secret.pk).update(seeds=seeds)
    differences = found("games")
    assert len(differences) == 1
    assert "games_dealsecret" in differences[0]
    assert seeds[:4].hex() not in differences[0]


@pytest.mark.both_databases
def test_a_changed_journal_and_a_missing_trigger_are_found(site: None) -> None:
    unlock("journal_journalentry")
    plant("UPDATE journal_journalentry SET prev_hash = %s WHERE id = %s", "0" * 64, one("id", "journal_journalentry"))
    differences = found("journal")
    assert any("linked" in line for line in differences), differences
    assert any("journal_journalentry_no_update is missing" in line for line in differences), differences


def test_a_game_whose_result_nobody_wrote_is_found(site: None) -> None:
    from games.models import Game

    game = Game.objects.filter(state="seating").order_by("pk")[0]
    Game.objects.filter(pk=game.pk).update(state="over", rated=True)
    differences = found("results")
    assert any(game.slug in line and "no match has its result" in line for line in differences), differences
    assert any(f"the rated game {game.slug} is not in the log" in line for line in differences), differences


def test_an_entry_in_another_seat_of_the_bracket_is_found(site: None) -> None:
    from tock_league.competitions.models import Competition, Match, Side

    cup = Competition.objects.order_by("-pk")[0]
    final = Match.objects.filter(competition=cup).order_by("-round__number", "-number")[0]
    one_side, other = Side.objects.filter(match=final).order_by("position")
    Match.objects.filter(pk=final.pk).update(state="ready")
    Side.objects.filter(pk=one_side.pk).update(entry=None)
    differences = found("standings")
    assert any("competitions_side" in line and f"should be {one_side.entry_id}" in line for line in differences)
    assert other.entry_id != one_side.entry_id


def test_a_migration_that_is_not_applied_is_found(site: None) -> None:
    plant("DELETE FROM django_migrations WHERE app = 'imports' AND name = '0001_imported_events'")
    assert any("imports.0001_imported_events" in line for line in found("database"))
