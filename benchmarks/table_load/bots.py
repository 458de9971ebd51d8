"""Tables where four bots play against each other: `python -m benchmarks.table_load bots COUNT`."""

from games.services import tables
from games.services.tables import SeatPlan

from .furnish import SEATS, hurry


def main(count: int) -> None:
    """Open the tables; the web process lets the bots play."""
    hurry()
    for number in range(count):
        plan = [SeatPlan(seat, bot="club") for seat in range(SEATS)]
        tables.open_match_table(
            rules="shawinigan/1", name=f"Bots {number}", seat_plan=plan, team_names=["A", "B"], bots_allowed=True
        )
    print(count)
