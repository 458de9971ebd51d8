"""Criteria that order entries, one function each. Supported criteria:

| key | what is counted | more is better |
| --- | --- | --- |
| points | match points | yes |
| head_to_head | points of the tied entries' mutual matches, k-way | decided by its own rule |
| margin | marbles home (in Tractor: levels climbed) for minus against, each match capped | yes |
| scored | under a time cap: the scores of all matches | yes |
| wins, played_wins | rounds won, with or without those not played | yes |
| sonneborn_berger | share of the points taken from each opponent times that opponent's adjusted score | yes |
| koya | points taken from entries that have at least half of what they could have | yes |
| progressive | the sum of the running totals: early points count more | yes |
| buchholz | the opponents' adjusted scores; for an unplayed round that of a dummy with the entry's final score | yes |
| buchholz_running | the same with the dummy that had the entry's score before that round and ties from then on | yes |
| buchholz_cut1 | buchholz without its lowest term, a voluntary absence before all others | yes |
| median | buchholz_cut1 without its highest remaining term | yes |
| penalties | penalty points of the rulings in force, shown as a negative number | no |
| lots | SHA-256 of the published seed and the entry's name | the smallest first |

A value comes with its terms and the matches they come from, so that a reader can check each number. Exact: half points
as whole numbers, quotients as fractions, never floats.
"""

from collections.abc import Callable, Mapping, Sequence

from .mutual import Parts, by_value, head_to_head
from .opponents import buchholz, buchholz_cut1, buchholz_running, koya, median, sonneborn_berger
from .own import lots, margin, match_points, mutual, penalties, played_wins, progressive, scored, wins
from .record import EntryRound, Explained, Record, Term, adjusted, record, score

__all__ = [
    "SUPPORTED",
    "EntryRound",
    "Explained",
    "Parts",
    "Record",
    "Term",
    "adjusted",
    "explain",
    "record",
    "score",
    "split",
]


Value = Callable[[int, Sequence[int], Record], Explained]
SUPPORTED: Mapping[str, Value] = {
    "points": match_points,
    "head_to_head": mutual,
    "margin": margin,
    "scored": scored,
    "wins": wins,
    "played_wins": played_wins,
    "sonneborn_berger": sonneborn_berger,
    "koya": koya,
    "progressive": progressive,
    "buchholz": buchholz,
    "buchholz_running": buchholz_running,
    "buchholz_cut1": buchholz_cut1,
    "median": median,
    "penalties": penalties,
    "lots": lots,
}


def explain(criterion: str, entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Return the value of `entry` under `criterion` among the entries `tied` with it. Raises ValueError if unknown."""
    if criterion not in SUPPORTED:
        raise ValueError(f"unknown tie-break {criterion!r}; known: {', '.join(sorted(SUPPORTED))}")
    return SUPPORTED[criterion](entry, tied, record)


def split(criterion: str, tied: tuple[int, ...], record: Record) -> Parts:
    """Return `tied` cut into parts, best first, each still tied under `criterion`; one part if it separates none."""
    if criterion == "head_to_head":
        return head_to_head(tied, record)
    values = {entry: explain(criterion, entry, tied, record).value for entry in tied}
    return by_value(values, tied)
