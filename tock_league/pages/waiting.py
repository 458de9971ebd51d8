"""The tasks that wait for the reader: invitations into teams, and requests of tournaments and cases."""

from dataclasses import dataclass

from games.selectors import casual
from games.selectors.casual import Invited
from tock_league.accounts.models import Player
from tock_league.arbitration.selectors.cases import case_files as rulings
from tock_league.arbitration.selectors.cases.concerns import TASKS
from tock_league.arbitration.selectors.referees import ties
from tock_league.arbitration.selectors.referees.ties import Tie
from tock_league.clubs import selectors as clubs
from tock_league.clubs.models import Team, TeamInvitation
from tock_league.competitions.models import PartnerAnswer, TalkReport
from tock_league.competitions.selectors.entries import partners, registration
from tock_league.competitions.selectors.entries.registration import Ask, EntryView
from tock_league.competitions.selectors.results import papers_waiting as results
from tock_league.competitions.selectors.results import talk


@dataclass(frozen=True)
class Waiting:
    """Everything that waits for an answer of one person, the most urgent kinds first; `touching`: cases to know about."""

    cases: tuple[rulings.Waiting, ...] = ()
    check_ins: tuple[Ask, ...] = ()
    papers: tuple[results.Paper, ...] = ()
    confirmations: tuple[Ask, ...] = ()
    tables: tuple[Invited, ...] = ()  # to which somebody invites the reader, now
    invitations: tuple[TeamInvitation, ...] = ()
    partners: tuple[PartnerAnswer, ...] = ()  # who would play with the reader, of the partner desks
    reports: tuple[TalkReport, ...] = ()  # of lines of talk, for those who look after the club
    touching: tuple[rulings.Waiting, ...] = ()
    ties: tuple[Tie, ...] = ()
    entries: tuple[EntryView, ...] = ()  # that the captain completes: not everybody has confirmed
    teams: tuple[Team, ...] = ()  # that the captain completes: they lack players

    def __bool__(self) -> bool:
        asked = self.tables or self.confirmations or self.invitations or self.partners
        told = self.reports or self.ties or self.touching
        return bool(self.cases or self.check_ins or self.papers or self.entries or self.teams or asked or told)


def waiting_for(person: Player | None) -> Waiting:
    """Return what waits for `person`; nothing for visitors. Less than a dozen queries, more while papers or cases wait."""
    if person is None:
        return Waiting()
    asks, concerns = registration.asks_of(person), rulings.concerns(person)
    return Waiting(
        cases=tuple(one for one in concerns if one.what in TASKS),
        check_ins=tuple(ask for ask in asks if ask.what == "check_in"),
        papers=tuple(results.papers_of(person)),
        confirmations=tuple(ask for ask in asks if ask.what == "confirm"),
        tables=tuple(casual.invitations(person.pk)),
        invitations=tuple(clubs.invitations_of(person)),
        partners=tuple(partners.answers_for(person)),
        reports=tuple(talk.waiting_for(person)),
        touching=tuple(one for one in concerns if one.what not in TASKS),
        ties=tuple(ties.waiting_for(person)),
        entries=tuple(registration.to_complete(person)),
        teams=tuple(clubs.teams_lacking(person)),
    )
