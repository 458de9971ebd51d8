"""Canonical JSON: the bytes are hashed and stored, so the expected ones are written out here and must never change."""

import pytest

from tock_league.common import canonical

VALUE = {"b": [1, True, None], "a": "Grand-Mère", "ratio": 0.5}


def test_the_text_has_sorted_keys_no_spaces_and_utf_8() -> None:
    assert canonical.utf8(VALUE) == '{"a":"Grand-Mère","b":[1,true,null],"ratio":0.5}'.encode()


def test_the_digests_are_those_of_stored_rows() -> None:
    assert canonical.digest(VALUE) == "94c92b22cb50fbc63d32ca69374d5ca3b0f607049501da7febe797e97977a9bc"
    assert canonical.ascii_digest(VALUE) == "34269cfa348354fb6f75a8295d13c7e402eb287ffcf6e73d87219f7b8f460986"


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_values_that_are_not_json_are_refused(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical.digest({"number": number})
