"""What is kept of a file: what the pages show. Rosters, reasons, versions, rulings and records of people elsewhere are not.

The names of players are personal information of people who know nothing of this site; those of teams are public results.
"""

from typing import Any

from .checking import Results

Json = dict[str, Any]
EVENT = ("id", "kind", "club", "season", "division", "lots_seed", "regulations")
ENTRY = ("id", "name", "club", "seed", "state", "final_rank")


def of(data: Json, found: Results) -> Json:
    """Return the part of a checked file that is kept, as JSON. `found`: the result of each match."""
    return {
        "event": {key: data["event"][key] for key in EVENT},
        "entries": [{key: entry[key] for key in ENTRY} for entry in data["entries"]],
        "stages": [
            {"format": stage["format"], "groups": [_group(group, found) for group in stage["groups"]]}
            for stage in data["stages"]
        ],
    }


def _group(group: Json, found: Results) -> Json:
    return {
        "name": group["name"],
        "standings": group["table"]["standings"] if group["table"] is not None else None,
        "rounds": [
            {
                "number": row["number"],
                "without_match": row["without_match"],
                "matches": [_match(match, found) for match in row["matches"]],
            }
            for row in group["rounds"]
        ],
    }


def _match(match: Json, found: Results) -> Json:
    made = found[match["id"]]
    return {
        "label": match["label"],
        "starts_at": match["starts_at"],
        "sides": match["sides"],
        "score": list(made.shown) if made.state == "decided" else None,
        "winner": made.winner,
        "fact": made.fact,
        "cause": made.cause,
        "ruled": made.ruled,
    }
