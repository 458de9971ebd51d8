"""Services that create and change users, players and site roles."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tock_league.common import bus, clock, outbox
from tock_league.common.errors import Refused
from tock_league.common.ids import new_slug
from tock_league.common.models import OutboxRow
from tock_league.common.names import checked_name, is_marked
from tock_league.common.transactions import writing
from tock_league.common.validation import checked
from tock_league.journal.services import OPEN, record

from . import bot_accounts, consents, minors, sessions, tokens
from .announcements import LoginShut, NameHidden, PlayerRenaming
from .merged import require_separate
from .models import DEFAULT_TIME_ZONE, BirthYear, Player, Role, User, naming
from .permissions import Person, label, require

LETTER_TASK = "tock_league.accounts.tasks.send_letter"
SITE_NAME = "Tock League"
GIVE_UP_AFTER = timedelta(days=1)
AT_ONCE = 200  # rows of one statement


def create_player(
    *,
    display_name: str,
    language: str = "fr",
    time_zone: str = DEFAULT_TIME_ZONE,
    user: User | None = None,
    bot: str = "",
    slug: str = "",
    birth_year: int | None = None,
    page_for: str = Player.Readers.CLUBS,
    shows_presence: bool = True,
) -> Player:
    """Return a new player, with a login or without one; a child under a pseudonym (decision 0030).

    `bot`: the level of the bot that plays for this name where bots are allowed, else "". `slug`: the public id; random
    when empty. The demo passes fixed ones, because its lots depend on them.
    Raises Refused naming the field when a value breaks the model's rules.
    """
    with writing():
        name = checked_name(display_name, field="display_name")
        _no_mark(name)
        player = Player(display_name=name, language=language, time_zone=time_zone, user=user, bot=bot)
        player.slug = slug or player.slug
        player.page_for = page_for
        player.shows_presence = shows_presence
        checked(player)  # the name that was typed, before a pseudonym takes its place
        birth = minors.named(player, birth_year)
        player.save()
        if birth is not None:
            birth.player = player
            checked(birth).save(force_insert=True)
        return player


def create_players(names: Sequence[str]) -> list[Player]:
    """Return new players without a login, in the order of their names; one statement. Raises Refused as `create_player`."""
    with writing():
        made = []
        for typed in names:
            name = checked_name(typed, field="display_name")
            _no_mark(name)
            player = Player(**naming(name))
            try:
                player.clean_fields()
            except ValidationError as error:
                raise Refused("display_name", error.messages[0], field="display_name") from error
            made.append(player)
        return Player.objects.bulk_create(made, batch_size=AT_ONCE)


def sign_up(*, user: User, display_name: str, language: str, birth_year: int) -> Player:
    """Write a new login with its player and the consent to the account; `user` is filled in and not yet saved.

    Raises Refused naming the field.
    """
    with writing():
        user.save()
        player = create_player(display_name=display_name, language=language, user=user, birth_year=birth_year)
        consents.to_account(player)
        return player


def create_user(*, email: str, password: str | None = None) -> User:
    """Return a new login whose address counts as confirmed; for organisers' tools and the demo, not for sign-up.

    The password is not checked against the rules of sign-up. Raises Refused("email_taken") for a known address.
    """
    from allauth.account.models import EmailAddress

    with writing():
        address = email.strip().lower()
        if User.objects.filter(email__iexact=address).exists():
            raise Refused("email_taken", _("This address already has an account."), field="email")
        user = User.objects.create_user(username=new_slug(), email=address, password=password)
        EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
        return user


def set_password(*, user: User, password: str) -> None:
    """Give a login a new password, which is not checked against the rules of sign-up; for the demo."""
    with writing():
        user.set_password(password)
        user.save(update_fields=["password"])


def choose_language(*, by: Person, player: Player, language: str) -> Player:
    """Change the language in which a player reads pages, mails and notices; only the own. Refused on `language`."""
    with writing():
        require(by, "profile.edit", player, needed="player")
        player = Player.objects.select_for_update().get(pk=player.pk)
        player.language = language
        checked(player).save(update_fields=["language", "updated_at"])
        return player


def edit_profile(
    *,
    by: Person,
    player: Player,
    display_name: str,
    language: str,
    time_zone: str,
    page_for: str = "",
    shows_presence: bool | None = None,
) -> Player:
    """Change a player's name, language, time zone, who sees the page and presence; only the own profile.

    A name that changes is judged: Refused on `display_name` when it is not readable, or looks like the name of another
    member of a club or of another player of an event that this player is in. A child's name is known to its clubs only;
    the pseudonym stays. `page_for`, `shows_presence`: as they were when empty or None.
    """
    with writing():
        require(by, "profile.edit", player, needed="player")
        child = minors.is_child(player)
        name = "" if child else _judged(player, display_name)
        player = Player.objects.select_for_update().get(pk=player.pk)
        player.display_name = name or player.display_name
        player.language = language
        player.time_zone = time_zone
        player.page_for = page_for or player.page_for
        player.shows_presence = player.shows_presence if shows_presence is None else shows_presence
        checked(player).save()
        if child:
            birth = BirthYear.objects.select_for_update().get(player=player)
            birth.called = checked_name(display_name, field="display_name")
            checked(birth).save(update_fields=["called"])
        return player


def tell_birth_year(*, by: Person, player: Player, year: int) -> Player:
    """Write the year of birth of a player whose login is older than the question. A child gets a pseudonym at once.

    Where the site keeps copies of the name, in names of teams and tables, the pseudonym takes its place too.
    Raises Refused on `birth_year`; Conflict when it is known.
    """
    with writing():
        require(by, "profile.edit", player, needed="player")
        former = player.display_name
        minors.note(player, year)
        if player.display_name != former:
            bus.publish(PlayerRenaming(player.pk, player.display_name))
            bus.publish(NameHidden(player.pk, former, player.display_name))
            Player.objects.filter(pk=player.pk).update(**naming(player.display_name), updated_at=clock.now())
        return player


def ask_birth_year_again(*, by: Person, player: Player) -> None:
    """Let somebody who mistyped the year of birth tell it again, at the next sign-in; for an administrator. Idempotent.

    Until then the former year counts. The journal says that it was done, and never the year. A pseudonym stays until
    another name is chosen.
    """
    with writing():
        require(by, "login.manage", needed="administrator")
        if BirthYear.objects.filter(player=player, asked_again=False).update(asked_again=True):
            record(OPEN, "birth_year.asked_again", actor=label(by), body={"player": label(player)})


def _judged(player: Player, display_name: str) -> str:
    """Return the new name of `player`. A name that changes is judged; Refused as `edit_profile` says."""
    name = display_name.strip()
    if name != Player.objects.values_list("display_name", flat=True).get(pk=player.pk):
        name = checked_name(name, field="display_name")
        if not player.is_bot_account:
            _no_mark(name)
        elif not is_marked(name):
            raise Refused("bot_name", _("The name of a bot account ends with “(bot)”."), field="display_name")
        bus.publish(PlayerRenaming(player.pk, name))
    return name


def _no_mark(name: str) -> None:
    if is_marked(name):
        text = _("Only the name of a bot account ends with “(bot)”. Choose another name.")
        raise Refused("bot_name", text, field="display_name")


def give_role(*, player: Player, name: str, by: Person) -> Role:
    """Give a site role and record it in the journal. Idempotent."""
    with writing():
        require(by, "role.give", needed="administrator")
        if name not in Role.Name.values:
            raise Refused("role_name", _("There is no such role."), field="name")
        minors.require_no_child(player)
        bot_accounts.require_person(player)
        require_separate(player.pk, field="player")
        role, created = Role.objects.get_or_create(
            player=player,
            name=name,
            until=None,
            defaults={"since": clock.now(), "given_by": by if isinstance(by, Player) else None},
        )
        if created:
            record(OPEN, "role.given", actor=label(by), body={"role": name, "player": label(player)})
        return role


def end_role(*, role: Role, by: Person) -> Role:
    """End a site role now and record it in the journal. Idempotent."""
    with writing():
        require(by, "role.give", needed="administrator")
        role = Role.objects.select_for_update().get(pk=role.pk)
        if role.until is None:
            role.until = clock.now()
            role.save(update_fields=["until"])
            record(OPEN, "role.ended", actor=label(by), body={"role": role.name, "player": label(role.player)})
        return role


def promise_letter(kind: str, *, email: str, language: str, site: str, **more: str | int) -> OutboxRow:
    """Enqueue a letter to `email`; a worker writes and sends it (tasks.send_letter).

    `kind`: confirm, exists, reset or ready. `language`: of the letter. `site`: the address with which its links begin.
    """
    with writing():
        body: dict[str, Any] = {"kind": kind, "email": email, "language": language, "site": site, **more}
        return outbox.enqueue(LETTER_TASK, new_slug(24), **body)


def letter_sent(outbox_id: int) -> None:
    """Mark a letter as sent, and forget its address and text."""
    with writing():
        OutboxRow.objects.filter(pk=outbox_id).update(body={})
        outbox.done(outbox_id)


def gave_up(outbox_id: int) -> bool:
    """Return whether a letter that cannot be sent is old enough to be given up."""
    return not OutboxRow.objects.filter(pk=outbox_id, created_at__gt=clock.now() - GIVE_UP_AFTER).exists()


def rename_player(*, by: Person, player: Player, display_name: str) -> Player:
    """Change the name that others see, for an administrator, and record in the journal that it was done.

    Raises Refused on `display_name` as `edit_profile` does.
    """
    with writing():
        require(by, "login.manage", needed="administrator")
        if minors.is_child(player):
            raise Refused(
                "pseudonym", _("A child plays under the pseudonym that the site has chosen."), field="display_name"
            )
        name = _judged(player, display_name)
        player = Player.objects.select_for_update().get(pk=player.pk)
        player.display_name = name
        checked(player).save()
        record(OPEN, "player.renamed", actor=label(by), body={"player": label(player)})
        return player


def set_active(*, by: Person, user: User, active: bool) -> User:
    """Let a login sign in, or not; its sessions and sockets end within seconds, and those of its bot accounts. Idempotent.

    Raises Refused `own_login` when an administrator would shut their own login, `merged` when a login would be opened whose
    player was given up in a merge.
    """
    return _switch(by, user, "is_active", active, "login.activated" if active else "login.deactivated")


def set_staff(*, by: Person, user: User, staff: bool) -> User:
    """Let a login into the admin, or not. Idempotent. Raises Refused `own_login` as `set_active` does."""
    return _switch(by, user, "is_staff", staff, "login.let_in" if staff else "login.shut_out")


def _switch(by: Person, user: User, column: str, value: bool, kind: str) -> User:
    with writing():
        user = _managed(by, user, shuts=not value)
        if column == "is_active" and value:
            require_separate(*Player.objects.filter(user=user).values_list("pk", flat=True))
        if getattr(user, column) != value:
            setattr(user, column, value)
            user.save(update_fields=[column])
            if column == "is_active" and not value:
                bot_accounts.stop(user)
                bus.publish(LoginShut(user.pk))
            _record_login(kind, by, user)
        return user


def remove_factors(*, by: Person, user: User) -> int:
    """Remove the second factors and recovery codes of somebody who has lost them, and end all sessions; return how many
    rows were removed. Idempotent. Raises Refused `own_login`: for the own ones a second administrator is needed.
    """
    with writing():
        user = _managed(by, user, shuts=True)
        removed, _by_model = Authenticator.objects.filter(user=user).delete()
        if removed:
            sessions.end_others(user)
            _record_login("login.factors_removed", by, user)
        return removed


def revoke_tokens(*, by: Person, user: User) -> int:
    """Take every access token of a login and of its bots out of force, such as after a leak; return how many. Idempotent."""
    with writing():
        user = _managed(by, user, shuts=False)
        bots = User.objects.filter(player__account__owner__user=user)
        revoked = sum(tokens.revoke_all(each) for each in (user, *bots))
        if revoked:
            _record_login("login.tokens_revoked", by, user)
        return revoked


def _managed(by: Person, user: User, *, shuts: bool) -> User:
    """Return the login, locked, if `by` may manage it."""
    require(by, "login.manage", needed="administrator")
    if shuts and isinstance(by, Player) and by.user_id == user.pk:
        raise Refused("own_login", _("You cannot shut out your own login; another administrator can."))
    return User.objects.select_for_update().get(pk=user.pk)


def _record_login(kind: str, by: Person, user: User) -> None:
    """Record what was done to a login. It is named by its player, or by its random user name: addresses are personal."""
    player = Player.objects.filter(user=user).first()
    subject = {"player": label(player)} if player is not None else {"login": user.username}
    record(OPEN, kind, actor=label(by), body=subject)
