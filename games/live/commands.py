"""A command on its way in, by socket or by HTTP: session and seat are looked up again each time."""

from games.permissions import Person
from games.selectors import games as reader
from games.services import play

from . import people
from .messages import Ack, Cmd, Nak


def submit(table_id: int, seat: int | None, person: Person, session_key: str, command: Cmd) -> play.Answer:
    """Carry the command out in the table's current game and answer; in a thread."""
    if session_key and people.ended([session_key]):
        return play.Answer(command.id, 0, code="auth", why="signed_out")
    if seat is None:
        return play.Answer(command.id, 0, code="auth", why="no_seat")
    return play.submit(
        game_id=reader.current_game(table_id).pk,
        seat=seat,
        command_id=command.id,
        turn=command.turn,
        kind=command.kind,
        args=command.args,
        by=person,
    )


def frame_of(answer: play.Answer) -> Ack | Nak:
    """Answer the frame that tells a service's answer."""
    if not answer.code:
        return Ack(id=answer.id, seq=answer.seq, dup=answer.dup)
    return Nak(id=answer.id, code=answer.code, why=answer.why, retry=answer.retry, seq=answer.seq)
