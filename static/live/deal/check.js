// "Check this deal": the record of a finished game is followed row by row, and everything that docs/deal.md promises is
// computed again. What is wrong is an error with the row's number and a code. Pure; a second program that does the same
// is games/verifier.py.
import { Hands } from "./hands.js";
import * as n from "./numbers.js";

const TIME = 20000; // ms to open a share
const LEAD = 3000; // ms from the last moment to open a share to the beacon's round, at least
const WAIT = 30000; // ms from its publication until the cards are dealt without it
const SCHEME = "bls-unchained-g1-rfc9380";
const FIRST = 0; // the deal of the draw for the first dealer

/** @typedef {{[key: string]: any}} Body */
/**
 * @typedef {object} RecordRow
 * @property {number} seq @property {number} epoch @property {string} kind @property {string} code @property {Body} body
 * @property {string} actor @property {number} at @property {string} command_id @property {string} chain
 */
/**
 * @typedef {object} Head
 * @property {string} record @property {string} game @property {string} rules @property {number} seats
 * @property {number} teams @property {boolean} [full_ranking] @property {number} [rounds] @property {object} [cap]
 * @property {string} chain
 */
/** @typedef {{seed: Uint8Array, salt: Uint8Array}} Secret */
/** @typedef {{chain: string, key: string, genesis: number, period: number, scheme: string}} Chain */
/**
 * The public beacon of one game. `published`, `by`: when its round is published, and given up (ms); `early`: an outage
 * let seats open shares after it was published; `randomness`: "" until it is known, and when it is absent.
 * @typedef {{chain: Chain, round: number, published: number, by: number, settled: boolean, early: boolean,
 *   randomness: string}} Beacon
 */

/** Something is wrong: `row` is 0 for the head or the whole; `code` says what. */
export class Wrong extends Error {
  /** @param {number} row @param {string} code */
  constructor(row, code) {
    super(`row ${row}: ${code}`);
    this.row = row;
    this.code = code;
  }
}

const KEYS = ["actor", "at", "body", "chain", "code", "command_id", "epoch", "kind", "seq"];
const SIZES = /** @type {{[rules: string]: number[]}} */ ({ "tock/1": [4, 6, 8] });

/** JSON as it is hashed: keys sorted, no spaces, ASCII. @param {unknown} value @returns {string} */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value && typeof value === "object") {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${canonical(key)}:${canonical(item)}`).join(",")}}`;
  }
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** @param {unknown} a @param {unknown} b */
const same = (a, b) => canonical(a) === canonical(b);
const isWhole = Number.isSafeInteger;

/** The beacon that a commitment names, null where there is none. @param {any} named @returns {Beacon | null} */
function beaconOf(named) {
  if (named === "") return null;
  const { chain, key, genesis, period, scheme } = named ?? {};
  const fits =
    same(Object.keys(named ?? {}).sort(), ["chain", "genesis", "key", "period", "scheme"]) &&
    n.isHex(chain, 32) &&
    n.isHex(key, 96) &&
    isWhole(genesis) &&
    isWhole(period) &&
    0 <= genesis &&
    genesis < 2 ** 33 &&
    0 < period &&
    period <= 3600 &&
    scheme === SCHEME;
  if (!fits) throw new Wrong(1, "commitment");
  return { chain: named, round: 0, published: 0, by: 0, settled: false, early: false, randomness: "" };
}

class Check {
  /** @param {Head} head @param {RecordRow[]} rows @param {number} block deals under one root */
  constructor(head, rows, block) {
    this.head = head;
    this.rows = rows;
    this.block = block;
    this.seats = Array.from({ length: head.seats }, (_, seat) => seat);
    this.deck = n.pack(head.rules, head.seats) ?? [];
    const commits = rows.filter((row) => row.code === "commit");
    this.roots = new Map(commits.map(({ body }) => [body.first, body.root]));
    this.committed = new Set(); // first deals of the commitments so far
    this.bySeats = commits[0]?.body.shares !== "zero";
    /** @type {unknown} */
    this.opened = rows.find((row) => row.code === "open")?.body.deals;
    this.ready = new Set();
    this.out = new Set(); // teams that never came
    /** @type {Map<number, string>} */
    this.promises = new Map();
    /** @type {Map<number, string>} */
    this.shares = new Map();
    this.until = 0;
    this.closed = false;
    /** @type {Beacon | null} */
    this.beacon = null;
    this.drawn = false;
    this.ended = false;
    this.decks = 0;
    this.blinds = 0;
    /** @type {Uint8Array[]} by deal */
    this.keys = [];
    /** @type {Hands | null} */
    this.hands = head.rules === "tractor/1" ? null : new Hands(head);
    /** @type {{hands: Hands | null, blinds: number}[]} after each row */
    this.past = [{ hands: null, blinds: 0 }];
    /** @type {{[code: string]: (row: RecordRow) => void}} */
    this.follow = {
      commit: (row) => this.commit(row),
      ready: (row) => this.getReady(row),
      sharing: (row) => this.sharing(row),
      share: (row) => this.share(row),
      shared: (row) => this.settle(row),
      beacon: (row) => this.light(row),
      draw: (row) => this.draw(row),
      begin: (row) => this.begin(row),
      play: (row) => this.play(row),
      forfeit: ({ body }) => {
        if (!this.drawn) for (const team of body.teams) this.out.add(team);
      },
      credit: ({ body }) => {
        const { beacon } = this;
        if (this.until && !this.closed) this.until = Math.max(this.until + body.ms, body.back + TIME);
        if (this.until && beacon && !beacon.settled) beacon.by = Math.max(beacon.by + body.ms, body.back + WAIT);
      },
      rewind: (row) => this.rewind(row),
      open: (row) => this.open(row),
    };
  }

  run() {
    if (this.rows[0]?.code !== "commit") throw new Wrong(1, "no_commitment");
    let chain = n.digest("tock-record-v1|", this.head.game);
    if (this.head.chain !== n.hexOf(chain)) throw new Wrong(0, "chain");
    let [at, epoch] = [0, 0];
    for (const [i, row] of this.rows.entries()) {
      const { chain: seal, ...bare } = row;
      chain = n.digest(chain, canonical(bare));
      if (seal !== n.hexOf(chain)) throw new Wrong(i + 1, "chain");
      if (row.code === "rewind") epoch += 1;
      if (row.seq !== i + 1 || row.at < at || row.epoch !== epoch) throw new Wrong(i + 1, "order");
      at = row.at;
      if ((row.kind === "play") !== (row.code === "play") || !["play", "act"].includes(row.kind))
        throw new Wrong(row.seq, "kind");
      if (this.ended && row.code !== "phrase") throw new Wrong(row.seq, "after_end");
      try {
        if (Object.hasOwn(this.follow, row.code)) this.follow[row.code](row);
      } catch (error) {
        throw error instanceof Wrong ? error : new Wrong(row.seq, "form");
      }
      this.past.push({ hands: this.hands?.copy() ?? null, blinds: this.blinds });
    }
    if (this.drawn && !this.ended) throw new Wrong(0, "not_opened");
  }

  /** @param {RecordRow} row @param {boolean} holds @param {string} code */
  need(row, holds, code) {
    if (!holds) throw new Wrong(row.seq, code);
  }

  /** @param {RecordRow} row @returns {number} */
  seat(row) {
    const { seat } = row.body;
    this.need(row, this.seats.includes(seat) && row.actor === `seat:${seat}`, "author");
    return seat;
  }

  /** @param {RecordRow} row */
  commit(row) {
    const { head, bySeats } = this;
    const first = row.seq === 1 ? 0 : this.decks + 1;
    if (row.seq === 1 && bySeats) this.beacon = beaconOf(row.body.beacon);
    /** @type {Body} */
    const want = {
      scheme: "tock-deal-v1",
      first,
      deals: this.block,
      root: row.body.root,
      shares: bySeats ? "seats" : "zero",
      beacon: this.beacon?.chain ?? "",
    };
    if (row.seq === 1 && bySeats) {
      const { game, rules, seats, teams, full_ranking = false, rounds = 0, cap } = head;
      const kind = { game, rules, seats, teams, full_ranking, rounds };
      want.setup = n.hexOf(n.digest(canonical(cap ? { ...kind, cap } : kind)));
    }
    const fits = n.isHex(row.body.root, 32) && same(row.body, want) && row.actor === "system";
    this.need(row, fits && first % this.block === 0, "commitment");
    this.committed.add(first);
  }

  /** @param {RecordRow} row */
  getReady(row) {
    const seat = this.seat(row);
    this.need(row, !this.ready.has(seat) && !this.until && !this.drawn, "ready");
    this.ready.add(seat);
    if (!("share" in row.body)) return;
    this.need(row, this.bySeats && n.isHex(row.body.share, 32), "promise");
    this.promises.set(seat, row.body.share);
  }

  allThere() {
    return this.seats.every((seat) => this.ready.has(seat) || this.out.has(seat % this.head.teams));
  }

  /** @param {RecordRow} row */
  sharing(row) {
    const { beacon } = this;
    const due = (this.promises.size > 0 || beacon !== null) && this.allThere() && !this.until && !this.drawn;
    this.need(row, due && row.actor === "system", "sharing");
    this.until = row.at + (this.promises.size ? TIME : 0);
    this.need(row, row.body.until === this.until, "time");
    if (beacon) {
      const { genesis, period } = beacon.chain;
      beacon.round = Math.max(1, Math.ceil((this.until + LEAD - genesis * 1000) / (period * 1000)) + 1);
      beacon.published = (genesis + (beacon.round - 1) * period) * 1000;
      beacon.by = beacon.published + WAIT;
    }
    const want = beacon ? { until: this.until, round: beacon.round } : { until: this.until };
    this.need(row, same(row.body, want), "round");
  }

  /** @param {RecordRow} row */
  share(row) {
    const seat = this.seat(row);
    const { value } = row.body;
    const due = this.until && !this.closed && this.promises.has(seat) && !this.shares.has(seat);
    this.need(row, Boolean(due) && row.at <= this.until, "sharing");
    this.need(row, n.isHex(value, 32) && same(row.body, { seat, value }), "share");
    const promise = n.hexOf(n.promiseOf(n.bytesOf(value), this.head.game, seat));
    this.need(row, promise === this.promises.get(seat), "share");
    this.shares.set(seat, value);
    this.see(row);
  }

  /** A share is opened or withheld: was the round public already? @param {RecordRow} row */
  see(row) {
    if (this.beacon && row.at >= this.beacon.published) this.beacon.early = true;
  }

  /** The seats that committed and have not opened. */
  get withheld() {
    return this.seats.filter((seat) => this.promises.has(seat) && !this.shares.has(seat));
  }

  /** @param {RecordRow} row */
  settle(row) {
    const { withheld } = this;
    this.need(row, this.until > 0 && !this.closed && (!withheld.length || row.at > this.until), "sharing");
    this.need(row, same(row.body, { withheld }) && row.actor === (withheld.length ? "clock" : "system"), "withheld");
    this.closed = true;
    if (withheld.length) this.see(row);
  }

  /** The beacon's round, or the end of the wait for it. @param {RecordRow} row */
  light(row) {
    const { beacon } = this;
    this.need(row, Boolean(this.closed && beacon && !beacon.settled && row.at >= beacon.published), "beacon");
    if (!beacon) return;
    const { round } = beacon;
    beacon.settled = true;
    if (row.at > beacon.by) {
      this.need(row, same(row.body, { round, absent: true }) && row.actor === "clock", "beacon");
      return;
    }
    const { signature } = row.body;
    this.need(row, n.isHex(signature, 48), "beacon");
    beacon.randomness = n.hexOf(n.digest(n.bytesOf(signature)));
    const fits = same(row.body, { round, signature, randomness: beacon.randomness });
    this.need(row, fits && row.actor === "system", "beacon");
  }

  /** @param {RecordRow} row */
  draw(row) {
    const settled = this.beacon ? this.beacon.settled : !this.promises.size || this.closed;
    const due = !this.drawn && this.allThere() && settled;
    this.need(row, due && row.actor === "system", "draw");
    this.drawn = true;
    this.readSeeds();
    const { dealer, drawn } = n.firstDealer(n.shuffled(this.keys[FIRST], this.deck), this.head.seats);
    this.need(row, same(row.body, { dealer, cards: drawn }), "dealer");
    if (this.hands) this.hands.dealer = dealer;
  }

  /** A practice game that begins at a position: deal 0 shuffles its stock, without shares. @param {RecordRow} row */
  begin(row) {
    const { position } = row.body;
    this.need(row, !this.drawn && !this.bySeats && row.seq === 2 && row.actor === "system", "begin");
    this.need(row, same(Object.keys(row.body).sort(), ["of", "pile", "position", "seq", "shown"]), "begin");
    const { rules, seats, teams, stock } = position;
    const { head, hands } = this;
    this.need(row, hands !== null && same([rules, seats, teams], [head.rules, head.seats, head.teams]), "begin");
    this.drawn = true;
    this.readSeeds();
    this.need(row, same(stock, n.shuffled(this.keys[FIRST], n.named(stock))), "stock");
    this.need(row, Boolean(hands?.begin(position)), "begin");
  }

  /** The key of each opened deal, proved under its root. */
  readSeeds() {
    if (!Array.isArray(this.opened)) throw new Wrong(0, "not_opened");
    const at = this.rows.find((row) => row.code === "open")?.seq ?? 0;
    const shares = this.seats.map((seat) => n.bytesOf(this.shares.get(seat) ?? "00".repeat(32)));
    const beacon = n.bytesOf(this.beacon?.randomness ?? "");
    /** @type {Secret[]} */
    const secrets = [];
    for (const [d, deal] of this.opened.entries()) {
      const { seed, salt, path } = /** @type {Body} */ (deal ?? {});
      const whole =
        n.isHex(seed, 32) && n.isHex(salt, 16) && Array.isArray(path) && path.every((node) => n.isHex(node, 32));
      if (!whole || !same(deal, { d, seed, salt, path })) throw new Wrong(at, "opening");
      const secret = { seed: n.bytesOf(seed), salt: n.bytesOf(salt) };
      const index = d % this.block;
      const root = n.rootOf(n.leafOf(secret.seed, secret.salt), index, this.block, path.map(n.bytesOf));
      if (!root || n.hexOf(root) !== this.roots.get(d - index)) throw new Wrong(at, "seed");
      const before = secrets[d - this.block];
      if (this.bySeats && before) {
        const follows = seed === n.hexOf(n.laterOf(before.seed, d)) && salt === n.hexOf(n.laterOf(before.salt, d));
        if (!follows) throw new Wrong(at, "later_seed");
      }
      secrets.push(secret);
      this.keys.push(n.keyOf(secret.seed, this.head.game, d, shares, beacon));
    }
  }

  /** @param {RecordRow} row */
  play(row) {
    const { play: line, seat } = row.body;
    this.need(row, typeof line === "string" && this.drawn, "play");
    const [word, ...cards] = line.split(" ");
    if (word === "deck") this.dealDeck(row, cards);
    else if (word === "blind") this.burn(row, cards.join(" "));
    else if (this.hands) {
      this.need(row, this.seats.includes(seat), "play");
      this.need(row, this.hands.line(seat, line), "card");
    }
  }

  /** @param {RecordRow} row @param {string[]} cards */
  dealDeck(row, cards) {
    this.decks += 1;
    this.blinds = 0;
    this.need(row, this.decks % this.block > 0 || this.committed.has(this.decks), "no_commitment");
    const key = this.keys[this.decks];
    this.need(row, Boolean(key), "not_opened");
    this.need(row, same(cards, n.shuffled(key, this.deck)), "deck");
    this.need(row, row.actor === "system" && same(row.body, { play: row.body.play, chance: true }), "author");
    if (this.hands) this.need(row, this.hands.deck(cards), "card");
  }

  /** @param {RecordRow} row @param {string} card */
  burn(row, card) {
    const { seat, play } = row.body;
    const { hands } = this;
    this.need(row, Boolean(hands?.held[seat]?.length), "blind");
    if (!hands) return;
    this.need(row, card === n.blindOf(this.keys[this.decks], this.blinds, hands.held[seat]), "blind");
    this.need(row, row.actor === "system" && same(row.body, { seat, play, chance: true }), "author");
    this.blinds += 1;
    hands.line(seat, `blind ${card}`);
  }

  /** The cards of an earlier decision are held again. @param {RecordRow} row */
  rewind(row) {
    const { to } = row.body;
    this.need(row, isWhole(to) && to > 0 && to < row.seq, "rewind");
    this.hands = this.past[to].hands?.copy() ?? null;
    this.blinds = this.past[to].blinds;
  }

  /** @param {RecordRow} row */
  open(row) {
    this.need(row, row.actor === "system" && same(Object.keys(row.body), ["deals"]) && this.drawn, "opening");
    this.need(row, this.keys.length === this.decks + 1, "used");
    this.ended = true;
  }
}

/**
 * The head and the rows of a record, from its lines.
 * @param {string[]} lines @returns {{head: Head, rows: RecordRow[]}}
 */
function read(lines) {
  const [head, ...rows] = lines.map((line, i) => {
    try {
      return JSON.parse(line);
    } catch {
      throw new Wrong(i, "form");
    }
  });
  const { record, game, rules, seats, teams } = head ?? {};
  const fits =
    record === "tock-record/1" &&
    typeof game === "string" &&
    /^[0-9A-Za-z]{1,40}$/.test(game) &&
    typeof rules === "string" &&
    (SIZES[rules] ?? [4]).includes(seats) &&
    isWhole(teams) &&
    teams >= 2 &&
    teams <= seats &&
    n.pack(rules, seats);
  if (!fits) throw new Wrong(0, "head");
  for (const [i, row] of rows.entries()) {
    const { seq, epoch, kind, code, body, actor, at, command_id, chain } = row ?? {};
    const whole =
      same(Object.keys(row ?? {}).sort(), KEYS) &&
      [seq, epoch, at].every(isWhole) &&
      [kind, code, actor, command_id].every((value) => typeof value === "string") &&
      body !== null &&
      typeof body === "object" &&
      !Array.isArray(body) &&
      n.isHex(chain, 32);
    if (!whole) throw new Wrong(i + 1, "form");
  }
  return { head, rows };
}

/**
 * What the record proves. Throws Wrong.
 * @param {string} text the exported record, JSON Lines @param {number} [block] deals under one root; tests have fewer
 * @returns {{game: string, root: string, decks: number, shares: (string | null)[], withheld: number[],
 *   bySeats: boolean, beacon: Beacon | null, begun: boolean}}   `begun`: at a position of another game
 * `shares`: per seat, null where none was opened; `decks`: without the draw for the first dealer; `beacon`: null in a
 * game without one. That its source has signed the round is not checked here.
 */
export function check(text, block = 64) {
  const { head, rows } = read(text.split("\n").filter(Boolean));
  const found = new Check(head, rows, block);
  found.run();
  return {
    game: head.game,
    root: found.roots.get(0) ?? "",
    decks: found.decks,
    shares: found.seats.map((seat) => found.shares.get(seat) ?? null),
    withheld: found.withheld,
    bySeats: found.bySeats,
    beacon: found.beacon?.settled ? found.beacon : null,
    begun: rows[1]?.code === "begin",
  };
}
