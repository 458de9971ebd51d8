"""AppendOnly: the migration operation, the last one of the migration that makes the table."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db import models
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from . import triggers


class AppendOnly(Operation):
    """Make the database refuse every UPDATE, DELETE, TRUNCATE and REPLACE of the model's rows.

    `chained`: the table is the journal's own, whose entries must follow one another. `redactable`: texts that may be
    replaced when a row of Redaction permits it, and only by the text that it names. SQLite loses triggers when Django
    rebuilds the table in a later migration: that migration ends with this operation again, and the system check
    `journal.E001` says so when it does not. The operation is irreversible, because a journal must never be unlocked.
    """

    reduces_to_sql = True
    reversible = False

    def __init__(self, model_name: str, *, chained: bool = False, redactable: Sequence[str] = ()) -> None:
        self.model_name = model_name
        self.chained = chained
        self.redactable = list(redactable)

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        options: dict[str, Any] = {"chained": True} if self.chained else {}
        return (
            self.__class__.__name__,
            [self.model_name],
            options | ({"redactable": self.redactable} if self.redactable else {}),
        )

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Change nothing: triggers are no part of Django's state."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        vendor = schema_editor.connection.vendor
        table = model._meta.db_table
        for name in triggers.names(table, vendor, chained=self.chained):
            schema_editor.execute(f'DROP TRIGGER IF EXISTS "{name}"' + (f' ON "{table}"' if vendor != "sqlite" else ""))
        columns = {field.name: str(field.column) for field in model._meta.concrete_fields}
        redactable = {columns[name] for name in self.redactable}
        kept = [column for column in columns.values() if column not in redactable]
        keys = list(unique_keys(model))
        texts = triggers.Texts(kept, sorted(redactable))
        for sql in triggers.create(table, vendor, keys=keys, chained=self.chained, texts=texts):
            schema_editor.execute(sql, params=None)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        raise NotImplementedError("append-only tables stay append-only")

    def describe(self) -> str:
        return f"Let the database keep {self.model_name} append-only"


def unique_keys(model: type[models.Model]) -> Iterator[list[str]]:
    """Return the columns of every key whose collision would let REPLACE delete a row.

    Raises ValueError for a key under a condition or over expressions: an append-only table does without.
    """
    meta = model._meta
    columns = {field.name: str(field.column) for field in meta.concrete_fields}
    for field in meta.concrete_fields:
        if field.unique:
            yield [columns[field.name]]
    for constraint in meta.constraints:
        if isinstance(constraint, models.UniqueConstraint):
            if constraint.condition is not None or constraint.expressions:
                raise ValueError(
                    f"{meta.label}: {constraint.name} has no plain columns, which the guard against REPLACE needs"
                )
            yield [columns[name] for name in constraint.fields]
