"""Somebody of whom every part of the site holds something, built through services."""

from dataclasses import dataclass, replace

from allauth.usersessions.models import UserSession
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.test import Client

from games.models import Game, PlayComment
from games.services import preferences
from ratings import services as ratings
from tests.accounts.signing import PASSWORD, a_player, set_up_factor
from tests.arbitration.world import TALK, World, a_world, fresh
from tests.competitions.world import FIRST_ROUND, a_club
from tests.competitions.world import a_player as another
from tests.remembered import remembered
from tock_league.accounts import blocks, tokens
from tock_league.accounts.models import Player, User
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_user, give_role, promise_letter, rename_player, tell_birth_year
from tock_league.arbitration.models import Case
from tock_league.arbitration.services.appeals import hearing
from tock_league.arbitration.services.cases import disputes, drafts
from tock_league.calendars import services as calendars
from tock_league.clubs import following
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Team
from tock_league.common import clock
from tock_league.competitions.models import Competition, Entry
from tock_league.competitions.services.entries import partners, withdrawals
from tock_league.competitions.services.results import corrections, talk
from tock_league.competitions.services.results.corrections import Right
from tock_league.competitions.services.seasons import nights, regulations, roles
from tock_league.notices import services as notices
from tock_league.notices.models import Bounce
from tock_league.oauth import services as applications
from tock_league.oauth.models import Issued
from tock_league.oauth.services import accesses
from tock_league.webhooks.models import Webhook

NAME, ADDRESS = "Maude Lafrenière", "maude.lafreniere@exemple.quebec"
SECOND = "maude.l@exemple.quebec"
WORDS = "Maude Lafrenière vous écrit : mon secret est l’érable."
LADDER = "shawinigan:2"


@dataclass
class Life:
    """Maude, and where she was."""

    player: Player
    world: World
    case: Case
    night: Competition
    team: Team

    @property
    def user(self) -> User:
        return User.objects.get(player=self.player)


@remembered
def a_life() -> Life:
    """Return Maude: club, named and drawn team, matches at a table and on paper, a dispute to the appeal, all finished."""
    from allauth.account.models import EmailAddress

    boss = another("Chantal Brière")
    give_role(player=boss, name="administrator", by=SITE)
    world = a_world()
    entry = world.match.side_rows.get(position=1).entry
    maude = entry.roster.get(slot=1).player
    user = a_player("Maud Temporaire", ADDRESS).user
    Player.objects.filter(user=user).delete()
    Player.objects.filter(pk=maude.pk).update(user=user)
    EmailAddress.objects.create(user=user, email=SECOND, verified=True, primary=False)
    maude = tell_birth_year(by=SITE, player=Player.objects.get(pk=maude.pk), year=1984)
    maude = rename_player(by=boss, player=Player.objects.get(pk=maude.pk), display_name=NAME)
    _signs_in(user)
    set_up_factor(user)
    notices.choose(by=maude, wanted={"table_open": {"mail"}})
    notices.set_quiet_hours(by=maude, begins=21, ends=7)
    Bounce.objects.create(user=user, email=ADDRESS, at=FIRST_ROUND, code=550)

    club = a_club()
    clubs.join(by=maude, club=club)
    clubs.give_role(by=SITE, club=club, player=maude, name="organiser")
    other = another("Réjean Lampron")
    clubs.join(by=other, club=club)
    clubs.give_role(by=SITE, club=club, player=other, name="officer")
    team = clubs.found_team(by=maude, name=f"Les amis de {NAME}", club=club)
    clubs.invite(by=maude, team=team, player=other, slot=2)
    friends = [maude, other, another("Yvon Bellemare"), another("Sylvie Dubois")]
    partners.seek(by=maude, place=club, text=f"{NAME} cherche pour le vendredi")
    line = partners.seek(by=other, place=club, text=f"Avec {NAME} ou une autre")
    partners.answer(by=maude, search=line)
    following.follow_player(by=maude, player=other)
    following.follow_player(by=other, player=maude)
    blocks.block(by=maude, player=boss)
    night = nights.announce_night(
        by=SITE, club=club, name="Soirée du vendredi", regulations=regulations.freeze(code="night")
    )
    nights.draw_and_start(by=SITE, night=night, players=friends, starts_at=FIRST_ROUND)
    roles.give(by=SITE, competition=night, player=boss, name="organiser", reason=f"{NAME} ne peut pas.")
    for match in night.matches.order_by("pk"):
        withdrawals.no_show(by=SITE, match=match, position=0, reason=f"Selon la feuille de {NAME}")
        shown = corrections.preview(by=SITE, match=match, right=Right("reopen"))
        corrections.correct(
            by=SITE, match=match, right=Right("reopen"), reason=f"{NAME} est venue", digest=shown.digest
        )

    clubs.rename_team(by=SITE, team=entry.team, name=f"{NAME} et cie")
    Entry.objects.filter(pk=entry.pk).update(name=f"{NAME} et cie")  # as if it had begun so
    case = world.dispute(by=maude)
    disputes.add(by=maude, case=case, text=WORDS)
    opponent = world.players[0]
    game = Game.objects.select_related("table").get(pk=world.game.pk)
    talk.say(by=maude, game=game, text=f"{NAME} dit merci")
    talk.report(by=maude, line=talk.say(by=opponent, game=game, text=f"Bravo {NAME}"))
    talk.mute(by=maude, player=opponent)
    talk.mute(by=opponent, player=maude)
    disputes.answer(by=opponent, case=fresh(case), text=f"{NAME.upper()} se trompe, et {ADDRESS} aussi.")
    case = world.taken(fresh(case))
    drafts.save(by=maude, case=case, form="add", fields={"text": [WORDS]}, version=0)
    world.rule(
        case,
        replace(
            TALK,
            offender=opponent.pk,
            facts=f"Selon {NAME}, on a parlé au coup 12.",
            reasons="Parler est interdit.",
        ),
    )
    hearing.appeal(by=opponent, case=fresh(case), grounds="fact", text=f"{NAME} n’a rien entendu.")
    LogEntry.objects.create(
        user=user, content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk), object_repr=ADDRESS,
        action_flag=CHANGE, change_message=f"Changed {NAME}",
    )  # fmt: skip
    promise_letter("reset", email=ADDRESS, language="fr", site="")
    # The game was given up before its first play, at which the service would let them write.
    for by, text in ((maude, WORDS), (opponent, f"{NAME}, c’était bien joué.")):
        PlayComment.objects.create(game=world.game, player=by, seq=1, text=text)
    calendars.renew(by=maude, kind="player")
    Webhook.objects.create(
        slug="theirs", competition=world.match.competition, address="https://example.org/", kinds=["result.confirmed"],
        sealed="", made_by=maude, made_at=clock.now(),
    )  # fmt: skip
    _permits(maude, other)
    preferences.choose(by=maude, player=maude, chosen={"sound": "on"})
    ratings.rebuild(ladder_key=LADDER, cause="test")
    ratings.rate_waiting(ladder_key=LADDER)
    return Life(Player.objects.get(pk=maude.pk), world, fresh(case), night, team)


def _permits(maude: Player, other: Player) -> None:
    """Let Maude register an application, and let another one's act for her."""
    other.user = create_user(email="autre@example.org")
    other.save()
    made = {
        player: applications.register(
            by=player, name=f"Quilles {player.display_name}"[:40], website="https://quilles.example.org",
            description=f"Par {NAME}", redirects_to=["https://quilles.example.org/retour"], kind="public",
        ).application
        for player in (maude, other)
    }  # fmt: skip
    for player, application in ((maude, made[other]), (other, made[maude])):
        code = accesses.permit(
            user=player.user, application=application, scopes=["read"], redirect="https://quilles.example.org/retour",
            challenge="x" * 43, secret=f"code of {player.pk}",
        )  # fmt: skip
        token = tokens.issue(
            user=player.user,
            name=application.name,
            scopes=["read"],
            lasts=accesses.TOKEN_LASTS,
            secret=f"token of {player.pk}",
        )
        Issued.objects.create(token=token, access=code.access, line=code.line)


def _signs_in(user: User) -> None:
    """Sign in, and mistype the password later."""
    for word in (PASSWORD, "faux"):
        Client().post("/accounts/login/", {"login": user.email, "password": word})
    assert Session.objects.exists()
    assert UserSession.objects.filter(user=user).exists()


__all__ = ["ADDRESS", "NAME", "SECOND", "WORDS", "Life", "a_life"]
