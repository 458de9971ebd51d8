// The view a page holds and how frames change it. Pure: no rules of the game, no clock, no page.
import { sha256Hex } from "./sha256.js";
/** @import { Events, GameEvent, Held, Snap, Step, View } from "./types.js" */

/**
 * JSON with sorted keys, no spaces, ASCII only: the text both ends hash.
 * @param {unknown} value @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, one]) => `${quoted(key)}:${canonical(one)}`).join(",")}}`;
  }
  return typeof value === "string" ? quoted(value) : JSON.stringify(value);
}

/** @param {string} text */
const quoted = (text) =>
  JSON.stringify(text).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** @param {unknown} view */
export const viewHash = (view) => sha256Hex(canonical(view)).slice(0, 16);

/**
 * A JSON merge patch (RFC 7396) applied; neither argument is changed.
 * @param {unknown} target @param {unknown} patch @returns {unknown}
 */
export function mergePatch(target, patch) {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  /** @type {{[key: string]: unknown}} */
  const merged = target !== null && typeof target === "object" && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (key === "__proto__") continue; // It would set the object's prototype.
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

/**
 * The view after one event of a frame's list.
 * @template {View} V @param {V} view @param {{set?: object}} event
 */
export const reduce = (view, event) => (event.set ? /** @type {V} */ (mergePatch(view, event.set)) : view);

/** @param {Snap} frame @returns {Held} */
export function hold(frame) {
  const { epoch, seq, hash, view, you, clocks, now } = frame;
  return { epoch, seq, hash, view, you, clocks: clocks ?? {}, now };
}

/**
 * Apply an `ev` frame. Answers the new `held`, the `steps` that were new (each with the view before and after it), and
 * `trouble`: "" when all is well, "gap" when events are missing, "hash" when the views differ.
 * @param {Held} held @param {Events} frame
 * @returns {{held: Held, steps: Step<View, GameEvent>[], trouble: "" | "gap" | "hash"}}
 */
export function applyEvents(held, frame) {
  const fresh = frame.list.filter((event) => event.seq > held.seq);
  if (frame.epoch !== held.epoch) return { held, steps: [], trouble: "gap" };
  if (fresh.length && fresh[0].seq !== held.seq + 1) return { held, steps: [], trouble: "gap" };
  if (!fresh.length && frame.list.length) return { held, steps: [], trouble: "" };
  const steps = [];
  let { view, seq } = held;
  for (const event of fresh) {
    const before = view;
    view = reduce(view, event);
    seq = event.seq;
    steps.push({ ...event, before, after: view });
  }
  const hash = viewHash(view);
  const after = { ...held, view, seq, hash, clocks: frame.clocks ?? held.clocks, now: frame.now ?? held.now };
  return { held: after, steps, trouble: frame.hash && frame.hash !== hash ? "hash" : "" };
}
