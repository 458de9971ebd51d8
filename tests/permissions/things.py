"""The objects of the permission rules, each in the state that is asked for."""

from collections.abc import Callable
from typing import Any

from tock_league.accounts.models import BirthYear, Player
from tock_league.accounts.services import create_user
from tock_league.clubs.models import TeamInvitation
from tock_league.clubs.services import invite, invite_by_link
from tock_league.common import clock

from .world import World


def set_state(thing: Any, state: str) -> Any:
    """Return `thing` in `state`. Rules read only the state of a row, so the test sets it without services."""
    type(thing)._default_manager.filter(pk=thing.pk).update(state=state)
    return type(thing)._default_manager.get(pk=thing.pk)


def invited(world: World, state: str, *, by_link: bool) -> TeamInvitation:
    """Return an invitation into a free place of the team, in `state`."""
    team = world.team
    TeamInvitation.objects.all().delete()
    if by_link:
        found = invite_by_link(by=world.player("captain"), team=team, slot=3)[0]
    else:
        found = invite(by=world.player("captain"), team=team, player=world.player("player"), slot=3)
    answered = None if state == "open" else clock.now()
    TeamInvitation.objects.filter(pk=found.pk).update(state=state, answered_at=answered)
    return TeamInvitation.objects.get(pk=found.pk)


def profile(world: World, state: str) -> Player:
    player = world.player("captain")
    user = create_user(email="captain@example.org") if state == "with_login" else None
    Player.objects.filter(pk=player.pk).update(user=user)
    return Player.objects.get(pk=player.pk)


def page_for(world: World, readers: str) -> Player:
    """Return the captain, whose page is open to `readers`."""
    Player.objects.filter(pk=world.player("captain").pk).update(page_for=readers)
    return Player.objects.get(pk=world.player("captain").pk)


def child(world: World) -> Player:
    """Return a member of the club who is a child, and has let everybody see the page, which counts for nothing."""
    player = world.player("player")
    BirthYear.objects.get_or_create(player=player, defaults={"year": clock.now().year - 9, "told_at": clock.now()})
    Player.objects.filter(pk=player.pk).update(page_for="everybody")
    return Player.objects.get(pk=player.pk)


def side(world: World, captain: str) -> int:
    """Return the position of that captain's side."""
    return world.match.side_rows.get(entry__roster__player=world.player(captain)).position


# How each object of the table is made, in a state.
THINGS: dict[str, Callable[[World, str], Any]] = {
    "nothing": lambda world, state: None,
    "the site": lambda world, state: None,
    "captain's profile": profile,
    "a page for all who have signed in": lambda world, state: page_for(world, "signed_in"),
    "a page for clubs and teams": lambda world, state: page_for(world, "clubs"),
    "a child": lambda world, state: child(world),
    "the club": lambda world, state: world.club,
    "no club": lambda world, state: None,
    "the club and two players": lambda world, state: (world.club, [world.player("captain"), world.player("partner")]),
    "no club and two players": lambda world, state: (None, [world.player("captain"), world.player("partner")]),
    "the team": lambda world, state: world.team,
    "a dissolved team": lambda world, state: world.dissolved,
    "an invitation of the player": lambda world, state: invited(world, state, by_link=False),
    "an invitation by link": lambda world, state: invited(world, state, by_link=True),
    "the league": lambda world, state: set_state(world.league, state),
    "the league, an organiser": lambda world, state: (set_state(world.league, state), "organiser"),
    "the league, a referee": lambda world, state: (set_state(world.league, state), "referee"),
    "the league and the team": lambda world, state: (set_state(world.league, state), world.team),
    "the entry": lambda world, state: set_state(world.entry, state),
    "an entry before the draw": lambda world, state: set_state(world.early_entry, state),
    "the entry and the captain": lambda world, state: (set_state(world.entry, state), world.player("captain")),
    "the entry and the partner": lambda world, state: (set_state(world.entry, state), world.player("partner")),
    "the match": lambda world, state: set_state(world.match, state),
    "the game": lambda world, state: world.game,
    "the case": lambda world, state: set_state(world.case, state),
    "the match, the captain's side": lambda world, state: (set_state(world.match, state), side(world, "captain")),
    "the match, the other side": lambda world, state: (set_state(world.match, state), side(world, "other_captain")),
}
