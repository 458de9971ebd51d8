from .competition import Competition, Regulations
from .entry import Entry, RosterSpot
from .match import Match, MatchGame, Side
from .result import ResultLine, ResultVersion
from .season import Division, Season
from .stage import Group, Round, Stage

__all__ = [
    "Competition",
    "Division",
    "Entry",
    "Group",
    "Match",
    "MatchGame",
    "Regulations",
    "ResultLine",
    "ResultVersion",
    "RosterSpot",
    "Round",
    "Season",
    "Side",
    "Stage",
]
