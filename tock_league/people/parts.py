"""The parts of the site that hold something about people, in the order in which an erasure goes through them.

The names of teams are cleaned before the tables that are called after them; the login goes last, because everything else
asks for its addresses.
"""

from collections.abc import Iterator

from games import people as games
from games.models import DealSecret
from ratings import people as ratings
from tock_league.accounts import people as accounts
from tock_league.accounts.models import Player, User
from tock_league.arbitration import people as arbitration
from tock_league.calendars import people as calendars
from tock_league.clubs import people as clubs
from tock_league.common.persons import Leaving, Obstacle, Person, Row, Section, exported
from tock_league.competitions import people as competitions
from tock_league.imports import people as imports
from tock_league.integrity import people as integrity
from tock_league.journal import people as journal
from tock_league.journal.services import stream_of
from tock_league.newcomers import people as newcomers
from tock_league.notices import people as notices
from tock_league.oauth import people as oauth
from tock_league.webhooks import people as webhooks

from .models import Export, Farewell


def person_of(*, user: User | None = None, player: Player | None = None) -> Person:
    """Return login and player of one person, whichever is known."""
    if player is None and user is not None:
        player = Player.objects.filter(user=user).first()
    if user is None and player is not None:
        user = player.user
    return Person(user, player)


def obstacles(person: Person) -> list[Obstacle]:
    """Return what must end before the person can be erased."""
    found: list[Obstacle] = []
    for part in (accounts, notices, clubs, games, competitions, arbitration):
        found += part.obstacles(person)
    return found


def forget(leaving: Leaving) -> None:
    """Erase the person in every app; call it inside `writing()`."""
    competitions.forget(leaving)  # first: it takes the locks of competitions
    arbitration.forget(leaving)
    journal.forget(leaving, streams=["open", integrity.STREAM, *(stream_of(event.slug) for event in leaving.events)])
    clubs.forget(leaving)
    competitions.name_tables(leaving)
    games.forget(leaving)
    ratings.name_snapshots(leaving)
    calendars.forget(leaving)
    newcomers.forget(leaving)
    webhooks.forget(leaving)
    oauth.forget(leaving)
    Export.objects.filter(user=leaving.person.user).delete()
    notices.forget(leaving)
    accounts.forget(leaving)


def _exports(person: Person) -> Iterator[Row]:
    for row in Export.objects.filter(user=person.user).defer("body") if person.user is not None else ():
        yield exported(row, "asked_at", "ready_at", "expires_at", "size")


def _farewells(person: Person) -> Iterator[Row]:
    for row in Farewell.objects.filter(user=person.user) if person.user is not None else ():
        yield exported(row, "cause", "asked_at", "due_at", "postponed_at")


SECTIONS: tuple[Section, ...] = (
    *accounts.SECTIONS,
    *notices.SECTIONS,
    *clubs.SECTIONS,
    *games.SECTIONS,
    *ratings.SECTIONS,
    *competitions.SECTIONS,
    *arbitration.SECTIONS,
    *journal.SECTIONS,
    *calendars.SECTIONS,
    *imports.SECTIONS,
    *newcomers.SECTIONS,
    *webhooks.SECTIONS,
    *oauth.SECTIONS,
    *integrity.SECTIONS,
    Section("exports", Export._meta.label, _exports),
    Section("erasures", Farewell._meta.label, _farewells),
)

# Models that are in no section, and why.
NOT_EXPORTED: dict[str, str] = {
    "accounts.User_groups": "no group exists",
    "accounts.User_user_permissions": "no permission is given singly",
    "auth.Permission": "Django's list of permissions, of nobody",
    "auth.Group": "no group exists",
    "auth.Group_permissions": "no group exists",
    "common.OpenHall": "the address of an event's network, for its hours; of nobody by name",
    "contenttypes.ContentType": "Django's list of models",
    "sessions.Session": "the key opens the session; the section `sessions` lists it",
    "axes.AccessAttemptExpiration": "the end of a row of `wrong_passwords`",
    "journal.JournalStream": "a chain's end",
    "journal.Redaction": "digests of texts from which others' names were taken",
    "clubs.Club": "public, about no person; named in `memberships`",
    DealSecret._meta.label: "seeds; those of finished games are in their records",
    "games.Analysis": "computed from a record, can be computed again",
    "games.GameEvent": "in the records of finished games (the folder `games`); rows of a running game are secret",
    "games.ArchivedRecord": "the packed rows of an old game, which is in the folder `games`",
    "games.Pulse": "of a process",
    "games.Outage": "of the site",
    "ratings.RatingParams": "of the method",
    "ratings.EvaluationReport": "of the method: sums over all games",
    "ratings.Ladder": "of all players; named in `ratings`",
    "ratings.Generation": "one computation of a ladder",
    "ratings.Subject_members": "who is in a pair: the names in `rating_subjects`",
    "ratings.ClubScore": "of clubs",
    "competitions.CompetitionVersion": "a number that changes with the competition",
    "ratings.LadderSeason": "of all players; named in `season_places`",
    "ratings.WaitingResult": "a row of `rating_log` that waits for a worker",
    "ratings.RankBucket": "a histogram of all players",
    "competitions.Season": "public, about no person",
    "competitions.Division": "public, about no person",
    "competitions.Regulations": "public, about no person",
    "competitions.Stage": "public, the plan of a competition",
    "competitions.Group": "public, the plan of a competition",
    "competitions.Round": "public, the plan of a competition",
    "competitions.Side": "the places of the matches in `matches`",
    "competitions.HallTable": "public, the tables of the hall and their rooms",
    "competitions.MatchGame": "which game of a match is which; in `games` and `matches`",
    "competitions.ResultLine": "the lines of `results`",
    "competitions.ResultEffect": "public: what a ruling or correction does to a match; in `rulings` and `corrections`",
    "competitions.EffectLift": "public: that such an effect ended",
    "competitions.Meeting": "public: who met whom; in `matches`",
    "competitions.PairingRun": "public: how a round was paired",
    "competitions.StageInput": "public: who stands where in a draw; in `entries` and `matches`",
    "competitions.BracketEdge": "public: the shape of a bracket",
    "arbitration.CaseCounter": "the last number of a year",
    "arbitration.Evidence": "a pointer into a record of `games`",
    "arbitration.Deadline": "a date of a case, about no person",
    "arbitration.Effect": "what a ruling of `rulings` does",
    "integrity.Watched": "up to where a ladder was looked at",
    "integrity.Finding_players": "whom a row of `findings` is about",
    "incidents.Incident": "the register of the site, kept by law; it names persons concerned by number only",
    "incidents.IncidentEntry": "as the incident",
    "calendars.CalendarItem": "public: the dates of `matches`",
    "calendars.CalendarItem_entries": "public: who plays in these matches; in `matches`",
    "feed.FeedEvent": "public facts by their public ids, for a month",
    "hall.RoundClock": "of an event, about no person",
    "hall.TableTime": "of a table of an event, about no person",
    "hall.Announcement": "public: what an organiser said to a whole hall",
    "hall.Screen": "of an event, about no person",
    "hall.TeamLink": "a secret of a team, whose page shows what is public; of no person",
    "webhooks.Delivery": "what a webhook of `webhooks` was told, by the ids of public facts",
    "oauth.Code": "lives a minute; what it gave is in `accesses` and `tokens`",
    "oauth.Refresh": "a secret of an application; what it gives is in `accesses`",
    "oauth.Issued": "which token of `tokens` belongs to which access of `accesses`",
    "upkeep.Drill": "of the site",
    "api.Answer": "the answer to a request of the API, for a day; what it did is in the other sections",
    "people.ExportPart": "the export itself, while it is made",
    "people.Erased": "of those who are no longer here",
    "django_celery_beat.SolarSchedule": "when a job runs",
    "django_celery_beat.IntervalSchedule": "when a job runs",
    "django_celery_beat.ClockedSchedule": "when a job runs",
    "django_celery_beat.CrontabSchedule": "when a job runs",
    "django_celery_beat.PeriodicTasks": "when a job runs",
    "django_celery_beat.PeriodicTask": "when a job runs",
}
