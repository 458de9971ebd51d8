"""Another database as the default one for a while: that of a copy, of a drill, of a move."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import load_backend

from .errors import CannotDo

DEFAULT = "default"


def opened(settings: Mapping[str, Any]) -> BaseDatabaseWrapper:
    """Return a connection of its own with these settings, not yet open."""
    wrapper: BaseDatabaseWrapper = load_backend(settings["ENGINE"]).DatabaseWrapper(dict(settings), DEFAULT)
    return wrapper


@contextmanager
def as_default(wrapper: BaseDatabaseWrapper) -> Iterator[None]:
    """Let everything that this thread does in the block use `wrapper`; it is closed afterwards."""
    before = connections[DEFAULT]
    connections[DEFAULT] = wrapper
    ContentType.objects.clear_cache()
    try:
        yield
    finally:
        connections[DEFAULT] = before
        ContentType.objects.clear_cache()
        wrapper.close()


def here(**changes: Any) -> dict[str, Any]:
    """Return the settings of the present database with `changes`."""
    return {**connection.settings_dict, **changes}


def require_present() -> None:
    """Raise CannotDo where the present database is a SQLite file that is not there: opening it would make an empty one."""
    if connection.vendor != "sqlite":
        return
    path = Path(connection.settings_dict["NAME"])
    if not path.exists() or path.stat().st_size == 0:
        raise CannotDo(f"There is no database in {path.parent}; name the data folder of `serve` with --data.")


def behind() -> list[str]:
    """Return the migrations of the code that the database lacks."""
    executor = MigrationExecutor(connection)
    return [str(migration) for migration, _back in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def ahead(applied: set[tuple[str, str]]) -> list[str]:
    """Return those of the migrations `applied` that this version of the site does not have."""
    known = MigrationExecutor(connection).loader.disk_migrations
    return sorted(f"{app}.{name}" for app, name in applied if (app, name) not in known and app in _apps(known))


def _apps(known: Any) -> set[str]:
    return {app for app, _name in known}


def migrate() -> None:
    """Bring the database to this version of the site."""
    call_command("migrate", verbosity=0, interactive=False)
