"""Recompute the standings of an event from its file in the open results format: docs/results-format.md.

    python3 results_reader.py event.json

prints every table, compares each with the one in the file, and returns 1 where they differ. It needs nothing but
Python 3.11 and shares no code with the site.
"""

import hashlib
import json
import sys
from fractions import Fraction

HALF = {"win": 2, "tie": 1, "loss": 0}  # what a round is worth to the tie-breaks, in half points
AT_TABLE = {"played", "adjudicated", "forfeit"}
LEFT = {"no_show", "walkover", "withdrawal", "disqualification"}
BYES = {"pairing_bye": "win", "requested_bye": "tie", "absence": "loss"}
ABSENT = {"withdrawn": 1, "disqualified": 2}


class Table:
    """One group: its results, and everything the criteria ask of them."""

    def __init__(self, event, entries, group):
        given, body = group["table"], event["regulations"]["body"]
        self.rule, self.cap, self.seed = body["points"], body["margin_cap"], event["lots_seed"]
        self.taken, members = given["points_taken"], set(given["members"])
        away = {entry: ABSENT[entries[entry]["state"]] for entry in members if entries[entry]["state"] in ABSENT}
        matches = list(self._matches(group, members))
        met = {side["entry"] for match in matches for side in match["sides"]}
        # Whoever has left without a result that counts is not in the table.
        self.rounds = {entry: [] for entry in given["members"] if entry not in away or entry in met}
        self.away = {entry: way for entry, way in away.items() if entry in self.rounds}
        byes = [bye for bye in self._byes(group) if bye["sides"][0]["entry"] in self.rounds]
        for match in matches + byes:
            for side in match["sides"]:
                others = [other for other in match["sides"] if other is not side]
                self.rounds[side["entry"]].append(self._round(match, side, others))
        for played in self.rounds.values():
            played.sort(key=lambda one: one["round"])
        self.last = max((one["round"] for played in self.rounds.values() for one in played), default=0)
        self.settled = [row["entry"] for row in given["settled"]]
        self.criteria = ["points", *body["tiebreaks"]] if matches or byes else ["points"]

    @staticmethod
    def _matches(group, members):
        for row in group["rounds"]:
            for match in row["matches"]:
                result = match["result"]
                if result is None or not result["counts"] or result["fact"] == "void":
                    continue
                both = zip(match["sides"], result["sides"], strict=True)
                sides = [{"entry": entry, **side} for entry, side in both if entry]
                if all(side["entry"] in members for side in sides):
                    yield {"round": row["number"], "fact": result["fact"], "sides": sides}

    @staticmethod
    def _byes(group):
        for row in group["rounds"]:
            for bye in row["without_match"]:
                if bye["kind"] in BYES:
                    side = {"entry": bye["entry"], "outcome": BYES[bye["kind"]], "games": 0, "margin": 0}
                    yield {"round": row["number"], "fact": bye["kind"], "sides": [side]}

    def _round(self, match, side, others):
        fact, outcome, at_table = match["fact"], side["outcome"], match["fact"] in AT_TABLE
        own_fault = fact in ("double_forfeit", "requested_bye", "absence") or (fact in LEFT and outcome == "loss")
        return {
            "round": match["round"], "opponent": others[0]["entry"] if others else None, "outcome": outcome,
            "half": HALF[outcome], "points": self._points(match, side), "at_table": at_table, "own_fault": own_fault,
            "margin": side["margin"] if at_table else 0,
        }  # fmt: skip

    def _points(self, match, side):
        rule, fact, won = self.rule, match["fact"], side["outcome"] == "win"
        if fact in LEFT or fact == "double_forfeit":
            return rule["forfeit_win"] if won else rule["forfeit_loss"]
        if fact == "pairing_bye":
            return rule["bye"]
        if side["outcome"] == "tie":
            return rule["tie"]
        name = "win" if won else "loss"
        close = len(match["sides"]) > 1 and all(one["games"] > 0 for one in match["sides"])
        return rule[f"close_{name}"] if close and rule[f"close_{name}"] is not None else rule[name]

    def score(self, entry):
        return Fraction(sum(one["half"] for one in self.rounds[entry]), 2)

    def strength(self, entry):
        """The score as opponents count it: a round missed by the entry's own fault is worth half a point."""
        return Fraction(sum(1 if one["own_fault"] else one["half"] for one in self.rounds[entry]), 2)

    def value(self, criterion, entry):
        """Return the entry's value under a criterion; more is better."""
        rounds = self.rounds[entry]
        if criterion == "points":
            return sum(one["points"] for one in rounds) - self.taken.get(entry, 0)
        if criterion == "margin":
            cap = self.cap
            return sum(one["margin"] if cap is None else max(-cap, min(cap, one["margin"])) for one in rounds)
        if criterion in ("wins", "played_wins"):
            return sum(one["outcome"] == "win" and (one["at_table"] or criterion == "wins") for one in rounds)
        if criterion == "progressive":
            return sum(Fraction(one["half"], 2) * (self.last - one["round"] + 1) for one in rounds)
        if criterion == "penalties":
            return -max(0, self.taken.get(entry, 0))
        if criterion == "lots":
            return -int(hashlib.sha256(f"{self.seed}:{entry}".encode()).hexdigest(), 16)
        if criterion == "koya":
            upper = {one for one, played in self.rounds.items() if played and 2 * self.score(one) >= len(played)}
            return sum(Fraction(one["half"], 2) for one in rounds if one["opponent"] in upper)
        if criterion == "sonneborn_berger":
            return sum(Fraction(one["half"], 2) * self._against(entry, one) for one in rounds)
        if criterion in ("buchholz", "buchholz_running", "buchholz_cut1", "median"):
            return self._buchholz(criterion, entry)
        raise SystemExit(f"unknown criterion {criterion}")

    def _against(self, entry, one):
        return self.strength(one["opponent"]) if one["at_table"] else self.score(entry)

    def _buchholz(self, criterion, entry):
        terms, so_far = [], Fraction(0)
        for one in self.rounds[entry]:
            dummy = so_far + (1 - Fraction(one["half"], 2)) + Fraction(self.last - one["round"], 2)
            value = dummy if criterion == "buchholz_running" and not one["at_table"] else self._against(entry, one)
            terms.append((not one["own_fault"], value))
            so_far += Fraction(one["half"], 2)
        if criterion in ("buchholz_cut1", "median") and terms:
            terms.remove(min(terms))  # a round missed by the own fault first, then the weakest
        if criterion == "median" and terms:
            terms.remove(max(terms, key=lambda term: term[1]))
        return sum(value for _kept, value in terms)

    def split(self, criterion, tied):
        """Return `tied` cut into parts, best first."""
        if criterion == "head_to_head":
            return self._head_to_head(tied)
        if criterion == "present":
            return levels(tied, {entry: -self.away.get(entry, 0) for entry in tied})
        if criterion == "settled" and not set(tied) <= set(self.settled):
            return [tied]
        if criterion == "settled":
            return levels(tied, {entry: -self.settled.index(entry) for entry in tied})
        return levels(tied, {entry: self.value(criterion, entry) for entry in tied})

    def _head_to_head(self, tied):
        if len(tied) < 2:
            return [tied]
        took = {one: sum(r["half"] for r in self.rounds[one] if r["opponent"] in tied) for one in tied}
        met = {(x, y): sum(r["opponent"] == y for r in self.rounds[x]) for x in tied for y in tied if x != y}
        most = max(met.values())
        if most and min(met.values()) == most:
            parts = levels(tied, took)
            return parts if len(parts) == 1 else [piece for part in parts for piece in self._head_to_head(part)]
        for x in tied if most else ():
            others = [y for y in tied if y != x]
            could = {y: sum(2 * (most - met[y, z]) for z in tied if z != y) for y in others}
            if all(took[x] > took[y] + could[y] for y in others):
                return [[x], *self._head_to_head(others)]
        return [tied]

    def standings(self):
        """Return (entry, rank, points) for each row, best first."""
        parts = [list(self.rounds)]
        for criterion in ["present"] * bool(self.away) + self.criteria + ["settled"] * bool(self.settled):
            parts = [piece for part in parts for piece in (self.split(criterion, part) if len(part) > 1 else [part])]
        rows = []
        for part in parts:
            rows += [(entry, len(rows) + 1, self.value("points", entry)) for entry in part]
        return rows


def levels(tied, values):
    """Return `tied` by value, the greatest first; equals together, in the given order."""
    return [[one for one in tied if values[one] == level] for level in sorted(set(values.values()), reverse=True)]


def tables(data):
    """Yield (stage, group, recomputed rows, rows of the file) for every table."""
    if data["format"] != "tock-results/1":
        raise SystemExit("not a file of tock-results/1")
    entries = {entry["id"]: entry for entry in data["entries"]}
    for stage in data["stages"]:
        for group in stage["groups"]:
            if group["table"] is not None:
                made = Table(data["event"], entries, group).standings()
                given = [(row["entry"], row["rank"], Fraction(row["points"])) for row in group["table"]["standings"]]
                yield stage["number"], group["name"], made, given


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        read = json.load(file)
    names = {entry["id"]: entry["name"] for entry in read["entries"]}
    found = list(tables(read))
    for number, group_name, rows, told in found:
        print(f"Stage {number} {group_name}: {'as in the file' if rows == told else 'NOT as in the file'}")
        for entry, rank, points in rows:
            print(f"{rank:4} {names[entry]} {points}")
    sys.exit(any(rows != told for _number, _name, rows, told in found))
