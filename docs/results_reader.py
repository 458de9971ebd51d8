"""Recompute the standings of an event from its file in the open results format: docs/results-format.md.

`python3 results_reader.py event.json` compares tables, brackets and final ranks with the file, and returns 1 where they
differ. It shares no code with the site.
"""

import hashlib
import json
import sys
from fractions import Fraction

WORTH = {"win": Fraction(1), "tie": Fraction(1, 2), "loss": Fraction(0)}  # what a round is worth to the tie-breaks
AT_TABLE, LEFT = {"played", "adjudicated", "forfeit"}, {"no_show", "walkover", "withdrawal", "disqualification"}
BYES = {"pairing_bye": "win", "requested_bye": "tie", "absence": "loss"}
OPPONENTS, ABSENT = ("buchholz", "buchholz_running", "buchholz_cut1", "median"), {"withdrawn": 1, "disqualified": 2}


class Table:
    """One group: its results, and everything the criteria ask of them."""

    def __init__(self, event, entries, group):
        given, body = group["table"], event["regulations"]["body"]
        self.rule, self.seed, self.taken = body["points"], event["lots_seed"], given["points_taken"]
        self.cap = float("inf") if body["margin_cap"] is None else body["margin_cap"]
        self.absent, self.settled = body.get("cap", {}).get("absent"), [row["entry"] for row in given["settled"]]
        self.away = {one: ABSENT[entries[one]["state"]] for one in given["members"] if entries[one]["state"] in ABSENT}
        results = list(self._results(group, set(given["members"])))
        met = {side["entry"] for _number, fact, sides in results if fact not in BYES for side in sides}
        # Whoever has left without a result that counts is not in the table.
        self.rounds = {entry: [] for entry in given["members"] if entry not in self.away or entry in met}
        for number, fact, sides in results:
            for side in [side for side in sides if side["entry"] in self.rounds]:
                self.rounds[side["entry"]].append(self._round(number, fact, side, sides))
        self.last = max((one["round"] for played in self.rounds.values() for one in played), default=0)
        self.upper = [one for one, played in self.rounds.items() if 2 * self.score(one) >= len(played) > 0]
        self.criteria = ["present", "points", *(body["tiebreaks"] if any(self.rounds.values()) else []), "settled"]

    def _results(self, group, members):
        """Yield (round, fact, sides) for every match that counts and every bye, in the order of the rounds."""
        for row in group["rounds"]:
            for match in row["matches"]:
                result = match["result"]
                if result is not None and result["counts"] and result["fact"] != "void":
                    sides = zip(match["sides"], result["sides"], strict=True)
                    sides = [{"entry": entry, **side} for entry, side in sides if entry]
                    if members.issuperset(side["entry"] for side in sides):
                        yield row["number"], result["fact"], sides
            for bye in row["without_match"]:
                if bye["kind"] in BYES:
                    yield row["number"], bye["kind"], [{"entry": bye["entry"], "outcome": BYES[bye["kind"]]}]

    def _round(self, number, fact, side, sides):
        outcome, rule, both = side["outcome"], self.rule, fact == "double_forfeit"
        close = rule.get(f"close_{outcome}") if all(one.get("games") for one in sides) else None  # both have won a game
        points = rule[outcome] if close is None else close
        margin, scored = side.get("margin", 0) * (fact in AT_TABLE), side.get("scored", 0)
        points = rule["forfeit_win" if outcome == "win" else "forfeit_loss"] if fact in LEFT or both else points
        if self.absent and (fact in LEFT or both or fact == "pairing_bye"):  # scores of a match that nobody played
            scored, other = self.absent[outcome != "win"], self.absent[outcome == "win" or both]
            margin = scored - other
        return {
            "round": number, "opponent": next((one["entry"] for one in sides if one is not side), None),
            "outcome": outcome, "s": WORTH[outcome], "points": rule["bye"] if fact == "pairing_bye" else points,
            "own_fault": fact in ("double_forfeit", "requested_bye", "absence") or (fact in LEFT and outcome == "loss"),
            "at_table": fact in AT_TABLE, "scored": scored, "margin": max(-self.cap, min(self.cap, margin)),
        }  # fmt: skip

    def score(self, entry, own_fault=None):
        """Return the score; opponents count a round missed by the entry's own fault as half a point."""
        return sum(own_fault if own_fault and one["own_fault"] else one["s"] for one in self.rounds[entry])

    def _against(self, entry, one):
        return self.score(one["opponent"], WORTH["tie"]) if one["at_table"] else self.score(entry)

    def value(self, criterion, entry):
        """Return the entry's value under a criterion; more is better."""
        rounds, taken = self.rounds[entry], self.taken.get(entry, 0)
        return {
            "present": lambda: -self.away.get(entry, 0), "penalties": lambda: -max(0, taken),
            "points": lambda: sum(one["points"] for one in rounds) - taken,
            "margin": lambda: sum(one["margin"] for one in rounds), "scored": lambda: sum(one["scored"] for one in rounds),
            "wins": lambda: sum(one["outcome"] == "win" for one in rounds),
            "played_wins": lambda: sum(one["outcome"] == "win" and one["at_table"] for one in rounds),
            "progressive": lambda: sum(one["s"] * (self.last - one["round"] + 1) for one in rounds),
            "lots": lambda: -int(hashlib.sha256(f"{self.seed}:{entry}".encode()).hexdigest(), 16),
            "koya": lambda: sum(one["s"] for one in rounds if one["opponent"] in self.upper),
            "sonneborn_berger": lambda: sum(one["s"] * self._against(entry, one) for one in rounds),
            "settled": lambda: -self.settled.index(entry),
            **dict.fromkeys(OPPONENTS, lambda: self._buchholz(criterion, entry)),
        }[criterion]()  # fmt: skip

    def _buchholz(self, criterion, entry):
        terms, so_far = [], Fraction(0)
        for one in self.rounds[entry]:
            dummy = so_far + (1 - one["s"]) + Fraction(self.last - one["round"], 2)
            running = criterion == "buchholz_running" and not one["at_table"]
            terms.append((not one["own_fault"], dummy if running else self._against(entry, one)))
            so_far += one["s"]
        # A round missed by the own fault is cut first, then the weakest.
        values = sorted(value for _kept, value in sorted(terms)[criterion in ("buchholz_cut1", "median") :])
        return sum(values[:-1] if criterion == "median" else values)

    def split(self, criterion, tied):
        """Return `tied` cut into parts, best first; equals together, in the given order."""
        if len(tied) < 2 or (criterion == "settled" and not set(tied) <= set(self.settled)):
            return [tied]
        if criterion == "head_to_head":
            return self._head_to_head(tied)
        values = {entry: self.value(criterion, entry) for entry in tied}
        return [[one for one in tied if values[one] == level] for level in sorted(set(values.values()), reverse=True)]

    def _head_to_head(self, tied):
        took = {one: sum(2 * r["s"] for r in self.rounds[one] if r["opponent"] in tied) for one in tied}
        met = {(x, y): sum(r["opponent"] == y for r in self.rounds[x]) for x in tied for y in tied if x != y}
        if (most := max(met.values())) and min(met.values()) == most:
            parts = [[one for one in tied if took[one] == level] for level in sorted(set(took.values()), reverse=True)]
            return parts if len(parts) == 1 else [one for part in parts for one in self.split("head_to_head", part)]
        for x in tied if most else ():
            if all(took[x] > took[y] + sum(2 * (most - met[y, z]) for z in tied if z != y) for y in tied if y != x):
                return [[x], *self.split("head_to_head", [y for y in tied if y != x])]
        return [tied]

    def standings(self):
        """Return (entry, rank, points) for each row, best first."""
        parts, rows = [list(self.rounds)], []
        for criterion in self.criteria:
            parts = [piece for part in parts for piece in self.split(criterion, part)]
        for part in parts:
            rows += [(entry, len(rows) + 1, self.value("points", entry)) for entry in part]
        return rows


def sent_on(match, outcome, only=None):
    """Return the "winner" or "loser" that a match sends on, None for nobody; a ruling may leave later rounds alone."""
    outcomes = [side["outcome"] for side in match["result"]["sides"]] if match["result"] else []
    winner = outcomes.index("win") if "win" in outcomes and match["result"]["counts"] else None
    if any(effect["keeps_place"] for effect in match["effects"]):
        winner = match["advances"]
    place = winner if winner is None or outcome == "winner" else 1 - winner
    return match["sides"][place] if place is not None and only in (None, place) else None


def seats(match, matches, tables, away):
    """Yield who sits in a bracket's match: a beginner, a place of a group, the winner or loser of a match."""
    for told, source in zip(match["sides"], match["sources"], strict=True):
        group = [row[0] for row in tables.get((source.get("stage"), source.get("group")), [])]
        if "match" in source:
            yield sent_on(matches[source["match"]], source["outcome"], source.get("only"))
        elif group and told is not None and not away.intersection(group):  # leavers may have gone on before they left
            yield group[source["rank"] - 1]
        else:
            yield source.get("entry", told)


def ranks(rounds, tables):
    """Return the final ranks: in a bracket by the last match, of the others by their place in the groups."""
    found, matches = {}, [match for row in rounds for match in row["matches"]]
    losers = {way["match"]: match for match in matches for way in match["sources"] if way.get("outcome") == "loser"}
    for match in matches:
        last, winner = match, sent_on(match, "winner")
        while winner is None and last["id"] in losers:  # where a loser would end who lost every further match
            last = losers[last["id"]]
        found |= {one: last["ranks"][one != winner] for one in match["sides"] if one}
    counted = len(found) > 8 and any(match["label"] == "back_draw" for match in matches)
    sure, given = 2 ** ((len(found) - 1).bit_length() - 2) if counted else len(found), sorted(found.values())
    found = {one: given.index(rank) + 1 if rank > sure else rank for one, rank in found.items()}
    left = [(rank, entry) for rows in tables.values() for entry, rank, _points in rows if entry not in found]
    return found | {one: len(found) + 1 + sum(better < rank for better, _one in left) for rank, one in left}


def comparisons(data):
    """Yield (title, recomputed rows, rows of the file): tables, the seats of brackets, the ranks of a tournament."""
    if data["format"] != "tock-results/1":
        raise SystemExit("not a file of tock-results/1")
    entries, tables, last = {entry["id"]: entry for entry in data["entries"]}, {}, []
    away = {key for key, entry in entries.items() if entry["state"] in ABSENT}
    for stage in data["stages"]:
        for group in stage["groups"]:
            title, last, given = f"Stage {stage['number']} {group['name']}", group["rounds"], group["table"]
            matches = {match["id"]: match for row in last for match in row["matches"]}
            if given is not None:
                tables[stage["number"], group["number"]] = made = Table(data["event"], entries, group).standings()
                yield title, made, [(row["entry"], row["rank"], Fraction(row["points"])) for row in given["standings"]]
            elif matches and all(match["sources"] for match in matches.values()):
                made = [(key, 0, list(seats(match, matches, tables, away))) for key, match in matches.items()]
                yield title, made, [(key, 0, match["sides"]) for key, match in matches.items()]
    if ranked := sorted((key, entry["final_rank"], "") for key, entry in entries.items() if entry["final_rank"]):
        places = ranks([] if given is not None else last, tables).items()
        made = sorted((key, rank, "") for key, rank in places if entries[key]["state"] != "disqualified")
        yield "Ranks", made, ranked


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        read = json.load(file)
    names, found = {entry["id"]: entry["name"] for entry in read["entries"]}, list(comparisons(read))
    for title, rows, told in found:
        print(f"{title}: {'as in the file' if rows == told else 'NOT as in the file'}")
        print(*(f"{rank:4} {names.get(key, key)} {value}" for key, rank, value in rows), sep="\n")
    sys.exit(any(rows != told for _title, rows, told in found))
