// The shapes of Tock: its views, its plays, what the player does. Only comments name this file, as types.js.

/** @import { Boot, Company, Effect, EventWith, Step, View } from "./types.js" */

/** @typedef {Object<string, string[]>} Marbles   places by seat */

/**
 * A view of Tock. `seating` comes before the first deal.
 * @typedef {object} TockKeys
 * @property {"seating" | "give" | "play" | "joker" | "forced" | "blind" | "deck" | "over"} phase
 * @property {Marbles} marbles
 * @property {number[]} fresh       seats whose marble on its start is fresh
 * @property {number} [dealer]
 * @property {string} [pile]        the card on top
 * @property {boolean[]} [given]    `give`: per seat, whether its card is laid aside
 * @property {string} [laid]        `give`: the own card that is laid aside
 * @property {{card?: string, marble?: string, marbles?: string[]}} [touched]
 * @property {number[]} [thrown]    seats that have thrown in their hand
 * @typedef {View & TockKeys} TockView
 */

/**
 * What a page knows of a rule set (games/templatetags/_sheet.py).
 * @typedef {object} Sheet
 * @property {boolean} jumps      case 7 leads to the opposite one
 * @property {boolean} shelters   a marble on a case 8 is protected
 * @property {boolean} centre
 * @property {string[]} back      ranks that go back
 * @property {string[]} sweeps    ranks that eat on their way
 * @property {Object<string, number>} split   by rank, among how many marbles it is shared
 * @property {string[]} burns     ranks whose move makes the next seat burn a card
 * @property {Object<string, string>} effects  by rank, the words at the foot of the card
 */

/**
 * In the order of docs/protocol.md.
 * @typedef {Effect<["move", number, string, string]>
 *   | Effect<["jump", number, string, string]>
 *   | Effect<["out", number, string]>
 *   | Effect<["eaten", number, string]>
 *   | Effect<["swap", number, string, number, string]>
 *   | Effect<["threw", number, string[]]>
 *   | Effect<["left", number]>
 *   | Effect<["forced", number]>
 *   | Effect<["drawn", number]>
 *   | Effect<["exchanged"]>
 *   | Effect<["dealt", number]>
 *   | Effect<["deck", number]>
 *   | Effect<["home", number]>
 *   | Effect<["over", number[]]>} TockEffect
 */

/** @typedef {EventWith<TockEffect>} TockEvent */

/** @typedef {Step<TockView, TockEvent>} TockStep */

/**
 * @typedef {{from: string, to: string, steps?: number}} Leg   `from` may be "r"; `to` is "" where the play says none
 * @typedef {"move" | "split" | "swap" | "out" | "skip" | "burn" | "blind" | "give" | "throw" | "deck"} Kind
 * @typedef {{text: string, card: string, kind: Kind, legs: Leg[]}} Play
 */

/** Who sits where, seen by one who plays. @typedef {Company & {me: number}} Seated */

/**
 * What the player has marked so far, on this page only.
 * @typedef {object} Choice
 * @property {string} decision   the decision it belongs to
 * @property {string} card       the marked card, or ""
 * @property {boolean} laid      the card lies at the centre (with touch off: it is settled on this page)
 * @property {{from: string, to: string}[]} legs   legs already laid out, of a seven, in the player's order
 * @property {string} marble     place of the marble picked up, or ""; without a card it only narrows the cards
 * @property {string} play       the whole play, sent or, a shared seven, waiting for "Release"; or ""
 */

/**
 * Where the picked-up marble may go.
 * @typedef {object} Target
 * @property {string} from     place of the marble that moves
 * @property {string} place    where it goes (a swap: where the other marble stands)
 * @property {number} owner    owner of the marble that moves
 * @property {number} [other]  owner of the other marble of a swap
 * @property {"move" | "heaven" | "eat" | "swap"} kind
 * @property {number[]} eaten  owners of the marbles sent back
 * @property {string} play     the whole play when this target completes it, else ""
 * @property {number} more     spaces of a seven left for the legs to come
 */

/**
 * A button of the marked card: a play, or a marble with several ways to go.
 * @typedef {{target: Target, marble?: undefined, count?: undefined}
 *   | {target?: undefined, marble: {place: string, owner: number}, count: number}} Way
 */

/**
 * What the page shows of a view and of a choice. `stage`: of choose.js; `skip`: the play that sacrifices a ten, or "".
 * @typedef {object} Situation
 * @property {Boot} boot
 * @property {Seated} company    for somebody who only watches `me` is -1
 * @property {TockView} view
 * @property {string} stage
 * @property {Choice} choice
 * @property {boolean} busy
 * @property {boolean} stopped
 * @property {{place: string, owner: number}[]} marbles
 * @property {Target[]} targets
 * @property {string} skip
 */

/** The pile: cards, a hand laid down as a list. @typedef {(string | string[])[]} Pile */

/**
 * Where things lie on the board, in spaces, as the server drew it. `bowl`: x, y and radius.
 * @typedef {{own?: number, seats?: number, places: Object<string, number[]>, half: number, pile: number[],
 *   bowl?: number[]}} Geometry
 */

export {};
