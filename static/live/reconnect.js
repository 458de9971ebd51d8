// What the link does next. Pure: from the state of the connection and a signal comes one numbered action (types.js).

/** @import { Action, Signal, State } from "./types.js" */

export const HEARTBEAT = 5000;
export const HEARTBEAT_SHORT = 2500; // while a running clock is under 20 s
export const SHORT_CLOCK = 20000;
export const SILENCE = 11000; // two heartbeats unanswered: the socket is dead, whatever it says
export const RESEND = 2000;
export const CONNECT = 5000;
export const BACKOFF = [500, 8000];
export const RESTART_SPREAD = 3000;
export const RATE_PAUSE = 8000;
export const BAD_FRAMES = 3;
export const DELAYED = 8000; // so long without its database, and perhaps another host has one
export const DELAY_NOTES = 7000; // the host says every few seconds that it is delayed; after so long it no longer is
export const PROBE = 5000;

/** @param {number} n @param {string} [say] @returns {Action} */
const wait = (n, say) => ({ n, do: "wait", ...(say ? { say } : {}) });

/** Full jitter: anything up to twice the last pause, at most 8 s. @param {number} tries @param {number} random */
export const pause = (tries, random) =>
  Math.round(Math.min(BACKOFF[1], BACKOFF[0] * 2 ** Math.min(tries, 10)) * random);

/** @param {State} state @param {Signal} signal @returns {Action} */
function afterClose(state, signal) {
  const random = signal.random ?? 0;
  switch (signal.code) {
    case 4001:
      return wait(1, "signed_out");
    case 4004:
      return wait(28, "gone");
    case 4003:
      return { n: 2, do: "reload", say: "seat_lost" };
    case 4010:
      return { n: 3, do: "reload", say: "new_version" };
    case 1012: // a restart: everybody comes back, not at the same instant
      return { n: 4, do: "reconnect", in: Math.round(RESTART_SPREAD * random), say: "restart" };
    case 4008:
      return { n: 5, do: "reconnect", in: RATE_PAUSE, say: "rate" };
    case 4002:
      if (state.bad + 1 >= BAD_FRAMES) return wait(6, "broken");
      return { n: 7, do: "reconnect", in: BACKOFF[1], say: "lost" };
    default:
      if (!state.online) return wait(8, "offline");
      return { n: 9, do: "reconnect", in: pause(state.tries, random), say: "lost" };
  }
}

/** @param {State} state @param {Signal} signal @returns {Action} */
export function decide(state, signal) {
  const { now } = signal;
  if (signal.kind === "closed") return afterClose(state, signal);
  if (signal.kind === "opened") return { n: 10, do: "rejoin" };
  if (signal.kind === "gap" || signal.kind === "hash") {
    return state.socket === "open" ? { n: 11, do: "rejoin" } : wait(12);
  }
  if (signal.kind === "elsewhere") {
    const pause = Math.round(RESTART_SPREAD * (signal.random ?? 0));
    return state.socket === "open" ? { n: 30, do: "reconnect", in: pause, say: "restart" } : wait(31);
  }
  if (signal.kind === "offline") return wait(13, "offline");
  if (signal.kind === "visible" || signal.kind === "online") {
    if (state.socket === "open") return { n: 14, do: "ping" };
    if (state.socket === "closed" && state.retryAt) return { n: 15, do: "reconnect", in: 0 };
    return wait(16);
  }
  // a tick, or the player asked
  const unanswered = state.oldest > 0 && now - state.oldest >= RESEND;
  if (state.socket === "connecting") {
    if (now - state.since >= CONNECT) return { n: 17, do: "reconnect", in: pause(state.tries, signal.random ?? 0) };
    return unanswered ? { n: 18, do: "post" } : wait(19);
  }
  if (state.socket === "closed") {
    if (unanswered && state.online) return { n: 20, do: "post" };
    if (state.retryAt && now >= state.retryAt && state.online) return { n: 21, do: "reconnect", in: 0 };
    return wait(22);
  }
  if (now - Math.max(state.heard, state.since) >= SILENCE) return { n: 23, do: "reconnect", in: 0, say: "lost" };
  if (!state.joined) return wait(24);
  const delayed = state.delayedAt - state.delayed >= DELAYED && now - state.delayedAt < DELAY_NOTES;
  if (delayed && now - state.probed >= PROBE) return { n: 29, do: "probe" };
  if (unanswered) return { n: 25, do: "resend" };
  const beat = state.shortClock ? HEARTBEAT_SHORT : HEARTBEAT;
  return now - state.pinged >= beat ? { n: 26, do: "ping" } : wait(27);
}
