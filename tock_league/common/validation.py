"""From a model's rules to a `Refused` that names field and rule."""

from typing import TypeVar

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db.models import Model

from .errors import Refused

Row = TypeVar("Row", bound=Model)


def checked(row: Row) -> Row:
    """Answer `row` when it keeps its model's rules.

    Raises Refused with the first broken rule: `code` of the rule, `field` at fault and its sentence.
    """
    try:
        row.full_clean()
    except ValidationError as error:
        for name, problems in error.error_dict.items():
            problem = problems[0]
            field = None if name == NON_FIELD_ERRORS else name
            raise Refused(problem.code or "invalid", " ".join(problem.messages), field=field) from error
    return row
