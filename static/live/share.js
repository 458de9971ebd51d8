// The player's share of the shuffle (docs/deal.md): drawn here, committed to with "I am ready", kept until it is
// opened, opened by itself. Loaded after the table has been drawn.
import { byId, isSeat, say } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { listed, shortNames } from "./names.js";
import { sha256 } from "./sha256.js";
/** @import { Ack, Arguments, Boot, Nak, View } from "./types.js" */
/** @import { Link } from "./link.js" */

const KEPT = 40; // games whose shares are kept, to check the record against them

/**
 * What this browser gave. `root`: the server's commitment that was shown before; `acked`: the table took the promise;
 * `sent`: the share was sent; `opened`: when, by this device's clock (ms); `round`: of the beacon, as shown then;
 * `settled`: when this page saw the shares settled before the round was known, and `withheld`, which were missing.
 * @typedef {{root: string, share: string, promise: string, at: number, acked?: boolean, sent?: boolean,
 *   opened?: number, round?: number, settled?: number, withheld?: number[]}} Given
 */

/** @param {Uint8Array} bytes */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** What a seat publishes before it opens its share. @param {string} share @param {string} game @param {number} seat */
export function promiseOf(share, game, seat) {
  // The seat is written in four bytes, the highest first: one of at most eight seats fills the last.
  const head = new TextEncoder().encode(`tock-share-v1|${game}|\0\0\0${String.fromCharCode(seat)}|`);
  const bytes = (share.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  return hex(sha256(Uint8Array.of(...head, ...bytes)));
}

/** Where a share is kept. @param {string} game @param {number} seat */
export const shelfKey = (game, seat) => `tock.share.${game}.${seat}`;

/**
 * What does not hold of what this browser gave, as a code; "" when all is well. Pure.
 * @param {View} view @param {number} me @param {Given} given
 */
export function fault(view, me, given) {
  const dealt = view.phase !== "seating" && view.phase !== "over";
  if (view.root && view.root !== given.root) return "root";
  if (given.round && view.beacon && view.beacon.round !== given.round) return "round";
  const shown = view.shares?.[me];
  if (shown && shown !== given.share && given.acked) return "other";
  if (given.acked && view.committed && view.ready?.[me] && view.committed[me] !== given.promise) return "other";
  if (dealt && !given.acked) return "absent";
  if (dealt && !shown) return given.sent ? "lost" : "late";
  return "";
}

/** @param {string} code */
function faultWords(code) {
  if (code === "late") return gettext("Your share of the shuffle was not opened in time: zeros count for it.");
  if (code === "absent")
    return gettext(
      "Your share of the shuffle does not count: another device of yours was ready before. If not, tell the organiser.",
    );
  const what = {
    root: gettext("The server has replaced its commitment to the deals."),
    round: gettext("The server has replaced the round of the public beacon."),
    other: gettext("The table shows another share of the shuffle than the one that this page gave for you."),
    lost: gettext("The cards were dealt without your share of the shuffle, although this page sent it."),
  }[code];
  return what ? `${what} ${gettext("Do not rely on this deal, and tell the organiser.")}` : "";
}

/** Who took part in the shuffle, in a sentence. @param {View} view @param {string[]} names */
export function dealWords(view, names) {
  if (view.phase === "seating") {
    return view.share_by ? gettext("The seats open their shares of the shuffle, within twenty seconds.") : "";
  }
  const lit = view.beacon?.absent ? null : view.beacon;
  const count = (view.shares ?? []).filter(Boolean).length;
  const said = count
    ? [
        fill(
          ngettext("Shuffled by the server and %(count)s seat.", "Shuffled by the server and %(count)s seats.", count),
          {
            count,
          },
        ),
      ]
    : [lit ? gettext("Shuffled by the server, without a seat.") : gettext("Shuffled by the server alone.")];
  if (lit) said.push(fill(gettext("Round %(round)s of the public beacon took part."), { round: lit.round }));
  else if (view.beacon) said.push(gettext("The public beacon was absent."));
  const late = (view.withheld ?? []).map((seat) => shortNames(names)[seat]);
  if (late.length) said.push(fill(gettext("Not opened: the share of %(names)s."), { names: listed(late) }));
  return said.join(" ");
}

export class Share {
  /** @param {Boot} boot @param {Link} link @param {Storage | undefined} shelf */
  constructor(boot, link, shelf) {
    this.boot = boot;
    this.link = link;
    this.shelf = shelf;
    /** @type {Map<string, Given>} where the browser keeps nothing */
    this.memory = new Map();
    this.asked = ""; // the game whose share was sent by this page
    this.fault = "";
  }

  /** What to say with "I am ready". @param {View} view @returns {Arguments} */
  commit(view) {
    const { seat } = this.boot;
    if (!view.root || !isSeat(seat)) return {};
    // A second press, or a second window: the same share, for the first promise is final.
    const given = this.read(view.game, seat) ?? this.drawn(view.root, view.game, seat);
    this.write(view.game, seat, given);
    return { share: given.promise };
  }

  /** @param {string} root @param {string} game @param {number} seat @returns {Given} */
  drawn(root, game, seat) {
    const share = hex(crypto.getRandomValues(new Uint8Array(32)));
    return { root, share, promise: promiseOf(share, game, seat), at: Date.now() };
  }

  /** A newer state of the table: open the share when it is time, and check what is shown. @param {View} view */
  follow(view) {
    const { seat } = this.boot;
    this.tell(view);
    if (!isSeat(seat)) return;
    const given = this.read(view.game, seat);
    if (!given) return;
    if (!given.acked && view.committed?.[seat] === given.promise) {
      given.acked = true;
      this.write(view.game, seat, given);
    }
    // A server that settles the shares after the round is public has chosen among them: the replay compares.
    if (view.beacon?.at && !view.share_by && !given.settled) {
      Object.assign(given, { settled: Date.now(), withheld: view.withheld ?? [] });
      this.write(view.game, seat, given);
    }
    this.fault ||= fault(view, seat, given);
    this.tell(view);
    const mine = given.acked && view.committed?.[seat] === given.promise && !this.fault;
    if (mine && view.share_by && !view.shares?.[seat]) this.open(view, seat, given);
  }

  /** @param {View} view @param {number} seat @param {Given} given */
  async open(view, seat, given) {
    if (this.asked === view.game) return;
    this.asked = view.game;
    this.write(view.game, seat, { ...given, sent: true, opened: Date.now(), round: view.beacon?.round });
    // By HTTP every window of the seat counts, also one that looks on.
    const answer = await this.link.commands.send("share", { value: given.share }, undefined, this.link.aside);
    if (answer.t === "nak" && answer.code === "internal") this.asked = "";
  }

  /** The answer to "I am ready". @param {View} view @param {Ack | Nak} answer */
  answered(view, answer) {
    const { seat } = this.boot;
    const given = isSeat(seat) ? this.read(view.game, seat) : null;
    if (!given || !isSeat(seat) || answer.t !== "ack" || answer.dup) return;
    this.write(view.game, seat, { ...given, acked: true });
    this.follow(this.link.shown.view);
  }

  /** @param {View} view */
  tell(view) {
    const box = byId("deal-note");
    box.className = this.fault ? "refused" : "quiet-note";
    if (this.fault) box.setAttribute("role", "alert");
    say(box, this.fault ? faultWords(this.fault) : dealWords(view, this.boot.names));
  }

  /** @param {string} game @param {number} seat @returns {Given | null} */
  read(game, seat) {
    const key = shelfKey(game, seat);
    try {
      const text = this.shelf?.getItem(key);
      if (text) return JSON.parse(text);
    } catch {
      // Storage may be refused, or hold something else: what is in memory counts.
    }
    return this.memory.get(key) ?? null;
  }

  /** @param {string} game @param {number} seat @param {Given} given */
  write(game, seat, given) {
    const key = shelfKey(game, seat);
    this.memory.set(key, given);
    try {
      this.shelf?.setItem(key, JSON.stringify(given));
      this.prune();
    } catch {
      // Full or refused: the share lives as long as the page.
    }
  }

  /** Drop what was given in games of long ago. */
  prune() {
    const { shelf } = this;
    /** @param {string} key @returns {number} */
    const at = (key) => JSON.parse(shelf?.getItem(key) ?? "{}").at ?? 0;
    const keys = Object.keys(shelf ?? {}).filter((key) => key.startsWith("tock.share."));
    for (const key of keys.sort((a, b) => at(b) - at(a)).slice(KEPT)) shelf?.removeItem(key);
  }
}
