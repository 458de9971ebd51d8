"""The migrations that replace several older ones (docs/decisions/0063): they leave the same, and no database stands between."""

from typing import Any

import pytest
from django.db import connection, models
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import CreateModel
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState
from django.utils import translation

from tests.every import every
from tock_league.common.create_models import CreateModels
from tock_league.journal.store import AppendOnly

OLD = MigrationLoader(None, replace_migrations=False)
NEW = {key: found for key, found in OLD.disk_migrations.items() if found.replaces and "squashed" in key[1]}
for _key, _found in NEW.items():
    OLD.graph.remove_replacement_node(_key, _found.replaces)  # what depends on it depends on the last older one
LEAVES = OLD.graph.leaf_nodes()
PLAN = OLD.graph._generate_plan(LEAVES, True)  # the migrations of a database that is made by the older files
STOPS = range(1, len(PLAN), 4)


def described(state: ProjectState) -> dict[tuple[str, str], Any]:
    return {
        key: (
            [(name, field.deconstruct()[1:]) for name, field in model.fields.items()],
            {name: value for name, value in model.options.items() if value or name not in ("indexes", "constraints")},
            model.bases,
            [(name, manager.deconstruct()) for name, manager in model.managers],
        )
        for key, model in state.models.items()
    }


def test_they_leave_the_models_that_the_older_ones_leave() -> None:
    assert NEW
    with translation.override(None):  # some texts are lazy, and others were written down in English
        old, new = described(OLD.project_state(LEAVES)), described(MigrationLoader(None).project_state())
        assert set(old) == set(new)
        assert [key for key in old if old[key] != new[key]] == []


@every("key", sorted(NEW))
def test_they_need_what_the_older_ones_need(key: tuple[str, str]) -> None:
    """With more, a database that is behind in another app could not take the replacement for applied."""
    wanted: dict[str, str] = {}
    for old in NEW[key].replaces:
        for app, name in OLD.disk_migrations[old].dependencies:
            if app != key[0]:
                wanted[app] = max(name, wanted.get(app, ""))
    assert dict(NEW[key].dependencies) == wanted


@every("key", sorted(NEW))
def test_they_protect_what_the_older_ones_protect(key: tuple[str, str]) -> None:
    old: dict[str, Any] = {}
    for each in NEW[key].replaces:
        old |= {found.model_name: found.deconstruct() for found in append_only(OLD.disk_migrations[each])}
    assert {found.model_name: found.deconstruct() for found in append_only(NEW[key])} == old


def append_only(migration: Any) -> list[AppendOnly]:
    return [operation for operation in migration.operations if isinstance(operation, AppendOnly)]


@pytest.mark.django_db
@every("stop", STOPS)
def test_a_database_that_stopped_anywhere_goes_on(stop: int) -> None:
    """By the older files in apps that have begun with them, by the replacements elsewhere."""
    applied = set(PLAN[:stop])
    rows = MigrationRecorder(connection).migration_qs
    rows.all().delete()
    rows.bulk_create([rows.model(app=app, name=name) for app, name in sorted(applied)])

    executor = MigrationExecutor(connection)
    executor.loader.check_consistent_history(connection)
    plan = [(each.app_label, each.name) for each, _back in executor.migration_plan(executor.loader.graph.leaf_nodes())]

    brought = applied | set(plan)
    for key in set(plan) & set(NEW):
        assert not applied & set(NEW[key].replaces)
        brought |= set(NEW[key].replaces)
    assert set(PLAN) <= brought
    assert not applied & set(plan)


@pytest.mark.django_db
def test_a_database_of_the_older_files_has_nothing_to_do() -> None:
    rows = MigrationRecorder(connection).migration_qs
    for app, name in NEW:
        assert rows.filter(app=app, name=name).delete()[0] == 1

    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
    executor.check_replacements()
    assert set(NEW) <= set(MigrationRecorder(connection).applied_migrations())


def test_the_models_of_one_operation_are_rendered_once_and_may_name_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[str] = []
    one = CreateModel("One", [("id", models.BigAutoField(primary_key=True)),
                              ("two", models.ForeignKey("toys.Two", models.CASCADE, null=True))])  # fmt: skip
    two = CreateModel("Two", [("id", models.BigAutoField(primary_key=True)),
                              ("one", models.ForeignKey("toys.One", models.CASCADE))])  # fmt: skip
    state = ProjectState()
    assert state.apps.get_models() == []
    monkeypatch.setattr(ProjectState, "reload_model", lambda self, app, name, delay=False: rendered.append(name))
    CreateModels([one, two]).state_forwards("toys", state)
    assert rendered == []
    assert {model.__name__ for model in state.apps.get_models()} == {"One", "Two"}
