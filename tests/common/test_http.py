import json

import pytest
from django.db import IntegrityError
from django.test import RequestFactory

from tock_league.common.errors import NotAllowed, NotThere, Refused
from tock_league.common.http import RefusedMiddleware

MIDDLEWARE = RefusedMiddleware(lambda request: None)


def answer(error, **headers):
    return MIDDLEWARE.process_exception(RequestFactory().get("/api/things/", **headers), error)


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Refused("I07", "Léa already plays for Les Pieux.", field="player"), 422, "I07"),
        (NotAllowed(needed="organiser"), 403, "not_allowed"),
        (NotThere(), 404, "not_found"),
        (IntegrityError("UNIQUE constraint failed: clubs_team.slug"), 409, "meanwhile"),
    ],
)
def test_a_refusal_has_its_status_and_one_body_for_programs(error, status, code):
    response = answer(error)
    assert response.status_code == status
    assert json.loads(response.content)["error"]["code"] == code


def test_a_refusal_names_field_and_rule():
    body = json.loads(answer(Refused("I07", "Léa already plays.", field="player")).content)["error"]
    assert body == {"code": "I07", "message": "Léa already plays.", "field": "player"}


def test_the_words_of_the_database_stay_inside():
    assert b"clubs_team" not in answer(IntegrityError("UNIQUE constraint failed: clubs_team.slug")).content


def test_other_exceptions_are_left_to_django():
    assert answer(ZeroDivisionError()) is None


def test_a_race_is_one_line_with_the_constraint_and_without_values(caplog):
    answer(IntegrityError('duplicate key value violates "user_email"\nDETAIL: Key (email)=(a@example.org) exists.'))
    (record,) = caplog.records
    assert "user_email" in record.getMessage()
    assert "example.org" not in record.getMessage()
    assert record.exc_info is None
