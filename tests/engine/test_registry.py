"""The registry: rule sets found by folder, one id each."""

import pkgutil
import sys
import types

import pytest

from games.engine import registry
from games.engine.errors import UnknownRules
from games.engine.tock.game import GAME


def test_every_sheet_of_both_families_is_found_with_its_game() -> None:
    assert registry.ids() == ("shawinigan/1", "toc/1", "tock-air/1", "tock/1", "tractor/1")
    assert registry.rules("shawinigan/1").id == "shawinigan/1"
    assert registry.game("shawinigan/1") is GAME


def test_an_unknown_id_is_refused_and_the_offer_named() -> None:
    for wrong in ("belote/1", "", None, ["shawinigan/1"]):
        with pytest.raises(UnknownRules, match="shawinigan/1"):
            registry.rules(wrong)  # type: ignore[arg-type]


def test_two_files_with_one_id_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    double = types.ModuleType("games.engine.tock.rulesets.double")
    double.RULES = registry.rules("shawinigan/1")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, double.__name__, double)
    real = pkgutil.iter_modules

    def with_double(path):  # type: ignore[no-untyped-def]
        modules = list(real(path))
        if any(module.name == "shawinigan_1" for module in modules):
            modules.append(modules[0]._replace(name="double"))
        return modules

    monkeypatch.setattr(registry.pkgutil, "iter_modules", with_double)
    registry.entries.cache_clear()
    try:
        with pytest.raises(RuntimeError, match="shawinigan/1"):
            registry.entries()
    finally:
        registry.entries.cache_clear()
