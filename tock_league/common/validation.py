"""From a model's rules to a `Refused` that names field and rule."""

from typing import TypeVar

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.validators import RegexValidator
from django.db.models import Model
from django.utils.translation import gettext_lazy as _

from .errors import Refused

Row = TypeVar("Row", bound=Model)

# Pages escape every text anyway; whoever types a tag expects it to do something, and is told that it will not.
no_markup = RegexValidator(
    r"<[a-zA-Z/!?]", _("Tags such as <b> are not allowed here; type plain text."), code="markup", inverse_match=True
)


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
