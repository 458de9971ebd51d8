// Who holds which cards in a game of Tock, as far as its lines tell: a blind burn depends on the hand. Pure.

const HANDS = [5, 4, 4];
// One dealer for a whole deck; elsewhere the next seat deals each hand.
const DEALER_KEEPS = ["shawinigan/1", "tock-air/1"];
const JOKER_DRAWS = ["shawinigan/1"];

export class Hands {
  /** @param {{rules: string, seats: number, teams: number, full_ranking?: boolean}} head */
  constructor({ rules, seats, teams, full_ranking }) {
    this.rules = rules;
    this.seats = seats;
    this.teams = teams;
    this.ranked = Boolean(full_ranking); // each for oneself, until one seat is left
    this.dealer = 0;
    this.deal = 0;
    /** @type {string[][]} */
    this.held = Array.from({ length: seats }, () => []);
    /** @type {string[]} */
    this.stock = [];
    /** @type {Map<number, string>} */
    this.given = new Map();
    /** @type {Set<string>[]} the places in heaven that each seat has taken */
    this.inside = Array.from({ length: seats }, () => new Set());
  }

  /** @returns {Hands} */
  copy() {
    /** @type {Hands} */
    const other = Object.assign(Object.create(Hands.prototype), this);
    other.held = this.held.map((hand) => [...hand]);
    other.stock = [...this.stock];
    other.given = new Map(this.given);
    other.inside = this.inside.map((places) => new Set(places));
    return other;
  }

  /**
   * Take the hands of a position; false when it is none of this table.
   * @param {{dealer: number, deal: number, hands: string[][], stock: string[], marbles: string[][],
   *   given?: (string | null)[]}} position
   */
  begin({ dealer, deal, hands, stock, marbles, given }) {
    if (hands.length !== this.seats || marbles.length !== this.seats || !HANDS[deal]) return false;
    this.dealer = dealer;
    this.deal = deal;
    this.held = hands.map((hand) => [...hand]);
    this.stock = [...stock];
    this.given = new Map();
    for (const [seat, card] of (given ?? []).entries()) if (card) this.given.set(seat, card);
    this.inside = marbles.map((places) => new Set(places.filter((place) => place.startsWith("h"))));
    return true;
  }

  /** A new deck is dealt; false when cards are still held. @param {string[]} cards */
  deck(cards) {
    if (this.held.some((hand) => hand.length)) return false;
    this.stock = [...cards];
    this.deal = 0;
    this.dealOut();
    return true;
  }

  dealOut() {
    const playing = Array.from({ length: this.seats }, (_, i) => (this.dealer + 1 + i) % this.seats).filter(
      (seat) => !this.home(seat),
    );
    for (let round = 0; round < HANDS[this.deal]; round += 1)
      for (const seat of playing) this.held[seat].push(/** @type {string} */ (this.stock.shift()));
  }

  /** Has the seat finished, while others play on? @param {number} seat */
  home(seat) {
    return this.ranked && this.inside[seat].size === 4;
  }

  /** Follow a line; false when a card is laid that the seat does not hold. @param {number} seat @param {string} line */
  line(seat, line) {
    const [word, ...rest] = line.split(" ");
    const hand = this.held[seat];
    if (line === "throw") hand.length = 0;
    else {
      const card = word === "give" || word === "burn" || word === "blind" ? rest[0] : word;
      const at = hand.indexOf(card);
      if (at < 0) return false;
      hand.splice(at, 1);
      if (word === "give") {
        this.give(seat, card);
        return true;
      }
      if (word === "JK" && JOKER_DRAWS.includes(this.rules)) hand.push(/** @type {string} */ (this.stock.shift()));
      this.move(seat, rest);
    }
    if (!this.held.some((cards) => cards.length)) this.next();
    return true;
  }

  /** Cards are handed over when all have given. @param {number} seat @param {string} card */
  give(seat, card) {
    this.given.set(seat, card);
    if (this.given.size < this.seats) return;
    for (const [giver, given] of this.given) this.held[(giver + this.teams) % this.seats].push(given);
    this.given.clear();
  }

  /** @param {number} seat @param {string[]} legs */
  move(seat, legs) {
    if (!this.ranked) return;
    for (const leg of legs) {
      const [from, to = ""] = leg.split("-");
      this.inside[seat].delete(from);
      if (to.startsWith("h")) this.inside[seat].add(to);
    }
    if (this.home(seat)) this.held[seat].length = 0;
  }

  /** All hands are empty: who deals next, and the next hand if the deck has one. */
  next() {
    this.deal += 1;
    if (this.deal === HANDS.length || !DEALER_KEEPS.includes(this.rules) || this.home(this.dealer)) {
      for (let i = 0; i < this.seats; i += 1) {
        this.dealer = (this.dealer + 1) % this.seats;
        if (!this.home(this.dealer)) break;
      }
    }
    if (this.deal < HANDS.length) this.dealOut();
  }
}
