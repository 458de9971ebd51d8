"""The verdict on a game: compares all frames and acknowledgements with the committed rows.

`committed` and `behind` check while the game runs, on their own connection; the rest is checked at the end.
"""

from typing import TYPE_CHECKING, Any

from . import answers, record, secrecy, told

if TYPE_CHECKING:
    from .client import Client
    from .game import Simulation
    from .network import Link


def committed(simulation: "Simulation", link: "Link", frame: dict[str, Any]) -> None:
    """Report a frame with a row that is not committed at the moment when a process sends the frame."""
    ask, name = simulation.witness.ask, link.client.name
    if frame["t"] == "ack":
        if not ask("SELECT 1 FROM games_gameevent WHERE command_id = ? AND seq = ?", frame["id"], frame["seq"]):
            simulation.wrong(f"{name} is told that {frame['id']} is row {frame['seq']}, which is not committed")
        return
    if frame["t"] == "snap":
        link.game = frame["view"]["game"]
    seq = frame["seq"] if frame["t"] == "snap" else frame["list"][-1]["seq"]
    stored = ask("SELECT last_seq FROM games_game WHERE slug = ?", link.game)
    if not stored or stored[0][0] < seq:
        simulation.wrong(f"{name} is told row {seq}, which is not committed")


def rows_stored(simulation: "Simulation", table_id: int) -> int:
    """Return how many rows of the table are committed."""
    found = simulation.witness.ask("SELECT SUM(last_seq) FROM games_game WHERE table_id = ?", table_id)
    return int(found[0][0])


def games_over(simulation: "Simulation", table_id: int) -> int:
    """Return how many games of the table are over."""
    found = simulation.witness.ask("SELECT COUNT(*) FROM games_game WHERE state = 'over' AND table_id = ?", table_id)
    return int(found[0][0])


def behind(simulation: "Simulation") -> list[str]:
    """Return a line for each problem of a client that is not up to date."""
    latest = "SELECT slug, last_seq FROM games_game WHERE table_id = ? ORDER BY number DESC LIMIT 1"
    at = {table.pk: simulation.witness.ask(latest, table.pk)[0] for table in simulation.tables}
    return [line for client in simulation.clients for line in _behind(simulation, client, *at[client.table_id])]


def _behind(simulation: "Simulation", client: "Client", game: str, seq: int) -> list[str]:
    if client in simulation.lost:
        return []
    found = []
    if not client.polls and (client.link is None or client.link.cut or client.settled < 0):
        found.append(f"{client.name} has no socket")
    elif not client.polls and client.heard < simulation.over_at:
        found.append(f"{client.name} has heard nothing since the faults ended")
    if client.held.game != game or (client.seat is not None and client.held.seq != seq):
        found.append(f"{client.name} is at {client.held.game} {client.held.seq}, the rows at {game} {seq}")
    if client.pending:
        found.append(f"{client.name} waits for an answer: {[asked.frame for asked in client.pending.values()]}")
    return found


def healed(simulation: "Simulation") -> None:
    """Report every client that is not up to date at the end of the time without faults."""
    for line in behind(simulation):
        simulation.wrong(line)


def judge(simulation: "Simulation") -> None:
    """Compare the whole history with the rows."""
    games = simulation.games = record.read(simulation)
    if simulation.faults and any(game.broken for game in games):
        return
    answers.judge(simulation, games)
    told.judge(simulation, games)
    secrecy.judge(simulation, games)
