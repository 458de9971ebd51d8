"""There are no import cycles."""

from .cycles import cycles
from .source import modules, parse


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert cycles(modules()) == []


def test_a_cycle_is_found_also_inside_functions_and_for_type_checkers() -> None:
    written = [
        parse("from . import b", "room.a"),
        parse("def late():\n    from room.c import thing", "room.b"),
        parse("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import room.a", "room.c"),
        parse("from room.a import other\nfrom .e import f", "room.d"),
        parse("import os", "room.e"),
    ]
    assert cycles(written) == [["room.a", "room.b", "room.c"]]
    assert cycles([module for module in written if module.name != "room.c"]) == []
