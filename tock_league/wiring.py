"""All subscriptions of the announcement bus. WITHIN runs in the publisher's transaction, AFTER when it has committed.

A WITHIN subscriber takes no lock that comes earlier in the lock order (competition, match, game, case, ladder) than
those that the publisher holds. At a game's end, a task settles match and standings in a transaction of its own.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.announcements import (
    CallUnanswered,
    GameFinished,
    GameVoided,
    PlaysRecorded,
    RefereeCalled,
    SeatTaken,
    TableInviting,
)
from games.live import hints
from ratings import services as ratings
from tock_league.accounts.announcements import LoginShut, NameHidden, PlayerRenaming, TokensRevoked
from tock_league.arbitration.services.cases import calls, pending
from tock_league.arbitration.services.referees import leases, recusals
from tock_league.arbitration.services.rulings import suspensions
from tock_league.clubs.announcements import HomeChanged, TeamRenaming
from tock_league.clubs.services import naming as club_names
from tock_league.competitions.announcements import (
    PlayersEntered,
    PlayersTakePart,
    PublicFacts,
    ResultCorrecting,
    RoleEnded,
)
from tock_league.competitions.services.entries import guardians, merged, programs
from tock_league.competitions.services.entries import naming as event_names
from tock_league.competitions.services.results import settlement
from tock_league.feed import services as feed
from tock_league.feed.announcements import FactsWritten
from tock_league.oauth import services as oauth
from tock_league.pages import inviting
from tock_league.people import hiding
from tock_league.webhooks.services import delivering

Subscriptions = Mapping[type, Sequence[Callable[[Any], object]]]

WITHIN: Subscriptions = {
    GameFinished: (ratings.log_result, settlement.promise_settlement),
    GameVoided: (ratings.log_void,),
    RefereeCalled: (calls.file_call,),
    CallUnanswered: (calls.unanswered,),
    RoleEnded: (leases.role_ended, recusals.role_ended),
    PlayersEntered: (suspensions.refuse_suspended, guardians.refuse_entry, programs.refuse_entry, merged.refuse_entry),
    ResultCorrecting: (pending.refuse_while_disputed,),
    PlayersTakePart: (
        suspensions.refuse_taking_part,
        guardians.refuse_taking_part,
        programs.refuse_taking_part,
        merged.refuse_taking_part,
    ),
    PlayerRenaming: (event_names.judge_player_renaming, club_names.judge_renaming),
    NameHidden: (hiding.hide_name,),
    TokensRevoked: (oauth.tokens_revoked,),
    LoginShut: (oauth.login_shut,),
    TeamRenaming: (event_names.judge_team_renaming,),
    HomeChanged: (ratings.count_club_again,),
    TableInviting: (inviting.refuse_absent,),
    PublicFacts: (feed.write,),
    FactsWritten: (delivering.notice_facts,),
    SeatTaken: (suspensions.refuse_seat, guardians.refuse_seat, merged.refuse_seat),
}
AFTER: Subscriptions = {
    PlaysRecorded: (hints.tell,),
}
