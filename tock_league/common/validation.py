"""Validates model instances and raises `Refused` with field and rule."""

from functools import cache, reduce
from operator import and_
from typing import TypeVar

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.validators import RegexValidator
from django.db.models import CheckConstraint, ForeignKey, Model
from django.utils.translation import gettext_lazy as _

from .errors import Refused

AnyModel = TypeVar("AnyModel", bound=Model)

# Pages escape every text anyway; a typed tag is refused to tell the person that it has no effect.
no_markup = RegexValidator(
    r"<[a-zA-Z/!?]", _("Tags such as <b> are not allowed here; type plain text."), code="markup", inverse_match=True
)


def checked(row: AnyModel) -> AnyModel:
    """Return `row` when it keeps its model's rules.

    Raises Refused with the first broken rule: `code` of the rule, `field` at fault and its sentence.
    """
    try:
        row.clean_fields(exclude=_just_read(row))
        row.clean()
        row.validate_unique()
        _keeps_constraints(row)
    except ValidationError as error:
        raise _refusal(error) from error
    return row


def _just_read(row: Model) -> set[str]:
    """Return the relations whose row is loaded, so that no query needs to check that it exists."""
    keys = [field for field in row._meta.concrete_fields if isinstance(field, ForeignKey) and field.is_cached(row)]
    held = {field.name: getattr(row, field.name) for field in keys}
    return {name for name, other in held.items() if other is not None and not other._state.adding}


def _keeps_constraints(row: Model) -> None:
    """Raise ValidationError where a constraint is broken; the conditions of all checks are one query."""
    model = type(row)
    together = _checks_of(model)
    try:
        if together is not None:
            together.validate(model, row)
        for constraint in model._meta.constraints:
            if not isinstance(constraint, CheckConstraint):
                constraint.validate(model, row)
    except ValidationError:
        row.validate_constraints()  # names the one that is broken
        raise


@cache
def _checks_of(model: type[Model]) -> CheckConstraint | None:
    conditions = [found.condition for found in model._meta.constraints if isinstance(found, CheckConstraint)]
    return CheckConstraint(condition=reduce(and_, conditions), name="all_of_them") if conditions else None


def checked_values(row: AnyModel) -> AnyModel:
    """Return `row` when its own values keep their fields' rules: no query.

    For rows that a service has made, whose relations it has just read; the database enforces uniqueness and
    constraints. Raises Refused as `checked` does.
    """
    relations = {field.name for field in row._meta.concrete_fields if field.is_relation}
    try:
        row.full_clean(exclude=relations, validate_unique=False, validate_constraints=False)
    except ValidationError as error:
        raise _refusal(error) from error
    return row


def _refusal(error: ValidationError) -> Refused:
    """Return the first broken rule."""
    name, problems = next(iter(error.error_dict.items()))
    field = None if name == NON_FIELD_ERRORS else name
    return Refused(problems[0].code or "invalid", " ".join(problems[0].messages), field=field)
