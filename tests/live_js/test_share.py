"""The page's part in the shuffle: what it commits to, what it opens, and what it tells when something is not right."""

import pytest

from games.engine import shuffle

from .harness import VIEW, FakeTable, boot, until

pytestmark = pytest.mark.browser

ROOT, SHARE = "ab" * 32, bytes(range(32))
SEATING = {key: value for key, value in VIEW.items() if key not in ("legal", "hand", "pile")} | {
    "phase": "seating",
    "ready": [True, False, True, True],
    "root": ROOT,
}


def promise(share: bytes = SHARE, seat: int = 1) -> str:
    return shuffle.share_commitment(share, str(VIEW["game"]), seat).hex()


def given(**more: object) -> dict[str, object]:
    return {"root": ROOT, "share": SHARE.hex(), "promise": promise(), "at": 0, "acked": True, "sent": True} | more


def test_the_browser_commits_as_the_server_checks(js):
    for seat in (0, 7):
        found = js("share.js", "m.promiseOf(...a)", SHARE.hex(), VIEW["game"], seat)
        assert found == promise(seat=seat)


COMMITTED = SEATING | {"ready": [True] * 4, "committed": ["", promise(), "", ""], "shares": [""] * 4, "share_by": 5}
DEALT = VIEW | {"shares": ["", SHARE.hex(), "", ""]}


@pytest.mark.parametrize(
    ("view", "more", "code"),
    [
        (SEATING, {"acked": False}, ""),
        (COMMITTED, {}, ""),
        (DEALT, {}, ""),
        (SEATING | {"root": "cd" * 32}, {"acked": False}, "root"),
        (COMMITTED | {"committed": ["", "0" * 64, "", ""]}, {}, "other"),
        (COMMITTED | {"shares": ["", "0" * 64, "", ""]}, {}, "other"),
        (DEALT | {"shares": ["", "0" * 64, "", ""]}, {}, "other"),
        (DEALT | {"shares": [""] * 4, "withheld": [1]}, {}, "lost"),
        (DEALT | {"shares": [""] * 4, "withheld": [1]}, {"sent": False}, "late"),
        (VIEW, {}, "lost"),
        (COMMITTED | {"beacon": {"round": 8}}, {"round": 8}, ""),
        (COMMITTED | {"beacon": {"round": 9}}, {"round": 8}, "round"),
        (VIEW, {"acked": False}, "absent"),  # another device of the player was ready first, or the server lies
    ],
)
def test_what_does_not_hold_is_found(js, view, more, code):
    assert js("share.js", "m.fault(a[0], 1, a[1])", view, given(**more)) == code


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (SEATING, ""),
        (COMMITTED, "The seats open their shares of the shuffle, within twenty seconds."),
        (VIEW, "Shuffled by the server alone."),
        (
            DEALT | {"beacon": {"round": 8}},
            "Shuffled by the server and 1 seat. Round 8 of the public beacon took part.",
        ),
        (
            VIEW | {"beacon": {"round": 8}},
            "Shuffled by the server, without a seat. Round 8 of the public beacon took part.",
        ),
        (
            VIEW | {"beacon": {"round": 8, "absent": True}},
            "Shuffled by the server alone. The public beacon was absent.",
        ),
        (DEALT, "Shuffled by the server and 1 seat."),
        (
            DEALT | {"withheld": [0, 2]},
            "Shuffled by the server and 1 seat. Not opened: the share of Martine and Océane.",
        ),
    ],
)
def test_who_took_part_is_said(js, view, words):
    names = ["Martine G", "Réjean L", "Océane T", "Yvon B"]
    assert js("share.js", "m.dealWords(a[0], a[1])", view, names) == words


def test_the_page_keeps_what_it_saw_of_the_beacon_and_when(opened):
    table = Shuffled(SEATING)
    table.more = {"beacon": {"round": 8, "at": 1, "by": 2}}
    page = opened(boot(SEATING), table)
    page.get_by_role("button", name="I am ready").click()
    until(page, "tockTable.view.shares?.[1]?.length === 64")
    kept = "JSON.parse(localStorage.getItem(`tock.share.${tockTable.view.game}.1`))"
    found = page.evaluate(kept)
    assert (found["round"], found.get("settled"), found["opened"] > found["at"] - 1) == (8, None, True)
    settled = {key: value for key, value in table.view.items() if key not in ("share_by", "committed")}
    table.say(table.event("shared", {}, settled | {"withheld": [2]}))
    until(page, f"{kept}.settled > 0")
    found = page.evaluate(kept)
    assert (found["withheld"], found["settled"] >= found["opened"]) == ([2], True)


def test_the_wait_for_the_beacon_is_shown_until_the_cards_come(opened):
    waiting = COMMITTED | {"beacon": {"round": 8, "at": 1_790_000_000_000, "by": 1_790_000_030_000}}
    page = opened(boot(waiting), FakeTable(waiting))
    shown = page.locator("#choices").get_by_text("The cards are dealt after round 8 of the public beacon, at ")
    shown.wait_for()
    page.reload()
    shown.wait_for()
    assert wait_words(page, waiting | {"beacon": {"round": 8}}) == ""


def wait_words(page, view):
    return page.evaluate("async (view) => (await import('/static/live/beacon.js')).waitWords(view)", view)


class Shuffled(FakeTable):
    """A table at which this seat is the last to be ready; it accepts a share. `shows`: what it then shows as opened."""

    shows = ""
    more: dict[str, object] = {}  # what else it shows once all are ready

    def obey(self, frame):
        kind, args = frame["kind"], frame["args"]
        if kind == "ready" and "share" in args:
            after = COMMITTED | {"committed": ["", args["share"], "", ""]} | self.more
        elif kind == "share":
            after = self.view | {"shares": ["", self.shows or args["value"], "", ""]}
        else:
            yield from super().obey(frame)
            return
        event = self.event(kind, args, after)
        yield {"t": "ack", "id": frame["id"], "seq": self.seq}
        yield event


def test_one_press_commits_and_the_page_opens_by_itself(opened):
    table = Shuffled(SEATING)
    page = opened(boot(SEATING), table)
    page.get_by_role("button", name="I am ready").click()
    until(page, "tockTable.view.shares?.[1]?.length === 64")
    ((ready,), (opening,)) = table.commands("ready"), table.commands("share")
    assert ready["share"] == promise(bytes.fromhex(opening["value"]))
    assert page.locator("#deal-note").get_attribute("role") is None


def test_a_reload_between_commitment_and_opening_keeps_the_share(opened):
    table = Shuffled(SEATING)
    page = opened(boot(SEATING), table)
    table.mute = True
    page.get_by_role("button", name="I am ready").click()
    until(page, "Object.keys(localStorage).length === 1")
    table.mute = False
    page.reload()
    until(page, "tockTable.view.shares?.[1]?.length === 64")
    ((ready,), (opening,)) = table.commands("ready"), table.commands("share")
    assert ready["share"] == promise(bytes.fromhex(opening["value"]))


def test_a_table_that_shows_another_share_is_named(opened):
    table = Shuffled(SEATING)
    table.shows = "0" * 64
    page = opened(boot(SEATING), table)
    page.get_by_role("button", name="I am ready").click()
    until(page, "document.getElementById('deal-note').textContent !== ''")
    note = page.get_by_role("alert").filter(has_text="another share")
    note.wait_for()
    assert "tell the organiser" in note.inner_text()
