"""The commitments at the beginning of a record, the server's and the seats', and the shares that are opened."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from games.fold import BY_SEATS, CLOCK, NONE, SHARE_MS, SYSTEM, Chain, Row, acts, round_for

from .. import pulses
from ..deals import DEALS
from .common import Judged, refuse
from .opened import DIGEST, from_hex


class Committed(Judged):
    """One method per code; the docstrings say what a row must be."""

    def commit(self, row: Row) -> None:
        """The commitment to 64 deals, before the first row or when the deck that is needed next has none.

        The first one says whether the seats may add shares, in older games they add none, and names the chain of the
        beacon, if there is one; later ones repeat both.
        """
        root, first = row.body.get("root"), row.seq == 1
        due = 0 if first else self.state.decks + 1
        by_seats = row.body.get("shares") != NONE if first else bool(self.state.shares.root)
        shares = BY_SEATS if by_seats else NONE
        beacon = self._chain(row) if by_seats else ""
        want = {
            "scheme": "tock-deal-v1",
            "first": due,
            "deals": DEALS,
            "root": root,
            "shares": shares,
            "beacon": beacon,
        }
        if first and by_seats:
            want["setup"] = self.setup.digest
        if due % DEALS or not _is_hex(root) or row.body != want:
            raise refuse("record_commitment", row, "body", _("This is no commitment to the deals that follow."))
        self._by(row, SYSTEM)

    def _chain(self, row: Row) -> object:
        """Return what the commitment says of the beacon, if that is right."""
        named = row.body.get("beacon")
        if row.seq > 1:
            beacon = self.state.shares.beacon
            return beacon.chain.to_json() if beacon is not None else ""
        if named == "" or not isinstance(named, Mapping):
            return ""
        try:
            return Chain.from_json(named).to_json()
        except ValueError:
            raise refuse("record_commitment", row, "beacon", _("This is no chain of a public beacon.")) from None

    def ready(self, row: Row) -> None:
        seat, shares = self._seat(row), self.state.shares
        if row.seq == 1 or self.state.position is not None or self.state.ready[seat]:
            raise refuse("record_act", row, "seat", _("Each seat says once that it is ready, before the first deal."))
        if "share" in row.body and not (shares.root and _is_hex(row.body["share"])):
            raise refuse("record_commitment", row, "share", _("This is no commitment to a share."))

    def sharing(self, row: Row) -> None:
        """All seats are ready, a seat has committed or there is a beacon, there is time enough to open, and the beacon's
        round is published later.
        """
        state, shares = self.state, self.state.shares
        if state.position is not None or not state.all_there or shares.settled or shares.until:
            raise refuse("record_act", row, "code", _("Shares are opened once, when all seats are ready."))
        until = row.at + (SHARE_MS if shares.any else 0)
        if row.body.get("until") != until:
            raise refuse("record_commitment", row, "until", _("The seats have twenty seconds to open their shares."))
        fixed = round_for(shares.beacon.chain, until) if shares.beacon is not None else None
        if row.body != acts.body(acts.Sharing(until=until, round=fixed)):
            raise refuse("record_commitment", row, "round", _("Another round of the beacon follows from this time."))
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

    def beacon(self, row: Row) -> None:
        """The round that was named before, signed by the chain's key; or none, when the table has waited long enough."""
        beacon = self.state.shares.beacon
        if not self.state.shares.pending or beacon is None or row.at < beacon.due:
            raise refuse("record_act", row, "code", _("No round of the beacon was waited for here."))
        if row.at > beacon.by:
            if row.body != {"round": beacon.round, "absent": True}:
                raise refuse("record_commitment", row, "absent", _("The table had stopped waiting for the beacon."))
            self._by(row, CLOCK)
            return
        signature = row.body.get("signature")
        if not isinstance(signature, str) or not pulses.is_signed(beacon.chain, beacon.round, signature):
            raise refuse("record_commitment", row, "signature", _("The beacon’s source has not signed this round so."))
        pulse = pulses.Pulse(beacon.round, signature)
        if row.body != {"round": pulse.round, "signature": signature, "randomness": pulse.randomness}:
            raise refuse("record_commitment", row, "randomness", _("Other bytes follow from the beacon’s signature."))
        self._by(row, SYSTEM)


def _is_hex(value: object) -> bool:
    """Return whether `value` is 32 bytes in lower-case hex."""
    return isinstance(value, str) and value == value.lower() and bool(from_hex(value, DIGEST))
