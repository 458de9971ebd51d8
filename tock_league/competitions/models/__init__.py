from .competition import Competition, Regulations
from .correction import Correction
from .draw_by_hand import FormerSeed, PairingWish
from .effect import EffectLift, ResultEffect
from .entry import CheckIn, Entry, RosterSpot
from .late import LateEntry
from .match import Match, MatchGame, Side
from .pairing import Meeting, PairingRun
from .partner import PartnerAnswer, PartnerSearch
from .place import PlaceProposal
from .progression import BracketEdge, StageInput, StandingOverride
from .result import ResultLine, ResultSignature, ResultVersion
from .role import CompetitionRole
from .season import Division, Season
from .stage import Group, Round, Stage
from .table import HallTable
from .talk import TalkLine, TalkMute, TalkReport
from .version import CompetitionVersion

__all__ = [
    "BracketEdge",
    "CheckIn",
    "Competition",
    "CompetitionRole",
    "CompetitionVersion",
    "Correction",
    "Division",
    "EffectLift",
    "Entry",
    "FormerSeed",
    "Group",
    "HallTable",
    "LateEntry",
    "Match",
    "MatchGame",
    "Meeting",
    "PairingRun",
    "PairingWish",
    "PartnerAnswer",
    "PartnerSearch",
    "PlaceProposal",
    "Regulations",
    "ResultEffect",
    "ResultLine",
    "ResultSignature",
    "ResultVersion",
    "RosterSpot",
    "Round",
    "Season",
    "Side",
    "Stage",
    "StageInput",
    "StandingOverride",
    "TalkLine",
    "TalkMute",
    "TalkReport",
]
