"""CreateModels: the migration operation that makes many tables at once."""

from collections.abc import Sequence
from typing import Any

from django.db.migrations.operations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """Do what one CreateModel after the other does, with models that may refer to each other.

    Django renders the classes of all related models again after each CreateModel, which was most of the time of the first
    start. Here they are rendered once, after the last one. A reference to a table that is made later is no obstacle:
    PostgreSQL gets the foreign keys at the end of the migration, and SQLite asks for the table when rows are written.
    """

    reduces_to_sql = True
    reversible = True

    def __init__(self, operations: Sequence[CreateModel]) -> None:
        self.operations = list(operations)

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return (self.__class__.__name__, [self.operations], {})

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        state.__dict__.pop("apps", None)  # the rendered classes; they are rendered again when somebody asks for them
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        for operation in self.operations:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        for operation in reversed(self.operations):
            operation.database_backwards(app_label, schema_editor, from_state, to_state)

    def references_model(self, name: str, app_label: str) -> bool:
        return any(operation.references_model(name, app_label) for operation in self.operations)

    def describe(self) -> str:
        return f"Create the models {', '.join(operation.name for operation in self.operations)}"
