"""A test over many cases fails when one case does, and names each that failed."""

import pytest

from tests.every import every


@every("left, right", [(1, 1), (1, 2), (3, 4)])
def are_equal(left: int, right: int) -> None:
    assert left == right


@every("text", ["7", "seven"])
@every("base", [8, 10])
def is_refused(text: str, base: int) -> None:
    with pytest.raises(ValueError):
        int(text, base)


def test_each_case_that_fails_is_named_with_its_error() -> None:
    with pytest.raises(AssertionError) as told:
        are_equal()
    first, *lines = str(told.value).splitlines()
    assert first == "2 of 3 cases failed:"
    assert [line for line in lines if line.startswith("{")] == [
        "{'left': 1, 'right': 2}: AssertionError assert 1 == 2",
        "{'left': 3, 'right': 4}: AssertionError assert 3 == 4",
    ]


def test_cases_of_two_parameters_are_combined_and_what_is_not_raised_is_a_failure() -> None:
    with pytest.raises(AssertionError, match=r"^1 of 2 cases failed:\n\{'text': '7'\}: AssertionError 2 of 2"):
        is_refused()


def test_a_test_without_cases_cannot_be_written() -> None:
    with pytest.raises(AssertionError):
        every("text", [])
