"""The export: complete, the person's alone, and without anything of others."""

import io
import json
import zipfile
from typing import Any

import pytest
from django.apps import apps
from django.db.models import Model
from django.urls import reverse

from games.models import Game
from games.services.records import read_lines
from tests.accounts.signing import a_player, sign_in
from tock_league.accounts.models import Player, User
from tock_league.common import clock, outbox
from tock_league.common.errors import NotThere, Refused
from tock_league.competitions.services.rounds import publishing
from tock_league.people import erasure, export, parts, tasks
from tock_league.people.export import as_csv
from tock_league.people.models import Export, ExportPart

from .world import ADDRESS, NAME, SECOND, WORDS, Life

pytestmark = pytest.mark.django_db
SECRETS = ("password", "token_hash", "session_key", "guest_key", "seeds", "salts", "salt")


def made(user: User) -> Export:
    """Return the person's export, as a worker makes it."""
    found = export.ask(by=user)
    while waiting := outbox.waiting(export.TASK):
        for row in waiting:
            tasks.make_export(outbox_id=row.pk, **row.body)
    return Export.objects.get(pk=found.pk)


def unzipped(found: Export) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(bytes(found.body or b""))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def leads_to_a_person(model: type[Model], seen: frozenset[type[Model]] = frozenset()) -> bool:
    """Return whether relations lead from the model to a login or a player."""
    if model in (User, Player):
        return True
    related = {field.related_model for field in model._meta.get_fields() if field.is_relation and field.concrete}
    ours = {one for one in related if isinstance(one, type) and one not in seen}
    return any(leads_to_a_person(one, seen | {model}) for one in ours)


def test_every_model_is_in_the_export_or_in_the_list_of_exceptions() -> None:
    exported = [section.model for section in parts.SECTIONS]
    models = {model._meta.label: model for model in apps.get_models(include_auto_created=True)}
    assert len(exported) == len(set(exported))
    assert len({section.name for section in parts.SECTIONS}) == len(exported)
    assert not set(exported) & parts.NOT_EXPORTED.keys()
    assert set(exported) | parts.NOT_EXPORTED.keys() == models.keys()
    led = {label for label, model in models.items() if leads_to_a_person(model)}
    assert {"arbitration.Draft", "account.EmailAddress", "competitions.ResultLine", "games.Seating"} <= led


def test_each_row_that_names_the_person_is_in_the_export(life: Life) -> None:
    data = export.data_of(parts.person_of(user=life.user))
    by_model = {section.model: section.name for section in parts.SECTIONS}
    missing = []
    for model in apps.get_models():
        name = by_model.get(model._meta.label)
        own = {User: life.user.pk, Player: life.player.pk}
        direct = [field for field in model._meta.concrete_fields if field.related_model in own]
        for field in direct if name is not None else ():
            rows = model._default_manager.filter(**{field.name: own[field.related_model]}).count()
            if rows and field.name not in ("given_by",) and len(data[name]) < rows:
                missing.append((name, field.name, rows, len(data[name])))
    assert missing == []
    empty = {name for name, rows in data.items() if not rows}
    assert empty <= {
        # nothing of this kind happened to her
        "confirmations", "failed_sign_ins", "site_roles", "table_roles", "hands_seen", "signatures", "competition_roles",
        "corrections", "late_entries", "ties_settled", "appeals", "panel_seats", "votes", "leases", "recusals",
        "family_ties", "check_ins", "exports", "erasures", "rulings", "consents", "consent_request",
        "casual_tables", "held_seats", "table_invitations", "tokens", "imported_events",
        "place_proposals", "pairing_wishes", "former_seeds",
        "push_devices", "pushes", "digest_hour", "club_news",
        "bots", "merges", "season_places", "findings", "name_lists", "listed_names", "claim_codes", "claims",
    }  # fmt: skip


def test_a_ruling_about_the_person_is_whole_and_one_they_signed_says_nothing_of_others(life: Life) -> None:
    [about] = export.data_of(parts.person_of(player=life.world.players[0]))["rulings"]
    assert about["facts"] == f"Selon {NAME}, on a parlé au coup 12."
    [signed] = export.data_of(parts.person_of(player=life.world.head))["rulings"]
    assert signed["ref"] == about["ref"]
    assert "facts" not in signed


def test_the_zip_holds_json_csv_and_records_that_can_be_imported(life: Life) -> None:
    found = made(life.user)
    files = unzipped(found)
    assert found.size == len(bytes(found.body or b""))
    assert not ExportPart.objects.exists()
    data = json.loads(files["data.json"])
    assert data["login"][0]["email"] == ADDRESS
    assert [row["email"] for row in data["addresses"]] == [ADDRESS, SECOND]
    assert any(row["text"] == WORDS for row in data["texts"])
    assert data["rating_changes"][0].keys() >= {"mu_before", "mu_after", "chance", "points_after"}
    assert data["player"][0]["display_name"] == NAME
    records = [name for name in files if name.startswith("games/")]
    assert records == [f"games/{life.world.game.slug}.jsonl"]
    record = read_lines(json.loads(line) for line in files[records[0]].splitlines())
    assert (record.game, record.chain) == (life.world.game.slug, life.world.game.chain)
    assert {f"csv/{name}.csv" for name, rows in data.items() if rows} <= files.keys()


def test_it_holds_nothing_of_others_and_no_secret(life: Life) -> None:
    login = a_player("Huguette Secrète", "huguette@exemple.quebec").user
    Player.objects.filter(user=login).update(user=None)
    Player.objects.filter(pk=life.world.players[0].pk).update(user=login)
    text = "".join(unzipped(made(life.user)).values())
    assert "huguette@" not in text
    assert "se trompe" not in text  # what the other side has answered
    assert "n’a rien entendu" not in text
    assert User.objects.get(pk=life.user.pk).password not in text
    keys = {key for rows in export.data_of(parts.person_of(user=life.user)).values() for row in rows for key in row}
    assert not keys & set(SECRETS)


def test_a_running_game_gives_away_nothing(life: Life) -> None:
    other = next(m for m in life.world.competition.matches.order_by("pk") if m.state == "scheduled")
    side = other.side_rows.get(position=0).entry
    player = side.roster.get(slot=1).player
    user = a_player("Sans importance", "autre@exemple.quebec").user
    Player.objects.filter(user=user).update(user=None)
    Player.objects.filter(pk=player.pk).update(user=user)
    publishing.open_table(match_id=other.pk, early=True)
    files = unzipped(made(user))
    assert json.loads(files["data.json"])["games"][0]["state"] == "seating"
    assert not any(name.startswith("games/") for name in files)


def test_one_export_a_day_which_expires_and_is_the_persons_alone(life: Life, hand: clock.Frozen) -> None:
    found = made(life.user)
    with pytest.raises(Refused, match="export_again"):
        export.ask(by=life.user)
    stranger = a_player("Yvette Côté", "yvette@exemple.quebec").user
    with pytest.raises(NotThere):
        export.zip_of(stranger, found.pk)
    assert export.zip_of(life.user, found.pk)
    hand.advance(days=7)
    with pytest.raises(NotThere):
        export.zip_of(life.user, found.pk)
    assert export.expire() == 1
    assert not Export.objects.exists()
    assert export.ask(by=life.user).pk != found.pk


def test_a_killed_worker_begins_where_it_stopped(life: Life) -> None:
    found = export.ask(by=life.user)
    assert export.make(found.pk, seconds=-1) is False  # no time was left for the record
    assert export.make(found.pk) is True
    assert export.make(found.pk) is True
    assert Export.objects.get(pk=found.pk).ready_at is not None


def test_a_cell_is_no_formula_of_a_spreadsheet() -> None:
    rows: list[dict[str, Any]] = [{"a": "=1+1", "b": ["x"]}, {"c": None, "a": -1}]
    assert as_csv(rows).split() == ["a,b,c", '\'=1+1,"[""x""]",', "-1,,"]


def test_the_page_asks_for_a_fresh_sign_in_and_gives_the_zip(client: Any, life: Life, hand: clock.Frozen) -> None:
    user = life.user
    user.set_password("le tock du mercredi soir")
    user.save()
    user.authenticator_set.all().delete()
    sign_in(client, user)
    page = client.get(reverse("accounts:my_data"))
    assert page.status_code == 200
    assert "Maude" in page.content.decode()
    assert client.post(reverse("accounts:ask_export")).status_code == 302
    for row in outbox.waiting(export.TASK):
        tasks.make_export(outbox_id=row.pk, **row.body)
    address = reverse("accounts:download_export", args=[Export.objects.get().pk])
    assert address in client.get(reverse("accounts:my_data")).content.decode()
    answer = client.get(address)
    assert answer["Content-Disposition"].endswith('"tock-league.zip"')
    assert "no-store" in answer["Cache-Control"]
    session = client.session
    for record in session["account_authentication_methods"]:
        record["at"] = 0
    session.save()
    again = client.get(address)
    assert again.status_code == 302
    assert "reauthenticate" in again["Location"]
    client.logout()
    assert client.get(address).status_code == 302


def test_an_erasure_while_an_export_is_made_leaves_nothing_of_it(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    found, real = export.ask(by=life.user), export.games.record_of
    person = parts.person_of(player=life.player)

    def erasing(game: Game) -> str:
        text = real(game)
        if User.objects.filter(pk=life.player.user_id).exists():
            erasure.erase(person)
        return text

    monkeypatch.setattr(export.games, "record_of", erasing)
    assert export.make(found.pk)
    assert not Export.objects.exists()
    assert not ExportPart.objects.exists()
