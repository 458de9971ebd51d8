"""Founding, joining and leaving clubs, and their roles; everything is recorded in the journal's stream `open`."""

from collections.abc import Sequence

from django.conf import settings
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.bot_accounts import require_person
from tock_league.accounts.merged import require_separate
from tock_league.accounts.minors import require_consent, require_no_child
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, label, require
from tock_league.common import bus, clock
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.common.ids import new_slug
from tock_league.common.limits import spend_of_day
from tock_league.common.names import checked_name
from tock_league.common.transactions import writing
from tock_league.common.validation import checked
from tock_league.journal.services import OPEN, Draft, record, record_all

from ..announcements import HomeChanged
from ..models import Club, ClubRole, Membership
from .naming import locked_club, no_club_alike, no_member_alike

TOO_MANY_CLUBS = _("You have founded several clubs today. Come back tomorrow.")
TOO_MANY_JOINS = _("You have joined many clubs today. Come back tomorrow.")
RESERVED_SLUGS = frozenset({"new"})


def found_club(*, by: Person, name: str, town: str, about: str = "") -> Club:
    """Return a new club; a founding player becomes its member and first officer."""
    with writing():
        require(by, "club.found", needed="player")
        if isinstance(by, Player):
            require_consent(by.pk)
            require_no_child(by)  # who founds a club is its officer
        name = checked_name(name, field="name")
        slug = slugify(name)[:48]
        if not slug or slug in RESERVED_SLUGS or Club.objects.filter(slug=slug).exists():
            slug = f"{slug}-{new_slug(4)}".strip("-")
        club = Club(slug=slug, name=name, town=town.strip(), about=about.strip())
        no_club_alike(club)
        checked(club)
        spend_of_day(by, "club", count=settings.CLUBS_PER_DAY, sentence=TOO_MANY_CLUBS)
        club.save()
        _tell("club.founded", by, club)
        if isinstance(by, Player):
            home = not Membership.objects.filter(player=by, home=True, until__isnull=True).exists()
            enrol(club, by, home=home, by=by)
            ClubRole.objects.create(club=club, player=by, name=ClubRole.Name.OFFICER, since=clock.now(), given_by=by)
            _tell("club_role.given", by, club, player=label(by), role=ClubRole.Name.OFFICER.value)
        return club


def edit_club(*, by: Person, club: Club, name: str, town: str, about: str) -> Club:
    """Change the description of a club; its address stays."""
    with writing():
        club = Club.objects.select_for_update().get(pk=club.pk)
        require(by, "club.edit", club, needed="club_officer")
        if name.strip() != club.name:
            club.name = checked_name(name, field="name")
            no_club_alike(club)
        club.town, club.about = town.strip(), about.strip()
        checked(club).save()
        return club


def set_talk(*, by: Person, club: Club, is_open: bool) -> Club:
    """Open or close the talk after the games that the club looks after. Idempotent."""
    with writing():
        club = Club.objects.select_for_update().get(pk=club.pk)
        require(by, "club.edit", club, needed="club_officer")
        club.has_talk = is_open
        club.save(update_fields=["has_talk", "updated_at"])
        return club


def join(*, by: Person, club: Club, player: Player | None = None, home: bool = True) -> Membership:
    """Return the membership of `player` (default: the person asking) in `club`. Idempotent.

    Raises Refused("I01", field "home") when the player's home club is another one, ("name_confusable", field "player")
    when another member's name looks the same.
    """
    with writing():
        member = _self_or_by_officer(by, club, player)
        club = locked_club(club)
        open_tie = Membership.objects.filter(club=club, player=member, until__isnull=True).first()
        if open_tie is not None:
            return open_tie
        elsewhere = (
            Membership.objects.filter(player=member, home=True, until__isnull=True).select_related("club").first()
        )
        if home and elsewhere is not None:
            raise Refused(
                "I01",
                _("%(player)s already has a home club, %(club)s. Join as a guest, or leave that club first.")
                % {"player": member.display_name, "club": elsewhere.club.name},
                field="home",
            )
        require_consent(member.pk, field="player")
        require_separate(member.pk, field="player")
        no_member_alike(club, member, member.display_name, field="player")
        if isinstance(by, Player) and by.pk == member.pk:  # an officer may enter a whole club in an evening
            spend_of_day(by, "join", count=settings.JOINS_PER_DAY, sentence=TOO_MANY_JOINS)
        return enrol(club, member, home=home, by=by)


def leave(*, by: Person, club: Club, player: Player | None = None) -> Membership:
    """End a membership and its roles. The last officer cannot leave before another one is named."""
    with writing():
        member = _self_or_by_officer(by, club, player)
        tie = Membership.objects.select_for_update().filter(club=club, player=member, until__isnull=True).first()
        if tie is None:
            raise Conflict(
                "not_a_member", _("%(player)s is not a member of this club.") % {"player": member.display_name}
            )
        officers = ClubRole.objects.filter(club=club, name=ClubRole.Name.OFFICER, until__isnull=True)
        if officers.filter(player=member).exists() and officers.count() == 1:
            raise Conflict("last_officer", _("The club's last officer cannot leave: name another officer first."))
        return end_ties(by=by, club=club, player=member)


def end_ties(*, by: Person, club: Club, player: Player) -> Membership:
    """End the open membership of a player and its roles, whoever is left; call it inside `writing()`."""
    now = clock.now()
    roles = ClubRole.objects.filter(club=club, player=player, until__isnull=True)
    names = sorted(roles.values_list("name", flat=True))
    roles.update(until=now)
    tie = Membership.objects.select_for_update().get(club=club, player=player, until__isnull=True)
    tie.until = now
    tie.save(update_fields=["until"])
    if tie.home:
        bus.publish(HomeChanged(player.pk, club.pk))
    for name in names:
        _tell("club_role.ended", by, club, player=label(player), role=name)
    _tell("club.left", by, club, player=label(player))
    return tie


def give_role(*, by: Person, club: Club, player: Player, name: str) -> ClubRole:
    """Give a member a role in the club. Idempotent."""
    with writing():
        require(by, "club.give_role", club, needed="club_officer")
        if name not in ClubRole.Name.values:
            raise Refused("club_role_name", _("Choose club officer or organiser."), field="name")
        if not Membership.objects.filter(club=club, player=player, until__isnull=True).exists():
            raise Refused(
                "not_a_member",
                _("%(player)s is not a member of this club.") % {"player": player.display_name},
                field="player",
            )
        require_no_child(player)
        require_person(player)
        role, created = ClubRole.objects.get_or_create(
            club=club,
            player=player,
            name=name,
            until=None,
            defaults={"since": clock.now(), "given_by": by if isinstance(by, Player) else None},
        )
        if created:
            _tell("club_role.given", by, club, player=label(player), role=role.name)
        return role


def end_role(*, by: Person, role: ClubRole) -> ClubRole:
    """End a role in a club. The role of the last officer cannot end."""
    with writing():
        role = ClubRole.objects.select_for_update().select_related("club").get(pk=role.pk)
        require(by, "club.give_role", role.club, needed="club_officer")
        if role.until is not None:
            return role
        same = ClubRole.objects.filter(club=role.club, name=ClubRole.Name.OFFICER, until__isnull=True)
        if role.name == ClubRole.Name.OFFICER and same.count() == 1:
            raise Conflict("last_officer", _("A club keeps at least one officer: name another one first."))
        role.until = clock.now()
        role.save(update_fields=["until"])
        _tell("club_role.ended", by, role.club, player=label(role.player), role=role.name)
        return role


def enrol(club: Club, player: Player, *, home: bool, by: Person) -> Membership:
    """Write a new membership; the caller holds the club's row and has checked everything."""
    tie = Membership.objects.create(club=club, player=player, home=home, since=clock.now())
    if home:
        bus.publish(HomeChanged(player.pk, club.pk))
    _tell("club.joined", by, club, player=label(player), home=home)
    return tie


def enrol_new(club: Club, players: Sequence[Player], *, by: Person) -> list[Membership]:
    """Write the memberships of players who have just been made, at home here; as `enrol` does, in a few statements.

    Nobody is told that their home has changed: nobody new has a rating that counts for a club.
    """
    now = clock.now()
    ties = Membership.objects.bulk_create([Membership(club=club, player=player, since=now) for player in players], 200)
    body = {"club": club.slug, "home": True}
    record_all(OPEN, [Draft("club.joined", {**body, "player": label(one)}, actor=label(by)) for one in players])
    return ties


def _tell(kind: str, by: Person, club: Club, **more: str | bool) -> None:
    record(OPEN, kind, actor=label(by), body={"club": club.slug, **more})


def _self_or_by_officer(by: Person, club: Club, player: Player | None) -> Player:
    """Return the player concerned: the person asking, or a player for whom an officer of the club acts."""
    if player is None:
        if not isinstance(by, Player):
            raise NotAllowed(needed="player")
        player = by
    if isinstance(by, Player) and by.pk == player.pk:
        require(by, "club.join", club, needed="player")
    else:
        require(by, "club.edit", club, needed="club_officer")
    return player
