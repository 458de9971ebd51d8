"""Cases as their readers may see them, and the bodies of what parties and referees do."""

from typing import Any

from rest_framework import serializers as s

from tock_league.arbitration.core import decisions
from tock_league.arbitration.models import Appeal, Case, Vote
from tock_league.arbitration.models.case import TEXT_LENGTH
from tock_league.arbitration.selectors.cases.result_disputes import KINDS

from .base import Asked, Time, Told
from .entering import PreviewRow
from .people import PlayerRef
from .records import RulingText
from .results import counts

NOTE = decisions.NOTE_LENGTH


class CaseRow(Told):
    number = s.CharField()
    competition = s.CharField(source="competition.slug")
    match = s.CharField(source="match.slug")
    kind = s.CharField(help_text="What it is about; other while the table plays and the caller may not know.")
    origin = s.CharField(help_text="call, dispute or review.")
    state = s.CharField()
    filed_at = Time()


class OwnCase(CaseRow):
    role = s.ChoiceField(choices=["party", "referee", "panel"], help_text="The caller's part in it.")


class QueueRow(Told):
    case = CaseRow()
    sides = s.ListField(source="names", child=s.CharField())
    live = s.BooleanField(help_text="Whether a table waits for it.")
    held_by = PlayerRef(source="lease.referee", default=None, allow_null=True)
    may_take = s.BooleanField()
    conflict = s.CharField(help_text="Why the caller may not decide it, as a sentence; else empty.")
    due_at = Time(source="deadline.due_at", default=None, allow_null=True, help_text="The next deadline.")


class CaseSide(Told):
    position = s.IntegerField()
    name = s.CharField()
    players = PlayerRef(many=True)
    is_opener = s.BooleanField()


class Statement(Told):
    type = s.CharField()
    at = Time()
    by = PlayerRef(allow_null=True)
    side = s.IntegerField(allow_null=True)
    text = s.CharField()
    asks = s.CharField(help_text="What is asked for, of a dispute of an entered result; else empty.")


class CaseEvent(Told):
    seq = s.IntegerField()
    at = Time()
    who = PlayerRef(allow_null=True, help_text="null: the site.")
    role = s.CharField()
    type = s.CharField()
    sentence = s.CharField()


class CaseEvidence(Told):
    kind = s.CharField()
    seq = s.IntegerField(help_text="A row of the game's record.")
    url = s.CharField(help_text="Its address in the replay; empty where the caller may not see it.")


class CaseDeadline(Told):
    kind = s.CharField()
    due_at = Time()


class CaseAppeal(Told):
    side = s.IntegerField()
    by = PlayerRef()
    grounds = s.CharField()
    at = Time()


class CaseVote(Told):
    member = PlayerRef()
    at = Time()
    choice = s.CharField(help_text="Empty until the caller may know it.")
    note = s.CharField()


class CaseState(Told):
    """Where a case stands for the caller, without its texts: an answer to a deed is kept for a day, and texts are not."""

    case = CaseRow()
    role = s.CharField(help_text="party, referee, panel, organiser or reader.")
    may = s.SerializerMethodField(help_text="What the caller may do now.")
    held_by = PlayerRef(source="lease.referee", default=None, allow_null=True)
    held_until = Time(source="lease.until", default=None, allow_null=True)

    def get_may(self, file: Any) -> list[str]:
        return sorted(file.may)


class CaseFile(CaseState):
    """A case as the caller may see it."""

    title = s.CharField(help_text="The names of the sides.")
    side = s.IntegerField(source="viewer_side", allow_null=True, help_text="The caller's own position.")
    conflict = s.CharField(help_text="The caller's conflict of interest, as a sentence; else empty.")
    sides = CaseSide(many=True)
    statements = Statement(many=True)
    events = CaseEvent(many=True)
    evidence = CaseEvidence(many=True)
    deadlines = CaseDeadline(many=True)
    rulings = RulingText(many=True, help_text="The latest first.")
    appeals = CaseAppeal(many=True)
    votes = CaseVote(many=True)
    appealable_until = Time(allow_null=True)
    reply_until = Time(allow_null=True)
    replay = s.CharField(source="replay_url")


class GameDispute(Asked):
    seq = s.IntegerField(min_value=1, max_value=2**31 - 1, help_text="The row of the game's record that it is about.")
    kind = s.ChoiceField(choices=Case.Kind.values)
    text = s.CharField(max_length=TEXT_LENGTH, help_text="The other side and the referee read it.")


class ResultDispute(Asked):
    kind = s.ChoiceField(choices=[str(kind) for kind in KINDS])
    asks = s.ChoiceField(choices=Case.Asks.values)
    text = s.CharField(max_length=TEXT_LENGTH, help_text="The other side and the referee read it.")


class Words(Asked):
    text = s.CharField(max_length=TEXT_LENGTH)


class AppealText(Words):
    grounds = s.ChoiceField(choices=Appeal.Grounds.values)


class Reason(Asked):
    reason = s.CharField(max_length=NOTE)


class Escalation(Reason):
    draft = s.BooleanField(required=False, default=True, help_text="Whether the head referee gets the caller's draft.")


class Dismissal(Reason):
    about = s.ChoiceField(
        choices=Case.Kind.values, required=False, help_text="What the claim is about, if not what its opener chose."
    )


class Hand(Asked):
    seat = s.IntegerField(min_value=0, max_value=7, allow_null=True, help_text="null hides it again.")


class Ballot(Asked):
    vote = s.ChoiceField(choices=Vote.Choice.values)
    note = s.CharField(max_length=NOTE)


class SheetGame(Asked):
    winner = s.IntegerField(
        min_value=0, max_value=7, allow_null=True, required=False, help_text="A position; null for a tie."
    )
    margin = s.IntegerField(min_value=0, max_value=10_000, required=False)
    counts = counts()


class RulingBody(Asked):
    """A decision. What may be chosen is listed by `choices`; what is left out is not ordered."""

    outcome = s.ChoiceField(choices=list(decisions.OUTCOMES))
    about = s.ChoiceField(choices=Case.Kind.values, required=False)
    row = s.CharField(max_length=40, required=False, help_text="A row of the penalty table.")
    offender = s.CharField(max_length=16, required=False, help_text="The slug of the player at fault.")
    penalty = s.CharField(max_length=40, required=False, help_text="Another one than the table's.")
    deviation_reason = s.CharField(max_length=decisions.REASONS_LENGTH, required=False)
    remedies = s.ListField(child=s.CharField(max_length=40), required=False, max_length=20)
    card = s.CharField(max_length=3, required=False)
    marble = s.CharField(max_length=4, required=False)
    rewind_to = s.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    clock_seat = s.IntegerField(min_value=0, max_value=7, required=False)
    clock_s = s.IntegerField(min_value=-600, max_value=600, required=False)
    result = s.CharField(max_length=10, required=False)
    game_number = s.IntegerField(min_value=1, max_value=99, required=False)
    winner = s.IntegerField(min_value=0, max_value=7, required=False)
    absent = s.IntegerField(min_value=0, max_value=7, required=False)
    games = s.ListField(child=SheetGame(), required=False, max_length=9, help_text="Of the result `paper`.")
    fault = s.CharField(max_length=10, required=False)
    rules = s.ListField(child=s.CharField(max_length=decisions.RULE_LENGTH), required=False, max_length=6)
    facts = s.CharField(max_length=decisions.FACTS_LENGTH, help_text="Published.")
    reasons = s.CharField(max_length=decisions.REASONS_LENGTH, help_text="Published.")


DIGEST = "Of the preview that the caller has read; refused (409) when the ruling would change anything else."


class SignedRuling(RulingBody):
    digest = s.CharField(max_length=64, help_text=DIGEST)


class PanelRuling(Asked):
    """To uphold the ruling, reasons alone; to overturn it, a decision with the digest of its preview."""

    reasons = s.CharField(max_length=decisions.REASONS_LENGTH, help_text="Published.")
    decision = RulingBody(required=False)
    digest = s.CharField(max_length=64, required=False, help_text=DIGEST)


class SecondSignature(Asked):
    digest = s.CharField(max_length=64, help_text=DIGEST)


class RulingPreview(Told):
    """What a signature would do now."""

    digest = s.CharField(help_text="Send it with the signature.")
    standard = s.CharField(help_text="The penalty that the table gives.")
    penalty = s.CharField(help_text="The penalty of this decision.")
    step = s.IntegerField(help_text="1 for the first finding; 0 without a row.")
    needs_head = s.BooleanField()
    second = s.CharField(help_text="Why a second referee must sign too; else empty.")
    sentences = s.ListField(child=s.CharField(), help_text="Each effect as a sentence.")
    changes = PreviewRow(source="changes.rows", many=True, default=())


class Choice(Told):
    field = s.CharField(help_text="A field of a ruling.")
    value = s.CharField()
    text = s.CharField()


class DraftKept(Told):
    version = s.IntegerField()
    saved_at = Time()
