// The shapes that Tractor's modules hand each other. Only comments name this file: no page loads it.

/** @typedef {{rank: string, suit?: string}} Trump  without a suit: a no-trump round */
/** @typedef {{rank?: string, suit?: string, suitOf: (card: string) => string, levelOf: (card: string) => number}} Order */

/** @typedef {{pairs: number, top: number, cards: string[]}} Part  a single (`pairs` 0), a pair (1) or a tractor; `top`: its highest level */
/** @typedef {{suit: string, size: number, pairs: number, parts: Part[]}} Shape  `pairs`: those in tractors too */

/**
 * What a hand owes: `count` cards of `suit`, of which `pairs` pairs (`run` of them consecutive, under the house rule);
 * `size`: cards led; `held`: cards of the suit in the hand; `free`: cards of any other suit.
 * @typedef {{suit: string, size: number, held: number, count: number, free: number, pairs: number, run: number}} Owed
 */

export {};
