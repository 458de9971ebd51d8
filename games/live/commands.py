"""An incoming command, by socket or by HTTP. Login and seat are looked up again for each one."""

from games.permissions import Login, Person
from games.selectors import games as reader
from games.services import play

from . import people
from .messages import Ack, Cmd, Nak


def request_of(table_id: int, seat: int, person: Person, login: Login | None, command: Cmd) -> play.Request:
    """Return the service request for this command."""
    return play.Request(
        table_id=table_id,
        seat=seat,
        id=command.id,
        turn=command.turn,
        kind=command.kind,
        args=command.args,
        by=person,
        login=login,
        game=command.game,
    )


def submit(table_id: int, seat: int | None, person: Person, login: Login | None, command: Cmd) -> play.Answer:
    """Carry the command out in the table's current game and return the service's response; call it in a thread."""
    if seat is None:
        return play.Answer(command.id, 0, code="auth", why="no_seat")
    return play.submit_one(request_of(table_id, seat, person, login, command))


def from_other_tab(request: play.Request) -> play.Answer:
    """Refuse a command from a window that only watches, with `other_tab`.

    A command that was carried out before gets the same response again, and an ended login gets its own refusal.
    """
    if reader.was_answered(request.table_id, request.id) or (request.login and people.ended([request.login])):
        return play.submit_one(request)
    return play.Answer(request.id, 0, code="other_tab", why="other_tab")


def frame_of(answer: play.Answer) -> Ack | Nak:
    """Return the frame for a service's response."""
    if not answer.code:
        return Ack(id=answer.id, seq=answer.seq, dup=answer.dup)
    return Nak(id=answer.id, code=answer.code, why=answer.why, retry=answer.retry, seq=answer.seq, until=answer.until)
