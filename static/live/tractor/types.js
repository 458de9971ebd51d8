// The shapes that Tractor's modules hand each other. Only comments name this file: no page loads it.

/** @typedef {{rank: string, suit?: string}} Trump  without a suit: a no-trump round */
/**
 * @typedef {{rank?: string, suit?: string, suitOf: (card: string) => string, levelOf: (card: string) => number}} Order
 */

/**
 * A single (`pairs` 0), a pair (1) or a tractor; `top`: its highest level.
 * @typedef {{pairs: number, top: number, cards: string[]}} Part
 */
/** @typedef {{suit: string, size: number, pairs: number, parts: Part[]}} Shape  `pairs`: those in tractors too */

/**
 * What a hand owes: `count` cards of `suit`, of which `pairs` pairs (`run` of them consecutive, under the house rule);
 * `size`: cards led; `held`: cards of the suit in the hand; `free`: cards of any other suit.
 * @typedef {{suit: string, size: number, held: number, count: number, free: number, pairs: number, run: number}} Owed
 */

/**
 * A view of Tractor: keys of the round, as docs/protocol.md lists them.
 * @typedef {object} TractorKeys
 * @property {"seating" | "deck" | "draw" | "show" | "bury" | "play" | "over"} phase
 * @property {number} [round]       from 1
 * @property {number} [rounds]      where their number is fixed
 * @property {string[]} [ranks]     `2` .. `A`, `won`, by team
 * @property {number} [drawer]
 * @property {number} [declarers]   a team
 * @property {number} [starter]     its seat
 * @property {number} [left]        `draw`: cards to be drawn
 * @property {number[]} [passed]    seats
 * @property {{seat: number, cards: string[]}} [show]   the standing show
 * @property {Trump} [trump]
 * @property {string[]} [turned]    cards of the talon that named the suit
 * @property {number} [leader]
 * @property {string[][]} [trick]   from the leader on
 * @property {number} [best]        who wins the trick so far
 * @property {{seat: number, back: string[], paid: number}} [failed]   a throw that failed
 * @property {number[]} [captured]  points of this round, by team
 * @property {number[]} [paid]      penalties of this round, by team
 * @property {number[]} [points]    points made as opponents, by team
 * @property {Trick} [last]         the trick before
 * @property {Round} [previous]     the round before
 * @property {string[]} [talon]     own seat: the cards taken up
 * @property {string[]} [buried]    own seat: the cards laid face down
 * @typedef {import("../types.js").View & TractorKeys} TractorView
 */

/** @typedef {{leader: number, plays: string[][], winner: number, points: number}} Trick */

/**
 * A round that is over. `gains`: ranks climbed, `ranks`: where each team stands then; both by team.
 * @typedef {object} Round
 * @property {number} round
 * @property {number} declarers
 * @property {Trump} trump
 * @property {number[]} captured
 * @property {number[]} paid
 * @property {number} talon         its points, multiplied
 * @property {string[]} buried
 * @property {number} total
 * @property {number[]} gains
 * @property {string[]} ranks
 */

/**
 * What the page knows of the rules of the table.
 * @typedef {{keeps_rank?: boolean, duty?: boolean, talon: number, take_over: number}} TractorSheet
 */

/**
 * @template {unknown[]} T
 * @typedef {import("../types.js").Effect<T>} Effect
 */
/**
 * In the order of docs/protocol.md.
 * @typedef {Effect<["deck", number]>
 *   | Effect<["drawn", number]>
 *   | Effect<["overridden", number, string[]]>
 *   | Effect<["redeal"]>
 *   | Effect<["turned", string[]]>
 *   | Effect<["trumps", string, string]>
 *   | Effect<["talon", number]>
 *   | Effect<["buried", number, number]>
 *   | Effect<["failed", number, string[], string[], number]>
 *   | Effect<["trick", number, number]>
 *   | Effect<["buried_were", string[], number]>
 *   | Effect<["round", number, number[], string[]]>
 *   | Effect<["starter", number]>
 *   | Effect<["over", number[]]>} TractorEffect
 */
/**
 * @typedef {import("../types.js").EventWith<TractorEffect>} TractorEvent
 * @typedef {import("../types.js").Step<TractorView, TractorEvent>} TractorStep
 */

/**
 * What the player has chosen, as the page shows it.
 * @typedef {{order: Order, leading: boolean, cards: string[], owed: Owed | null, shape: Shape | null}} Choice
 */

/**
 * What the page shows of a view and of a choice. `mine`: this seat plays or buries; `may`: it may be done now.
 * @typedef {object} TractorSituation
 * @property {import("../types.js").Boot} boot
 * @property {import("../types.js").Company} company
 * @property {TractorView} view
 * @property {Choice} choice
 * @property {boolean} mine
 * @property {boolean} may
 * @property {boolean} busy
 * @property {boolean} stopped
 * @property {boolean} seated
 * @property {TractorSheet} sheet
 */

export {};
