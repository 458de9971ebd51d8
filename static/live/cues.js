// What is heard and felt: one cue for an event, keyed by the event's number, so that none comes twice.
import { chosen } from "./chosen.js";
import { isHeaven } from "./notation.js";
import { isRuling } from "./rulings.js";
/** @import { Sounds } from "./sounds.js" */
/** @import { AnyStep, GameEvent, View } from "./types.js" */

/** @type {{[name: string]: number[] | undefined}} */
const SHAKES = { turn: [120], low: [80, 60, 80] }; // ms on, off, on

/**
 * The weightiest thing that an event is heard for, "" for none. Pure.
 * @param {Pick<GameEvent, "k" | "d" | "fx">} event
 */
export function cueOf(event) {
  if (isRuling(event)) return event.d?.by === "seat" ? "" : "referee"; // a seat takes back in practice
  const fx = event.fx ?? [];
  const home = fx.some(
    ([kind, , from, to]) => kind === "home" || (kind === "move" && isHeaven(String(to)) && !isHeaven(String(from))),
  );
  if (home) return "home";
  if (fx.some(([kind]) => kind === "eaten")) return "eaten";
  return fx.some(([kind]) => kind === "exchanged") ? "exchange" : "";
}

export class Cues {
  /** @param {DOMStringMap} addresses of the sounds */
  constructor(addresses) {
    this.addresses = addresses;
    /** @type {Promise<Sounds> | undefined} loaded once they are switched on */
    this.sounds = undefined;
    /** @type {Set<string>} */
    this.given = new Set();
  }

  /** @param {string} name @param {string} key what it is about @param {boolean} silent it is late for it */
  give(name, key, silent) {
    if (!name || this.given.has(key)) return;
    this.given.add(key);
    if (!silent) this.now(name);
  }

  /** Do something with the sounds, if they are on. @param {(sounds: Sounds) => unknown} act */
  async sound(act) {
    if (chosen("sound") !== "on") return;
    this.sounds ??= import("./sounds.js").then(({ Sounds }) => new Sounds(this.addresses));
    try {
      await act(await this.sounds);
    } catch {
      this.sounds = undefined; // not loaded: asked for again with the next cue
    }
  }

  /** @param {string} name */
  now(name) {
    this.sound((sounds) => sounds.play(name));
    const shake = SHAKES[name];
    if (shake && chosen("vibration") === "on") navigator.vibrate?.(shake);
  }

  /** @param {AnyStep} step @param {boolean} behind */
  event(step, behind) {
    this.give(cueOf(step), `${step.after.game}:${step.seq}`, behind);
  }

  /** A step of a replay: as often as it is shown. @param {{k?: string, fx?: GameEvent["fx"]}} step */
  again(step) {
    const name = cueOf({ ...step, k: step.k ?? "" });
    if (name) this.now(name);
  }

  /** Something about the decision that runs. @param {string} name @param {View} view @param {boolean} [behind] */
  decision(name, view, behind = false) {
    this.give(name, `${view.game}:${view.decision}:${name}`, behind);
  }
}
