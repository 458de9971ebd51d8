from .appeal import Appeal, PanelSeat, Vote
from .case import Case, CaseCounter, CaseEvent, Deadline, Evidence
from .draft import Draft
from .referee import FamilyTie, Lease, Recusal
from .ruling import Effect, Ruling

__all__ = [
    "Appeal",
    "Case",
    "CaseCounter",
    "CaseEvent",
    "Deadline",
    "Draft",
    "Effect",
    "Evidence",
    "FamilyTie",
    "Lease",
    "PanelSeat",
    "Recusal",
    "Ruling",
    "Vote",
]
