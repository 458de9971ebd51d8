"""The steps of a sequence that are about cases: who speaks, who judges. Each returns what is tried, or None."""

from collections.abc import Callable

from games.models import Game
from tock_league.accounts.models import Player
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Case, Lease, PanelSeat, Vote
from tock_league.arbitration.permissions import position_of
from tock_league.arbitration.selectors.cases.kinds import kinds_of
from tock_league.arbitration.selectors.cases.same_act import plays_of
from tock_league.arbitration.selectors.referees.conflicts import players_of
from tock_league.arbitration.services.appeals import hearing, replies, reviews
from tock_league.arbitration.services.cases import admissibility, disputes, overdue
from tock_league.arbitration.services.referees import leases, outsiders, recusals
from tock_league.arbitration.services.rulings import countersigning, signing
from tock_league.competitions.models import CompetitionRole, Match
from tock_league.competitions.services.seasons import roles

from .trying import Act, Trying

WORDS = ("Il a parlé.", "Je n’ai rien entendu.", "Le voisin de table l’a entendu aussi.", "C’était avant le coup.")
ROWS = ["talk", "talk", "talk", "talk_play", "touch", "clock", "exposed", "abuse"]
PENALTIES = ["", "", "", "", "suspension", "suspension", "ban", "ban", "warning", "match_forfeit", "warning_point"]


class Speaking(Trying):
    """Players and their words."""

    def words(self) -> str:
        return f"{self.dice.choice(WORDS)} {self.dice.randint(1, 99)}"

    def sides(self, match: Match) -> list[list[Player]]:
        """Return the players of each side, with the substitutes."""
        by_key = {player.pk: player for player in self.stage.players}
        return [[by_key[pk] for pk in sorted(side) if pk in by_key] for side in players_of(match)]

    def parties(self, match: Match) -> list[Player]:
        return [player for side in self.sides(match) for player in side]

    def file(self) -> Act:
        """Complain of a play of a game, or of the row beside it."""
        match = self.dice.choice(list(self.stage.league.matches.filter(table__isnull=False).order_by("pk")))
        game = self.dice.choice(list(Game.objects.filter(table=match.table_id).order_by("pk")))
        if game.state != Game.State.OVER and self.dice.random() < 0.9:
            return None
        return self._complain(match, game, self.dice.choice([*plays_of(game.pk), game.last_seq, 3]))

    def file_again(self) -> Act:
        """Complain of what a case is about, or of the next row."""
        case = self.case
        if case is None or case.game is None:
            return None
        plays = [seq for seq in plays_of(case.game_id) if seq <= case.seq]
        return self._complain(case.match, case.game, self.dice.choice([case.seq, case.seq, case.seq + 1, *plays[-1:]]))

    join = file_again

    def _complain(self, match: Match, game: Game, seq: int) -> Act:
        game.refresh_from_db()
        kind = self.dice.choice(["talk", "talk", "conduct", *dict(kinds_of(match.competition.rules))])
        by, text = self.who(self.parties(match), 0.95), self.words()
        return lambda: disputes.file(by=by, game=game, seq=seq, kind=kind, text=text)

    def answer(self) -> Act:
        if (case := self.case) is None:
            return None
        likely = [player for player in self.parties(case.match) if position_of(player, case) != case.side]
        by, text = self.who(likely, 0.9), self.words()
        return lambda: disputes.answer(by=by, case=case, text=text)

    def statement(self) -> Act:
        if (case := self.case) is None:
            return None
        by, text = self.who(self.parties(case.match)), self.words()
        return lambda: disputes.add(by=by, case=case, text=text)

    def withdraw(self) -> Act:
        if (case := self.case) is None or self.dice.random() < 0.5:
            return None
        by = self.who([case.opened_by] if case.opened_by is not None else [])
        return lambda: disputes.withdraw_case(by=by, case=case)

    def appeal(self) -> Act:
        if (case := self.case) is None:
            return None
        by, text = self.who(self.parties(case.match), 0.9), self.words()
        grounds = self.dice.choice(["rule", "fact", "proportion", "procedure"])
        return lambda: hearing.appeal(by=by, case=case, grounds=grounds, text=text)

    def reply(self) -> Act:
        if (case := self.case) is None:
            return None
        by, text = self.who(self.parties(case.match), 0.9), self.words()
        return lambda: replies.reply(by=by, case=case, text=text)


class Judging(Speaking):
    """Referees, panels and organisers."""

    def holders(self) -> list[Player]:
        """Return who has the case."""
        found = Lease.objects.filter(case=self.case, ended_at__isnull=True).select_related("referee")
        return [lease.referee for lease in found]

    def members(self) -> list[Player]:
        """Return the three of its panel."""
        seats = PanelSeat.objects.filter(case=self.case, place__isnull=False, left_at__isnull=True)
        return [seat.member for seat in seats.select_related("member").order_by("place")]

    def judges(self) -> list[Player]:
        """Return the referees who usually take cases; the others are free for panels."""
        return [self.stage.referees[0], *self.stage.heads]

    def take(self) -> Act:
        if (case := self.case) is None:
            return None
        by = self.who(self.judges(), 0.95)
        return lambda: leases.take(by=by, case=case)

    def _by_holder(self, act: Callable[..., object], **more: object) -> Act:
        if (case := self.case) is None:
            return None
        by = self.who(self.holders(), 0.9)
        return lambda: act(by=by, case=case, **more)

    def renew(self) -> Act:
        return self._by_holder(leases.renew)

    def release(self) -> Act:
        return self._by_holder(leases.release)

    def escalate(self) -> Act:
        return self._by_holder(leases.escalate, note=self.words())

    def dismiss(self) -> Act:
        if self.dice.random() < 0.5:
            return None
        return self._by_holder(admissibility.dismiss, reason=self.words(), fresh=self.dice.random() < 0.8)

    def recuse(self) -> Act:
        if (case := self.case) is None or self.dice.random() < 0.7:
            return None
        by, reason = self.who(self.holders() or self.members()), self.words()
        return lambda: recusals.recuse(by=by, case=case, reason=reason)

    def lose_role(self) -> Act:
        """End the role of a referee who has the case, or has a place on its panel."""
        people = self.holders() or self.members()
        found = CompetitionRole.objects.filter(competition=self.stage.league, player__in=people, until__isnull=True)
        role, by = found.first(), self.who([self.stage.organiser])
        if role is None or self.dice.random() < 0.8:
            return None
        return lambda: roles.end(by=by, role=role, reason="Absent.")

    def give_role(self) -> Act:
        """Give a role back that was lost."""
        held = CompetitionRole.objects.filter(competition=self.stage.league, until__isnull=True)
        still = set(held.values_list("player", flat=True))
        lost = [one for one in (*self.stage.referees, *self.stage.heads) if one.pk not in still]
        if not lost:
            return None
        player, by = self.dice.choice(lost), self.who([self.stage.organiser])
        name = "head_referee" if player in self.stage.heads else "referee"
        return lambda: roles.give(by=by, competition=self.stage.league, player=player, name=name)

    def outsider(self) -> Act:
        if (case := self.case) is None:
            return None
        by, player, reason = self.who([self.stage.organiser]), self.stage.stranger, self.words()
        return lambda: outsiders.name_outsider(by=by, case=case, player=player, reason=reason)

    def decision(self, case: Case) -> Decision:
        """Return what a referee may find: often a sanction, sometimes nothing."""
        roll, texts = self.dice.random(), {"facts": self.words(), "reasons": self.words()}
        if roll < 0.2:
            return Decision(self.dice.choice(["dismissed", "dismissed", "referee_error"]), **texts)
        offender = self.dice.choice(self.parties(case.match))
        row, penalty = self.dice.choice(ROWS), self.dice.choice(PENALTIES)
        burns = case.live and row in ("talk", "talk_play") and self.dice.random() < 0.8
        if roll > 0.97:
            penalty = "exclusion"
        return Decision(
            "upheld",
            row=row,
            offender=offender.pk,
            penalty=penalty,
            deviation_reason="Il l’a avoué." if penalty or self.dice.random() < 0.3 else "",
            remedies=("blind_burn",) if burns else (),
            rules=("8",),
            **texts,
        )

    def rule(self) -> Act:
        """Preview a decision and sign it."""
        if (case := self.case) is None:
            return None
        by, decision, signed_in = self.who(self.holders(), 0.9), self.decision(case), self.dice.random() < 0.9

        def sign() -> object:
            shown = signing.preview(by=by, case=case, decision=decision)
            return signing.sign(by=by, case=case, decision=decision, preview_digest=shown.digest, fresh=signed_in)

        return sign

    def countersign(self) -> Act:
        if (case := self.case) is None:
            return None
        by, signed_in = self.who([*self.judges(), *self.stage.referees], 0.9), self.dice.random() < 0.9

        def sign() -> object:
            shown = countersigning.preview(by=by, case=case)
            return countersigning.countersign(by=by, case=case, preview_digest=shown.digest, fresh=signed_in)

        return sign

    def _second(self, act: Callable[..., object], **more: object) -> Act:
        if (case := self.case) is None:
            return None
        by = self.who([*self.judges(), *self.stage.referees], 0.9)
        return lambda: act(by=by, case=case, **more)

    def refuse_second(self) -> Act:
        return self._second(countersigning.refuse, reason=self.words())

    def agree(self) -> Act:
        return self._second(admissibility.agree, fresh=self.dice.random() < 0.9)

    def disagree(self) -> Act:
        return self._second(admissibility.disagree, reason=self.words())

    def form_panel(self) -> Act:
        if (case := self.case) is None:
            return None
        by = self.who([self.stage.organiser, *self.stage.heads], 0.9)
        return lambda: hearing.form_panel(by=by, case=case)

    def fill_panel(self) -> Act:
        if (case := self.case) is None:
            return None
        by = self.who([self.stage.organiser])
        return lambda: hearing.fill_panel(by=by, case=case)

    def vote(self) -> Act:
        if (case := self.case) is None:
            return None
        voted = set(Vote.objects.filter(case=case).values_list("member", flat=True))
        left = [member for member in self.members() if member.pk not in voted]
        by, choice = self.who(left, 0.9), self.dice.choice(["overturn", "overturn", "uphold"])
        return lambda: hearing.vote(by=by, case=case, vote=choice, note=self.words())

    def panel_rule(self) -> Act:
        if (case := self.case) is None:
            return None
        votes = list(Vote.objects.filter(case=case).select_related("member").order_by("pk"))
        if len(votes) < 3 and self.dice.random() < 0.8:
            return None
        falls = sum(vote.choice == "overturn" for vote in votes) > 1
        majority = [vote.member for vote in votes if (vote.choice == "overturn") == falls]
        by, decision, reasons = self.who(majority, 0.85), self.decision(case), self.words()
        overturned = falls if self.dice.random() < 0.9 else not falls

        def sign() -> object:
            if not overturned:
                return hearing.rule(by=by, case=case, reasons=reasons)
            shown = hearing.preview(by=by, case=case, decision=decision)
            return hearing.rule(by=by, case=case, decision=decision, preview_digest=shown.digest)

        return sign

    def review(self) -> Act:
        if (case := self.case) is None:
            return None
        by = self.who(self.stage.heads, 0.9)
        return lambda: reviews.open_review(by=by, case=case, reason=self.words())

    def time(self) -> Act:
        """Let minutes, hours or days pass; deadlines that are over are carried out."""
        if self.dice.random() < 0.5:
            return None
        hours = self.dice.choices([0.05, 0.1, 25, 49, 24 * 91], [8, 4, 1, 1, 0.3])[0]
        self.hand.advance(hours=hours)
        return overdue.sweep
