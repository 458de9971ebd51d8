"""The figures as tables: the measured value, the same of the bare echo, the ratio, the goal."""

from collections import Counter

from .run import Results

HEAD = "| what | measured | bare echo | ratio | goal | |\n| --- | --- | --- | --- | --- | --- |"


def line(what: str, measured: str, bare: str = "", ratio: str = "", goal: str = "", met: bool | None = None) -> str:
    """Return one row; `met` None: there is no goal."""
    verdict = "" if met is None else "met" if met else "MISSED"
    return f"| {what} | {measured} | {bare} | {ratio} | {goal} | {verdict} |"


def table(found: Results) -> tuple[str, bool]:
    """Return the rows of one database and whether all goals are met."""
    loads, bare = found.loads, found.bare
    times = 6 if found.name == "sqlite" else 10
    rows: list[tuple[str, bool | None]] = []

    def add(*cells: str, met: bool | None = None) -> None:
        rows.append((line(*cells, met=met), met))

    cost = loads["100/s"].cost / bare["100/s"].cost
    add(
        "CPU of a play with 6 screens, 100/s over 50 tables",
        ms(loads["100/s"].cost),
        ms(bare["100/s"].cost),
        f"{cost:.1f}",
        f"at most {times}",
        met=cost <= times,
    )
    for name, what in (("50/s", "50/s over 50 tables"), ("10 tables", "10 always under way at 10 tables")):
        here, there = loads[name].cost, bare[name].cost
        add(f"  the same, {what}", ms(here), ms(there), f"{here / there:.1f}")
    if found.database_cost:
        add("  PostgreSQL's own CPU of a play", ms(found.database_cost))
    rate = loads["saturated"].rate / bare["saturated"].rate
    add("plays/s of one process, 50 tables", f"{loads['saturated'].rate:.0f}", f"{bare['saturated'].rate:.0f}",
        f"{rate:.2f}", "at least 0.5", met=rate >= 0.5)  # fmt: skip
    for asked, limits in ((50, None), (100, (15, 60))):
        name = f"{asked}/s"
        for share, word, limit in ((0.5, "p50", limits and limits[0]), (0.99, "p99", limits and limits[1])):
            here, there = loads[name].percentile(share), bare[name].percentile(share)
            goal = f"at most {limit} ms" if limit else ""
            met = here <= limit if limit else None
            add(
                f"{word} of a play at {asked}/s over 50 tables",
                ms(here),
                ms(there),
                f"{here / there:.1f}",
                goal,
                met=met,
            )
        add(f"  done at {asked}/s", f"{loads[name].rate:.0f}/s, {loads[name].unanswered} not in time")
    back = found.reconnect
    add("300 sockets reconnect at once", f"{back['real']:.2f} s", f"{back['bare']:.2f} s",
        f"{back['real'] / back['bare']:.1f}", "at most 5 s", met=back["real"] <= 5)  # fmt: skip
    held = found.memory["socket"] / 1000
    add(f"memory of a socket, {found.memory['sockets']:.0f} more", f"{held:.1f} kB", goal := "", "", "at most 40 kB",
        met=held <= 40)  # fmt: skip
    for first, second, what in (
        ("row 10", "row 600", "row 600 over row 10"),
        ("10 tables", "all tables", "all tables over 10"),
    ):
        ratio = loads[second].cost / loads[first].cost
        add(f"cost of a play, {what}", f"{ms(loads[second].cost)} over {ms(loads[first].cost)}", goal, f"{ratio:.2f}",
            "at most 1.5", met=ratio <= 1.5)  # fmt: skip
    counted = found.statements
    add("statements a play", f"{counted['statements']:.1f}", "", "", "at most 4", met=counted["statements"] <= 4.05)
    add("  transaction control, PRAGMAs", f"{counted['control']:.1f}")
    for name, spent in found.idle.items():
        add(f"CPU while nobody plays, {name}", f"{spent:.0f} ms/s")
    add("resident memory, threads", f"{found.memory['resident'] / 1e6:.0f} MB, {found.memory['threads']:.0f}")
    sizes = ", ".join(f"{kind} {size}" for kind, size in found.sizes.items())
    add("bytes of a frame", sizes)
    if found.refused:
        add("refused or closed", ", ".join(f"{count} {why}" for why, count in sorted(found.refused.items())))
    return "\n".join(["", f"### {found.name}", "", HEAD, *(row for row, _ in rows)]), all(
        met is not False for _, met in rows
    )


def ms(value: float) -> str:
    """Return milliseconds as text."""
    if value == float("inf"):
        return "no answer"
    return f"{value:.2f} ms" if value < 10 else f"{value:,.0f} ms"


def statements(found: Results) -> str:
    """Return the statements of a play, most frequent first."""
    told = found.statements["texts"]
    lines = [f"{number:6.2f}  {text[:150]}" for number, text in told if number >= 0.1]
    lines.append(f"{sum(number for number, _ in told if number < 0.1):6.2f}  others")
    return "\n".join([f"\n#### Statements a play, {found.name}\n", *lines])


def profile(found: Results, most: int = 10) -> str:
    """Return the functions that take the most CPU time themselves, by thread."""
    own: Counter[tuple[str, str]] = Counter()
    calls: Counter[tuple[str, str]] = Counter()
    for thread, name, kind, count in found.profile:
        (own if kind == "us" else calls)[thread, name] += count
    plays, whole = max(1, found.profiled_plays), sum(own.values())
    packages: Counter[str] = Counter()
    for (_, name), spent in own.items():
        packages["/".join(name.split("/")[:2]) if "/" in name else "built-in"] += spent
    threads: Counter[str] = Counter()
    for (thread, _), spent in own.items():
        threads[thread] += spent
    lines = [
        f"\n#### CPU by function, {found.name}: {found.profiled_plays} plays under cProfile, "
        + ", ".join(f"{thread} {spent / whole:.0%}" for thread, spent in threads.most_common(4)),
        "by package: " + ", ".join(f"{name} {spent / whole:.0%}" for name, spent in packages.most_common(12)),
        "\n| thread | function | calls a play | own µs a play | share |\n| --- | --- | --- | --- | --- |",
    ]
    for (thread, name), spent in own.most_common(most):
        share = f"{spent / whole:.1%}"
        lines.append(f"| {thread} | {name} | {calls[thread, name] / plays:.1f} | {spent / plays:.0f} | {share} |")
    return "\n".join(lines)
