"""Arithmetic: from the cost of one to the needs of many. Nothing here is measured."""

from .costs import Costs

ASSUMED = {
    "seconds between two plays of a table": 6.0,
    "commands of a play, touches of card and marble included": 2.0,
    "sockets of a table": 6.0,
    "seconds between two heartbeats of a page": 5.0,
    "seconds between two pages that a person asks for": 300.0,
    "share of a core that may be busy": 0.6,
    "hours a day that the tables are played at": 4.0,
    "days of a month": 30.0,
    "bytes around a frame (TCP, IP, TLS, WebSocket)": 90.0,
    "connections of a web process": 24.0,
}


def arithmetic(costs: Costs, tables: int) -> dict[str, float]:
    """Return what so many tables need: rates, cores, processes, memory, connections, disk and network."""
    facts, assumed = costs.facts, ASSUMED
    by_name = {cost.what: cost for cost in costs.found}
    play, apart, beat = by_name["a play, 50/s"], by_name["a play, people at two processes"], by_name["a heartbeat"]
    # A touch is a command and a row, as a play is.
    plays = tables / assumed["seconds between two plays of a table"]
    plays *= assumed["commands of a play, touches of card and marble included"]
    sockets = tables * assumed["sockets of a table"]
    beats = sockets / assumed["seconds between two heartbeats of a page"]
    pages = sockets / assumed["seconds between two pages that a person asks for"]
    page_ms = sum(page.each("web") for page in costs.pages) / len(costs.pages)
    page_database = sum(page.each("postgresql") for page in costs.pages) / len(costs.pages)
    busy = assumed["share of a core that may be busy"]
    found = {"commands/s": plays, "sockets": sockets, "heartbeats/s": beats, "pages/s": pages}
    own = plays * play.each("web") / 1000 + beats * beat.each("web") / 1000 + pages * page_ms / 1000
    # Each further process where a table has people reads the rows that it has not written; every other one only hears of them.
    reading = max(0.0, apart.more["both"] - by_name["a play, 25/s"].each("web")) / 1000
    hearing = by_name["a play at a table of another process"].each("web") / 1000

    def processes(*, routed: bool) -> float:
        """Return how many processes share the work, each of them busy for `busy` of a core; inf: no number is enough."""
        count = max(1.0, own / busy)
        for _ in range(1000):
            there = 1.0 if routed else _occupied(count, assumed["sockets of a table"])
            needed = own + plays * (reading * (there - 1) + hearing * max(0.0, count - there))
            before, count = count, max(1.0, needed / busy)
            if count > 1000:
                return float("inf")
            if abs(count - before) < 0.001:
                break
        return count

    found["web processes, if hints cost nothing"] = max(1.0, own / busy)
    found["web processes, a table's people at one of them"] = count = processes(routed=True)
    found["web processes, people anywhere"] = processes(routed=False)
    database = plays * play.each("postgresql") + pages * page_database
    found["cores of PostgreSQL"] = database / 1000 / busy
    found["commits/s, at most"] = plays
    found["cores of Redis"] = plays * play.each("redis") / 1000 / busy
    found["memory of sockets, GB"] = sockets * facts["bytes of a socket"] / 1e9
    found["memory of web processes, GB"] = (
        found["memory of sockets, GB"] + count * facts["bytes resident, nobody"] / 1e9
    )
    found["connections, a table's people at one process"] = count * assumed["connections of a web process"]
    seconds = 3600 * assumed["hours a day that the tables are played at"]
    rows = plays * play.more["rows"] / play.count * seconds
    found["rows a month, millions"] = rows * assumed["days of a month"] / 1e6
    stored = facts["bytes of a row of games_gameevent"] + facts["bytes of its index entries, games_gameevent"]
    found["disk a month, GB"] = rows * assumed["days of a month"] * stored / 1e9
    found["WAL a day without page images, GB"] = plays * play.each("wal") * seconds / 1e9
    around = assumed["bytes around a frame (TCP, IP, TLS, WebSocket)"]
    out = plays * (facts["bytes out of a play"] + facts["frames out of a play"] * around)
    out += beats * (facts["bytes out of a heartbeat"] + around)
    found["network out of tables, Mbit/s"] = out * 8 / 1e6
    found["network out of pages, Mbit/s"] = (
        pages * sum(p.more["bytes"] for p in costs.pages) / len(costs.pages) * 8 / 1e6
    )
    return found


def _occupied(processes: float, sockets: float) -> float:
    """Return at how many of the processes a table has people, on the average, when each socket is at any of them."""
    return processes * (1 - (1 - 1 / processes) ** sockets)
