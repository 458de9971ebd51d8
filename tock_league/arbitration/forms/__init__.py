"""Forms of the case pages. They check what was typed; services decide and write."""

from .decision import DecisionForm
from .judges import (
    DismissForm,
    EscalateForm,
    OutsiderForm,
    ReasonForm,
    ReviewForm,
    SeatForm,
    SecondForm,
    UpholdForm,
    VoteForm,
)
from .parties import AppealForm, DisputeForm, ResultDisputeForm, StatementForm, TieForm

__all__ = [
    "AppealForm",
    "DecisionForm",
    "DismissForm",
    "DisputeForm",
    "EscalateForm",
    "OutsiderForm",
    "ReasonForm",
    "ResultDisputeForm",
    "ReviewForm",
    "SeatForm",
    "SecondForm",
    "StatementForm",
    "TieForm",
    "UpholdForm",
    "VoteForm",
]
