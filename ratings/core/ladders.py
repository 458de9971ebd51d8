"""Ladders: the list a rating belongs to, rule-set family x number of teams, written `shawinigan:2`."""

from typing import NamedTuple


class LadderKey(NamedTuple):
    """`family`: the rule set's name without its edition; `teams`: how many teams play against each other."""

    family: str
    teams: int

    def __str__(self) -> str:
        return f"{self.family}:{self.teams}"


def ladder_of(rules: str, teams: int) -> LadderKey:
    """Return the ladder of a game played under the rule set `rules` (such as `shawinigan/1`) by `teams` teams.

    The edition does not count: a new edition of the same rules goes on with the same ratings.
    Raises ValueError when the id is not `family/edition` or fewer than two teams play.
    """
    family, slash, edition = rules.partition("/")
    if not family or not slash or not edition.isdigit():
        raise ValueError(f"rules: {rules!r} is not a rule set's id such as 'shawinigan/1'")
    if teams < 2:
        raise ValueError(f"teams: {teams} teams cannot play a rated game, at least 2 are needed")
    return LadderKey(family, teams)


def parse(key: str) -> LadderKey:
    """Return the ladder written as `key`; ValueError when it is not of the form `shawinigan:2`."""
    family, colon, teams = key.partition(":")
    if not family or not colon or not teams.isdigit() or int(teams) < 2:
        raise ValueError(f"ladder: {key!r} is not a ladder's key such as 'shawinigan:2'")
    return LadderKey(family, int(teams))
