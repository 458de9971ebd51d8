"""Which modules import each other in a circle."""

from collections.abc import Callable, Iterable, Mapping

from .source import Module, imports


def cycles(modules: Iterable[Module]) -> list[list[str]]:
    """Return the names of the modules of each circle, sorted.

    All imports count: at the top of a file, inside a function, and for type checkers only (`TYPE_CHECKING`).
    """
    graph = _graph(list(modules))
    order: list[str] = []
    _walk(graph, graph, order.append)
    backwards: dict[str, list[str]] = {name: [] for name in graph}
    for name, targets in graph.items():
        for target in targets:
            backwards[target].append(name)
    circles: list[list[str]] = []
    seen: set[str] = set()
    for name in reversed(order):  # Kosaraju's algorithm: in reverse order of finishing, each walk stays in one circle
        if name not in seen:
            circle: list[str] = []
            _walk(backwards, [name], circle.append, seen)
            circles.append(sorted(circle))
    return sorted(circle for circle in circles if len(circle) > 1)


def _graph(modules: list[Module]) -> dict[str, list[str]]:
    """Return what each module imports, of these modules. `from a import b` imports the module `a.b` where there is one."""
    known = {module.name for module in modules}
    graph: dict[str, list[str]] = {}
    for module in modules:
        named = (name if name in known else name.rpartition(".")[0] for _node, name in imports(module))
        graph[module.name] = sorted({name for name in named if name in known and name != module.name})
    return graph


def _walk(
    graph: Mapping[str, Iterable[str]],
    begin: Iterable[str],
    finished: Callable[[str], None],
    seen: set[str] | None = None,
) -> None:
    """Visit what can be reached from `begin`, depth first, and call `finished` with each name once it is done."""
    seen = set() if seen is None else seen
    for first in begin:
        if first in seen:
            continue
        seen.add(first)
        path = [(first, iter(graph[first]))]
        while path:
            name, targets = path[-1]
            onward = next((target for target in targets if target not in seen), None)
            if onward is None:
                finished(name)
                path.pop()
            else:
                seen.add(onward)
                path.append((onward, iter(graph[onward])))
