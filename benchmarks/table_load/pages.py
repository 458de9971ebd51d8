"""The pages whose cost is measured: `python -m benchmarks.table_load pages` prints name and address of each as JSON."""

import json

from benchmarks.page_load.addresses import pages

KINDS = (
    "pages:home",
    "pages:tonight",
    "pages:club",
    "pages:player",
    "pages:rules",
    "clubs:list",
    "competitions:list",
    "competitions:competition (league",
    "competitions:competition (tournament, knockout",
    "competitions:matches (league",
    "competitions:match",
    "ratings:leaderboards",
    "ratings:ladder",
    "arbitration:book",
    "games:table",
    "games:replay",
    "games:practice",
)


def main() -> None:
    """Print one address of each kind; that of a match is asked for by its whole name."""
    found: dict[str, str] = {}
    for name, path in pages():
        kind = next((kind for kind in KINDS if name == kind or ("(" in kind and name.startswith(kind))), None)
        if kind is not None:
            found.setdefault(name, path)
    print(json.dumps(sorted(found.items())))
