"""Only services write; views, sockets, tasks and forms parse, call one service and map its result."""

import ast

import pytest

from .source import Module, calls, dotted, imports, modules, parse

DOORS = {
    "views", "api", "live", "tasks", "forms", "admin", "templatetags", "adapters", "feeds", "middleware",
    "selectors", "permissions", "pages",
}  # fmt: skip
MANAGER_WRITES = {
    "create", "bulk_create", "get_or_create", "update_or_create", "update", "bulk_update", "delete",
    "acreate", "aget_or_create", "aupdate_or_create", "aupdate", "adelete", "abulk_create",
}  # fmt: skip
ROW_WRITES = {"save", "delete", "asave", "adelete"}
QUERIES = {"objects", "filter", "exclude", "all", "select_related", "select_for_update", "_default_manager"}
# They store something that is not a row of the database.
NO_ROWS = {"cache", "caches", "session"}

# allauth writes a new login in the form itself; our subclass wraps that in writing() and adds the player.
HOOKS = {"tock_league.accounts.forms": {"super.save"}}


def is_door(module: Module) -> bool:
    """Return whether `module` must not write."""
    rooms = set(module.parts)
    return bool(DOORS & rooms) and "services" not in rooms and not module.name.startswith("tock_league.common")


def writes(module: Module) -> list[str]:
    """Return the places where `module` writes rows itself: on a manager or query, or by saving or deleting an instance.

    A call on an imported module (`tables.create(...)`) is a call of a service and allowed.
    """
    services = {name.rsplit(".", 1)[-1] for _, name in imports(module)} | aliases(module)
    return [
        f"{module.at(call)} calls {name}"
        for call, name in calls(module)
        if writes_row(name.split("."), services) and name not in HOOKS.get(module.name, ())
    ]


def writes_row(words: list[str], services: set[str]) -> bool:
    """Return whether a call by the chain `words` writes, such as ["Game", "objects", "create"] or ["game", "save"]."""
    *receiver, verb = words
    if QUERIES & set(receiver):
        return verb in MANAGER_WRITES
    return verb in ROW_WRITES and bool(receiver) and not NO_ROWS & set(receiver) and receiver[-1] not in services


def aliases(module: Module) -> set[str]:
    """Return the names given by `import ... as name`."""
    return {
        alias.asname
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }


def test_no_door_writes_a_row() -> None:
    doors = [module for module in modules() if is_door(module)]
    assert len(doors) > 10
    assert [fault for module in doors for fault in writes(module)] == []


@pytest.mark.parametrize(
    "text",
    [
        "Game.objects.create(slug='x')",
        "Game.objects.filter(pk=1).update(turn=2)",
        "game.save()",
        "request.user.player.delete()",
        "class F:\n    def save(self):\n        return super().save()",
    ],
)
def test_each_way_of_writing_is_found(text: str) -> None:
    assert writes(parse(text)) != []


@pytest.mark.parametrize(
    "text", ["from games.services import tables\ntables.delete(table=t)", "seen.update(x=1)", "cache.delete('k')"]
)
def test_what_writes_no_row_is_allowed(text: str) -> None:
    assert writes(parse(text)) == []


def test_transactions_are_opened_by_writing_alone() -> None:
    # The store sets a savepoint inside writing(), so that a lost race on UNIQUE(game, seq) does not abort the
    # transaction.
    exempt = {"tock_league.common.transactions", "games.store"}
    opened = [
        f"{module.at(node)} uses {dotted(node)}"
        for module in modules()
        if module.name not in exempt
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and dotted(node) in {"transaction.atomic", "transaction.set_autocommit"}
    ]
    opened += [
        f"{module.at(node)} imports {name}"
        for module in modules()
        for node, name in imports(module)
        if name == "django.db.transaction.atomic"
    ]
    assert opened == []


def test_html_is_written_by_hand_in_few_places() -> None:
    """`mark_safe` trusts its argument; each of these uses writes our own numbers and texts, escaped where necessary."""
    trusted = {
        "games.templatetags.board",
        "games.templatetags.look",
        "games.templatetags.pictures",
        "games.templatetags.tractor",
        "tock_league.pages.finding",
        "tock_league.pages.markdown",
    }
    makers = ("mark_safe", "SafeString", "SafeText")
    used = {module.name for module in modules() for _, name in calls(module) if name.rsplit(".", 1)[-1] in makers}
    assert used <= trusted


def test_no_full_position_leaves_through_a_door() -> None:
    """A seat's view is built from an allow-list; a view or consumer that can reach a position could send it by
    mistake."""
    doors = [module for module in modules() if is_door(module) and "selectors" not in module.parts]
    reached = [
        f"{module.at(node)} imports {name}"
        for module in doors
        for node, name in imports(module)
        if name.startswith("games.engine") and ".position" in name
    ]
    reached += [
        f"{module.at(call)} calls {name}"
        for module in doors
        for call, name in calls(module)
        if name.endswith("to_json") and any("position" in dotted(argument) for argument in call.args)
    ]
    assert reached == []
