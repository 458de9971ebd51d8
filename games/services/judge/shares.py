"""The commitments at the beginning of a record, the server's and the seats', and the shares that are opened."""

from django.utils.translation import gettext_lazy as _

from games.fold import BY_SEATS, CLOCK, NONE, SHARE_MS, SYSTEM, Row

from ..deals import DEALS
from .common import Judged, refuse
from .opened import DIGEST, from_hex


class Committed(Judged):
    """One method per code; the docstrings say what a row must be."""

    def commit(self, row: Row) -> None:
        """The commitment to 64 deals, before the first row or when the deck that is needed next has none.

        The first one says whether the seats may add shares; in older games they add none.
        """
        root, first = row.body.get("root"), row.seq == 1
        due = 0 if first else self.state.decks + 1
        by_seats = row.body.get("shares") != NONE if first else bool(self.state.shares.root)
        shares = BY_SEATS if by_seats else NONE
        want = {"scheme": "tock-deal-v1", "first": due, "deals": DEALS, "root": root, "shares": shares, "beacon": ""}
        if first and by_seats:
            want["setup"] = self.setup.digest
        if due % DEALS or not _is_hex(root) or row.body != want:
            raise refuse("record_commitment", row, "body", _("This is no commitment to the deals that follow."))
        self._by(row, SYSTEM)

    def ready(self, row: Row) -> None:
        seat, shares = self._seat(row), self.state.shares
        if row.seq == 1 or self.state.position is not None or self.state.ready[seat]:
            raise refuse("record_act", row, "seat", _("Each seat says once that it is ready, before the first deal."))
        if "share" in row.body and not (shares.root and _is_hex(row.body["share"])):
            raise refuse("record_commitment", row, "share", _("This is no commitment to a share."))

    def sharing(self, row: Row) -> None:
        """All seats are ready, a seat has committed, and there is time enough to open."""
        state, until = self.state, row.body.get("until")
        if state.position is not None or not state.all_there or not state.shares.any or state.shares.until:
            raise refuse("record_act", row, "code", _("Shares are opened once, when all seats are ready."))
        if row.body.keys() != {"until"} or until != row.at + SHARE_MS:
            raise refuse("record_commitment", row, "until", _("The seats have twenty seconds to open their shares."))
        self._by(row, SYSTEM)

    def share(self, row: Row) -> None:
        seat, shares, value = self._seat(row), self.state.shares, row.body.get("value")
        if not shares.open or not shares.committed[seat] or shares.opened[seat] or row.at > shares.until:
            raise refuse("record_act", row, "code", _("No share of this seat was to be opened here."))
        fits = isinstance(value, str) and _is_hex(value) and shares.fits(self.setup.game, seat, value)
        if not fits or row.body.keys() != {"seat", "value"}:
            raise refuse("record_commitment", row, "value", _("This is not the share that the seat committed to."))

    def shared(self, row: Row) -> None:
        shares = self.state.shares
        if not shares.open or (shares.missing and row.at <= shares.until):
            raise refuse("record_act", row, "code", _("The seats’ shares are not settled yet."))
        if row.body != {"withheld": list(shares.missing)}:
            raise refuse("record_commitment", row, "withheld", _("Other seats have not opened their shares."))
        self._by(row, CLOCK if shares.missing else SYSTEM)


def _is_hex(value: object) -> bool:
    """Return whether `value` is 32 bytes in lower-case hex."""
    return isinstance(value, str) and value == value.lower() and bool(from_hex(value, DIGEST))
