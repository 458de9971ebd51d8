// The shapes that modules hand each other. Only comments name this file: no page loads it.

/**
 * What a page holds: the whole of a `snap` frame.
 * @typedef {{epoch: number, seq: number, hash: string, view: object, you: object, clocks: object, now: number}} Held
 */

/**
 * Who sits where, for sentences.
 * @typedef {{seats: number, teams: number, rules: string, names: string[], team_names?: string[], me?: number}} Company
 */

/**
 * @typedef {{from: string, to: string}} Leg   `from` may be "r"; `to` may be "" where the play does not say
 * @typedef {"move" | "split" | "swap" | "out" | "skip" | "burn" | "blind" | "give" | "throw" | "deck"} Kind
 * @typedef {{text: string, card: string, kind: Kind, legs: Leg[]}} Play
 */

/**
 * @typedef {object} Doors   what the outside world is reached through; tests give their own
 * @property {typeof WebSocket} WebSocket
 * @property {typeof fetch} fetch
 * @property {() => number} now
 * @property {() => number} random
 * @property {Storage} [storage]
 * @property {() => void} reload
 */

/**
 * @typedef {object} Listener   whom the link tells what came
 * @property {(held: Held, steps: object[], whole: boolean) => void} held   `whole`: a snapshot, not events
 * @property {(frame: object) => void} who
 * @property {(code: string, at?: number) => void} note
 * @property {(code: string) => void} state   what is wrong with the line; "": nothing
 * @property {(count: number) => void} pending   how many commands are not answered yet
 */

/**
 * @typedef {object} State
 * @property {"closed" | "connecting" | "open"} socket
 * @property {boolean} joined      the server has answered the join of this socket
 * @property {number} since        when the socket entered that state, ms
 * @property {number} heard        when the last frame came
 * @property {number} pinged       when the last heartbeat went out
 * @property {number} retryAt      when a closed socket is to be opened again; 0: not at all
 * @property {number} tries        attempts since the last join
 * @property {number} bad          closes for a bad frame since the page was opened
 * @property {boolean} online
 * @property {boolean} shortClock  a running clock is under 20 s
 * @property {number} oldest       when the oldest unanswered command was last sent; 0: none
 *
 * @typedef {{kind: "tick" | "visible" | "online" | "offline" | "opened" | "closed" | "gap" | "hash" | "now",
 *            now: number, code?: number, random?: number}} Signal
 * @typedef {{n: number, do: "wait" | "ping" | "reconnect" | "rejoin" | "resend" | "post" | "reload",
 *            in?: number, say?: string}} Action   `in`: after so many milliseconds; `say`: what the page tells
 */

/**
 * What the player has marked so far, on this page only.
 * @typedef {object} Choice
 * @property {string} decision   the decision it belongs to
 * @property {string} card       the marked card, or ""
 * @property {boolean} laid      the card lies at the centre (with touch off: it is settled on this page)
 * @property {{from: string, to: string}[]} legs   legs already laid out, of a seven, in the player's order
 * @property {string} marble     place of the marble picked up, or ""
 * @property {string} play       the whole play, waiting for "Confirm" or, a shared seven, for "Release"; or ""
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

export {};
