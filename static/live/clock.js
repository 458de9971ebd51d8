// Clocks as the page shows them: the server's moment, the bank of a seat, the time left for the decision.

/** @import { Clocks } from "./types.js" */

/**
 * The server's time now, from the `now` of the last frame and when it came.
 * @param {number} frameNow @param {number} cameAt @param {number} localNow
 */
export const serverNow = (frameNow, cameAt, localNow) => frameNow + (localNow - cameAt);

/**
 * Milliseconds left in a seat's bank; undefined when the table has no clocks.
 * @param {Clocks} clocks @param {number} seat @param {number} now @param {string} phase
 */
export function bankLeft(clocks, seat, now, phase) {
  if (!clocks.bank) return undefined;
  const bank = clocks.bank[seat];
  // A forced burn, the exchange and a show take their time from an allowance of their own.
  if (clocks.run !== seat || ["forced", "give", "show"].includes(phase)) return bank;
  // `spent`: what this decision had used before the clocks were stopped.
  const running = clocks.opened ? Math.max(0, now - clocks.opened) : 0;
  return Math.max(0, bank - (clocks.spent ?? 0) - running);
}

/**
 * Milliseconds left for the running decision, and the share of it that is left; undefined when none runs.
 * @param {Clocks} clocks @param {number} now
 */
export function capLeft(clocks, now) {
  if (!clocks.due) return undefined;
  const left = Math.max(0, clocks.due - now);
  const whole = Math.max(1, clocks.due - (clocks.opened ?? clocks.due));
  return { left, share: Math.min(1, left / whole) };
}

/** 161000 -> "2:41"; seconds are rounded up, so that 0:00 means that the time is gone. @param {number} ms */
export function minutes(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
