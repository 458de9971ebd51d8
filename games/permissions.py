"""Who may sit where. Seats are read from the database at every command; a frame never says who somebody is."""

from dataclasses import dataclass

from games.models import Seating


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks: a player, a guest by the key in the session, a built-in bot, or nobody in particular."""

    player_id: int | None = None
    guest_key: str = ""
    bot: bool = False


REFEREES = ("referee", "head_referee")  # roles at a table, given by its competition

NOBODY = Person()
BOT = Person(bot=True)


def holds(seating: Seating, person: Person) -> bool:
    """Answer whether `person` may act on this seat. A seat that a bot plays is the bot's, whoever's name it bears."""
    if seating.bot:
        return person.bot
    if person.bot:
        return False
    if seating.player_id is not None:
        return seating.player_id == person.player_id
    return bool(seating.guest_key) and seating.guest_key == person.guest_key


def seat_of(table_id: int, person: Person) -> int | None:
    """Answer the seat that `person` holds at the table, or None: then a spectator."""
    if person.bot or (person.player_id is None and not person.guest_key):
        return None
    for seating in Seating.objects.filter(table_id=table_id):
        if holds(seating, person):
            return seating.seat
    return None
