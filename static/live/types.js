// The shapes that modules hand each other, checked by TypeScript (tests/javascript). No page loads this file: only
// comments name it. What the server sends is described in docs/protocol.md.

// ---- the table

/**
 * What every view holds, whatever is played. Keys that may be left out are there in some phases only.
 * @typedef {object} View
 * @property {string} game       the game's public id
 * @property {string} rules
 * @property {number} seats
 * @property {number} teams
 * @property {string} phase
 * @property {string} decision   the id that commands name
 * @property {number} [turn]     the seat to act, from the first deal on
 * @property {boolean[]} [ready]    `seating`: per seat
 * @property {string} [root]        `seating`: what the server has committed to
 * @property {string[]} [committed] `seating`: what the seats have committed to, "" for nothing
 * @property {string[]} [shares]    what they have opened, once one has committed
 * @property {number} [share_by]    until when they may open (ms)
 * @property {number[]} [withheld]  seats that have not opened
 * @property {Light} [beacon]       the public beacon's part in the shuffle, once its round is fixed
 * @property {number[]} [count]     cards in hand, per seat
 * @property {string[]} [hand]      own seat
 * @property {string[]} [legal]     own seat: plays in notation
 * @property {Object<string, string[]>} [hands]   replay with all hands open: by seat
 * @property {number[]} [owed]      turns owed to a penalty, per seat
 * @property {Object<number, number>} [calls]     calls for the referee, by seat
 * @property {Frozen} [frozen]      while no play counts
 * @property {number[]} [out]       teams that have left while the others go on
 * @property {number[]} [finished]  seats that are home, in order
 * @property {{number: number, best_of: number, wins: number[]}} [games]   best of several
 * @property {number} [deal]        Tock: 0, 1 or 2
 * @property {TimeCap} [cap]         where the game has a time cap
 * @property {{ranks: number[], reason: string}} [result]   `over`: the rank of each team
 */

/**
 * `at`: when the round is published (ms), until it is known; `by`: when the table stops waiting; `absent`: it did.
 * @typedef {{round: number, at?: number, by?: number, absent?: boolean}} Light
 */

/**
 * `due`: when the time is up (ms); `left`: what is left at a frozen table (ms); `seconds`: before the first deal.
 * @typedef {{call: "deal" | "turn" | "stop", counts: "marbles" | "steps", tie: "allowed" | "next_home" | "one_deal",
 *   seconds?: number, due?: number, left?: number, called?: boolean, extra?: boolean}} TimeCap
 */

/**
 * Play is stopped; `until`: milliseconds.
 * @typedef {{by: "call" | "referee", seat?: number, seq: number, held?: boolean, until?: number}} Frozen
 */

/** @typedef {{rules: string, seats: number}} GameKind   what the sheet of a rule set depends on */

/**
 * Who sits where, for sentences.
 * @typedef {{seats: number, teams: number, rules: string, names: string[], team_names?: string[], me?: number}} Company
 */

// ---- what happens

/**
 * What an event tells of itself; which keys are there depends on its kind.
 * @typedef {object} Details
 * @property {number} [seat]
 * @property {string} [play]     in notation
 * @property {string} [card]
 * @property {string} [marble]   a place
 * @property {number} [owner]    of the marble
 * @property {string} [by]
 * @property {string} [why]
 * @property {number} [ms]
 * @property {number} [to]       `rewind`: the seq that play goes back to
 * @property {[number, number]} [plays]  `rewind`, in a replay: the numbers of the first and last play taken back
 * @property {boolean} [again]   `hold`: the referee who has the case keeps it
 * @property {number} [dealer]
 * @property {number[]} [ranks]
 * @property {number[]} [teams]
 * @property {string} [reason]
 * @property {string} [code]     of a phrase
 * @property {string} [call]     `cap`: "deal", "turn" or "stop"
 * @property {string} [tie]      `extra`: "next_home" or "one_deal"
 * @property {number[]} [counts] `extra`, `time`: what each team has reached
 */

/**
 * An effect: its kind, then what it is about. What an effect does not have is undefined.
 * @template {unknown[]} T
 * @typedef {[...T, ...undefined[]]} Effect
 */

/**
 * @typedef {[kind: string, ...about: unknown[]]} AnyEffect
 */

/**
 * @template {AnyEffect} F
 * @typedef {{seq: number, k: string, d?: Details, set?: object, fx?: F[]}} EventWith   `set`: a merge patch of the view
 */
/** @typedef {EventWith<AnyEffect>} GameEvent */
/**
 * An event with the views around it.
 * @template {View} V @template {GameEvent} E
 * @typedef {E & {before: V, after: V}} Step
 */
/** @typedef {Step<View, GameEvent>} AnyStep */
/**
 * An event in words, for the list of plays.
 * @typedef {object} Told
 * @property {number} seq
 * @property {number} [seat]
 * @property {string} card
 * @property {string} text
 * @property {string} notation
 * @property {boolean} [ruling]
 * @property {"eaten" | "burned"} [loud]   what nobody may miss
 * @property {Node} [mark]   what is drawn instead of the card
 */

/**
 * What is asked of an event, or of a step of a replay: the first one is no event.
 * @typedef {{k?: string, d?: Details, seq?: number}} Happening
 */

/** Texts by their code. @typedef {{[code: string]: string | undefined}} Texts */

/** Why something was refused. @typedef {{code: string, why?: string, until?: number}} Refusal */

// ---- frames

/** @typedef {{seat?: number, role: string, powers: string[], sees?: number}} You */

/**
 * Milliseconds; empty at a table without clocks. `spent`: of the running decision, before the clocks were stopped.
 * @typedef {{bank?: number[], run?: number, opened?: number, due?: number, spent?: number}} Clocks
 */

/** @typedef {{online?: boolean, bot?: string, name?: string}} Who */

/**
 * @typedef {object} Snap
 * @property {"snap"} t
 * @property {number} epoch
 * @property {number} seq
 * @property {You} you
 * @property {View} view
 * @property {Clocks} [clocks]
 * @property {number} now
 * @property {string} hash
 */

/**
 * @typedef {object} Events
 * @property {"ev"} t
 * @property {number} epoch
 * @property {number} from
 * @property {GameEvent[]} list
 * @property {Clocks} [clocks]
 * @property {number} [now]
 * @property {string} [hash]
 */

/**
 * @typedef {{t: "ack", id: string, seq?: number, dup?: boolean}} Ack
 * @typedef {{t: "nak", id: string, code: string, why?: string, retry?: boolean, seq?: number, until?: number}} Nak
 * @typedef {{t: "hb", n: number, seq: number, hash?: string, clocks?: Clocks, now?: number}} Beat
 * @typedef {{t: "who", seats: Who[], spectators: number}} Presence
 * @typedef {{t: "note", code: string, at?: number}} Note
 * @typedef {Snap | Events | Ack | Nak | Beat | Presence | Note} Frame
 */

/**
 * @typedef {{[name: string]: string}} Arguments
 * @typedef {{t: "cmd", id: string, game: string, turn: string, kind: string, args: Arguments}} Command
 */

/**
 * What a page holds: the whole of a `snap` frame.
 * @template {View} [V=View]
 * @typedef {{epoch: number, seq: number, hash: string, view: V, you: You, clocks: Clocks, now: number}} Held
 */

/**
 * What a page of a table or a replay is sent with.
 * @typedef {object} Boot
 * @property {string} table
 * @property {string} game
 * @property {string} [name]
 * @property {string} kind        `match`, `practice`, ...
 * @property {string} role
 * @property {number | null} [seat]
 * @property {number} seats
 * @property {number} teams
 * @property {string} rules
 * @property {boolean} touch      laying a card and touching a marble bind
 * @property {string[]} names
 * @property {string[]} [team_names]
 * @property {string[]} [bots]    by seat, "" for a person
 * @property {{on_duty?: boolean, wait_s?: number}} [referee]
 * @property {Snap} snap
 * @property {string} ws
 * @property {string} commands
 * @property {string} events
 * @property {string} record
 * @property {string} [replay_url]
 * @property {string} [export]    replay: the record as a file
 * @property {string} [analysis]
 * @property {string} [coach]     where the coach of a practice table is asked
 * @property {string} [comments]  replay: of a finished game
 * @property {string} [alternatives]
 * @property {boolean} [other_plays]  whether the game lists what else could be played
 * @property {string} [again]
 * @property {Object<string, string>} [again_fields]
 * @property {string} [back]
 * @property {string} [ending] the page of the end of the game
 * @property {string} [back_name] the words on that link
 * @property {string} [desk]      for a referee: the case file
 * @property {string} [dispute]
 * @property {string} [rulings]   where the rulings about the game are asked for
 * @property {boolean} [replay]
 * @property {string} [as]        replay: whose view
 * @property {string[]} [views]   replay: the views that may be chosen
 * @property {string} [example]   of a play, in the command line
 * @property {string} csrf
 */

/**
 * What sentences need of the page's data.
 * @typedef {Pick<Boot, "seats" | "teams" | "names" | "team_names" | "seat">} Named
 */

// ---- the line to the server

/**
 * @typedef {object} Doors   what the outside world is reached through; tests give their own
 * @property {typeof WebSocket} WebSocket
 * @property {typeof fetch} fetch
 * @property {() => number} now
 * @property {() => number} random
 * @property {Storage} [storage]   of this window
 * @property {Storage} [shelf]     of all windows of this browser
 * @property {() => void} reload
 */

/**
 * @typedef {object} Listener   whom the link tells what came
 * @property {(held: Held, steps: AnyStep[], whole: boolean) => void} held   `whole`: a snapshot, not events
 * @property {(frame: Presence) => void} who
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
 * @property {number} delayed      since when this host says that it is delayed; 0: it never has
 * @property {number} delayedAt    when it last said so
 * @property {number} probed       when it was last tried whether another host is not
 *
 * @typedef {{kind: "tick" | "visible" | "online" | "offline" | "opened" | "closed" | "gap" | "hash" | "now"
 *            | "elsewhere", now: number, code?: number, random?: number}} Signal
 *   `code`: of the close; `random`: 0 to 1
 * @typedef {{n: number, do: "wait" | "ping" | "reconnect" | "rejoin" | "resend" | "post" | "reload" | "probe",
 *            in?: number, say?: string}} Action   `in`: after so many milliseconds; `say`: what the page tells
 */

export {};
