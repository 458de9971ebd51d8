"""`@every`: one test for many cases, where pytest's own parameters would cost more than what they check.

For checks of some milliseconds without fixtures. Collecting, setting up and reporting a test takes about five milliseconds
in each run, and its collection happens in three processes.
"""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Signature
from typing import Any

import pytest

SHOWN = 160  # characters of a case and of its error


def every(names: str, cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that calls a test with each case, and fails with a line for each case that failed.

    `names`: of the parameters, separated by commas; `cases`: a value for one name, a tuple for several. May be stacked.
    """
    wanted = [name.strip() for name in names.split(",")]
    made = [_values(case, wanted) for case in cases]

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        @wraps(check)
        def run(**more: Any) -> None:
            failed: list[tuple[str, BaseException]] = []
            for values in made:
                try:
                    check(**values, **more)
                except (Exception, pytest.fail.Exception) as error:
                    failed.append((repr(values)[:SHOWN], error))
            if failed:
                lines = [f"{case}: {type(error).__name__} {str(error)[:SHOWN]}" for case, error in failed]
                told = "\n".join([f"{len(failed)} of {len(made)} cases failed:", *lines])
                raise AssertionError(told) from failed[0][1]

        del run.__wrapped__  # type: ignore[attr-defined]
        run.__signature__ = Signature()  # type: ignore[attr-defined]  # pytest would take the parameters for fixtures
        return run

    assert made, "no case to check"
    return decorate


def _values(case: Any, names: list[str]) -> dict[str, Any]:
    values = (case,) if len(names) == 1 else tuple(case)
    return dict(zip(names, values, strict=True))
