// Sounds by name. A browser lets a page sound after a press: until then, and while the setting is off, nothing is
// loaded.
import { chosen } from "./chosen.js";

export class Sounds {
  /** @param {DOMStringMap} addresses `soundTurn` and so on */
  constructor(addresses) {
    this.addresses = addresses;
    /** @type {AudioContext | undefined} */
    this.context = undefined;
    /** @type {Map<string, Promise<AudioBuffer | null>>} */
    this.loaded = new Map();
    for (const kind of ["click", "keydown", "pointerup"]) addEventListener(kind, () => this.wake(), true);
  }

  get on() {
    return chosen("sound") === "on";
  }

  /** After a press: be ready to sound. */
  async wake() {
    if (!this.on) return;
    try {
      this.context ??= new AudioContext();
      if (this.context.state !== "running") await this.context.resume();
      for (const key of Object.keys(this.addresses)) if (key.startsWith("sound")) this.load(key);
    } catch {
      // No sound here: the table goes on.
    }
  }

  /** @param {string} key */
  load(key) {
    if (!this.loaded.has(key))
      this.loaded.set(
        key,
        this.fetched(this.addresses[key] ?? "").catch(() => null),
      );
    return this.loaded.get(key);
  }

  /** @param {string} address */
  async fetched(address) {
    const reply = await fetch(address);
    if (!reply.ok || !this.context) throw new Error(address);
    return this.context.decodeAudioData(await reply.arrayBuffer());
  }

  /** Let hear how loud it is. */
  async sample() {
    await this.wake();
    await this.play("turn");
  }

  /** @param {string} name */
  async play(name) {
    if (!this.on || this.context?.state !== "running") return;
    const { context } = this;
    const buffer = await this.load(`sound${name[0].toUpperCase()}${name.slice(1)}`);
    if (!buffer) return;
    const gain = context.createGain();
    gain.gain.value = Number(chosen("volume") || 75) / 100;
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(gain).connect(context.destination);
    source.start();
  }
}
