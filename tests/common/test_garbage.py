"""Tests of `collected_seldom`: thresholds inside, restored after overlapping blocks and after an error."""

import gc

import pytest

from tock_league.common.garbage import SELDOM, collected_seldom


def test_the_thresholds_come_back_after_the_last_of_overlapping_blocks() -> None:
    before = gc.get_threshold()
    first, second = collected_seldom(), collected_seldom()
    first.__enter__()
    second.__enter__()
    assert gc.get_threshold() == SELDOM
    first.__exit__(None, None, None)
    assert gc.get_threshold() == SELDOM
    second.__exit__(None, None, None)
    assert gc.get_threshold() == before


def test_an_error_inside_restores_them() -> None:
    before = gc.get_threshold()
    with pytest.raises(ValueError, match="inside"), collected_seldom():
        raise ValueError("inside")
    assert gc.get_threshold() == before
