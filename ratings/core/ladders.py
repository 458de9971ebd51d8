"""Keys of ladders. A ladder is one list of ratings: rule-set family x number of teams, written `shawinigan:2`."""

from typing import NamedTuple


class LadderKey(NamedTuple):
    """The key of a ladder; its text is `shawinigan:2`."""

    family: str  # the rule set's name without its edition
    teams: int  # how many teams play against each other

    def __str__(self) -> str:
        return f"{self.family}:{self.teams}"


def ladder_of(rules: str, teams: int) -> LadderKey:
    """Return the ladder of a game played under the rule set `rules` (such as `shawinigan/1`) by `teams` teams.

    The edition is ignored: a new edition of a rule set continues with the same ratings.
    Raises ValueError when the id is not `family/edition` or fewer than two teams play.
    """
    family, slash, edition = rules.partition("/")
    if not family or not slash or not edition.isdigit():
        raise ValueError(f"rules: {rules!r} is not a rule set's id such as 'shawinigan/1'")
    if teams < 2:
        raise ValueError(f"teams: {teams} teams cannot play a rated game, at least 2 are needed")
    return LadderKey(family, teams)


def parse(key: str) -> LadderKey:
    """Parse a key such as `shawinigan:2`; raise ValueError if it has another form."""
    family, colon, teams = key.partition(":")
    if not family or not colon or not teams.isdigit() or int(teams) < 2:
        raise ValueError(f"ladder: {key!r} is not a ladder's key such as 'shawinigan:2'")
    return LadderKey(family, int(teams))
