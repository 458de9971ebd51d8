// The computation of docs/deal.md: commitments, keys, decks, blind burns, the first dealer. Written apart from the
// server's; it shares only SHA-256 with the table's page. Pure.
import { sha256 } from "../sha256.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const PLAIN = [..."SHDC"].flatMap((suit) => RANKS.map((rank) => rank + suit));
const HEIGHTS = [...RANKS, "JK", "BJ", "RJ"];
const text = new TextEncoder();

/** @param {string} hex @returns {Uint8Array} */
export function bytesOf(hex) {
  const found = new Uint8Array(hex.length / 2);
  for (let i = 0; i < found.length; i += 1) found[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return found;
}

/** @param {Uint8Array} bytes */
export const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Is it `size` bytes, in lower-case hex? @param {unknown} value @param {number} size @returns {value is string} */
export const isHex = (value, size) =>
  typeof value === "string" && value.length === 2 * size && /^[0-9a-f]*$/.test(value);

/** @param {(Uint8Array | number[] | string)[]} parts @returns {Uint8Array} */
function joined(parts) {
  const all = parts.map((part) => (typeof part === "string" ? text.encode(part) : Uint8Array.from(part)));
  const found = new Uint8Array(all.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of all) {
    found.set(part, at);
    at += part.length;
  }
  return found;
}

/** @param {...(Uint8Array | number[] | string)} parts */
export const digest = (...parts) => sha256(joined(parts));

/** @param {number} value @returns {number[]} */
const four = (value) => [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];

/**
 * HMAC-SHA256 with a key of at most 64 bytes.
 * @param {Uint8Array} key @param {...(Uint8Array | number[] | string)} parts
 */
export function hmac(key, ...parts) {
  const inner = new Uint8Array(64).fill(0x36);
  const outer = new Uint8Array(64).fill(0x5c);
  for (const [i, byte] of key.entries()) {
    inner[i] ^= byte;
    outer[i] ^= byte;
  }
  return digest(outer, digest(inner, ...parts));
}

/** The unshuffled deck, or null for a rule set that is not known here. @param {string} rules @param {number} seats */
export function pack(rules, seats) {
  const jokers = [...PLAIN, "JK", "JK"];
  if (rules === "tractor/1") return [...PLAIN, "BJ", "RJ", ...PLAIN, "BJ", "RJ"];
  if (rules === "shawinigan/1") return jokers;
  if (rules === "tock/1" && seats > 4) return [...jokers, ...jokers];
  return ["tock/1", "toc/1", "tock-air/1"].includes(rules) ? [...PLAIN] : null;
}

/** The leaf of a deal's commitment. @param {Uint8Array} seed @param {Uint8Array} salt */
export const leafOf = (seed, salt) => digest([0], digest("tock-commit-v1", salt, seed));

/**
 * The root to which a path leads from a leaf, null for a path of another length.
 * @param {Uint8Array} leaf @param {number} index @param {number} size @param {Uint8Array[]} path
 */
export function rootOf(leaf, index, size, path) {
  let [here, last, found] = [index, size - 1, leaf];
  for (const node of path) {
    if (last === 0) return null;
    if (here % 2 || here === last) {
      found = digest([1], node, found);
      while (here % 2 === 0 && here > 0) [here, last] = [here >> 1, last >> 1];
    } else found = digest([1], found, node);
    [here, last] = [here >> 1, last >> 1];
  }
  return last === 0 ? found : null;
}

/** What a seat commits to. @param {Uint8Array} share @param {string} game @param {number} seat */
export const promiseOf = (share, game, seat) => digest(`tock-share-v1|${game}|`, four(seat), "|", share);

/** The seed or salt of deal `d`, given that of 64 deals before. @param {Uint8Array} value @param {number} d */
export const laterOf = (value, d) => hmac(value, "tock-later-v1|", four(d)).slice(0, value.length);

/**
 * The key of a deal. `shares`: one per seat; `beacon`: the public bytes, none in a game without them.
 * @param {Uint8Array} seed @param {string} game @param {number} d @param {Uint8Array[]} shares
 * @param {Uint8Array} [beacon]
 */
export function keyOf(seed, game, d, shares, beacon = new Uint8Array()) {
  const all = digest(...shares.map((share) => digest(share)));
  return hmac(seed, `tock-deal-v1|${game}|`, four(d), "|", all, digest(beacon));
}

/**
 * Numbers from a key, each below(top) equally likely.
 * @param {Uint8Array} key @param {...(number[] | string)} prefix
 */
function numbers(key, ...prefix) {
  /** @type {number[]} */
  let words = [];
  let counter = 0;
  /** @param {number} top */
  return (top) => {
    for (;;) {
      if (!words.length) {
        const block = hmac(key, ...prefix, four(0), four(counter));
        const data = new DataView(block.buffer, block.byteOffset);
        words = Array.from({ length: 8 }, (_, i) => data.getUint32(4 * i));
        counter += 1;
      }
      const word = /** @type {number} */ (words.shift());
      if (word < 0x100000000 - (0x100000000 % top)) return word % top;
    }
  };
}

/** @param {Uint8Array} key @param {string[]} cards */
export function shuffled(key, cards) {
  const found = [...cards];
  const below = numbers(key, "fy");
  for (let i = found.length - 1; i > 0; i -= 1) {
    const j = below(i + 1);
    [found[i], found[j]] = [found[j], found[i]];
  }
  return found;
}

/** Cards in the order in which an unshuffled deck has them. @param {string[]} cards */
export function named(cards) {
  const place = (/** @type {string} */ card) => (card === "JK" ? 52 : PLAIN.indexOf(card));
  return [...cards].sort((a, b) => place(a) - place(b));
}

/** The card that is burned blind. @param {Uint8Array} key @param {number} count before it @param {string[]} hand */
export function blindOf(key, count, hand) {
  return named(hand)[numbers(key, "blind|", four(count), "|")(hand.length)];
}

/** The first dealer, and the cards drawn: [seat, card]. @param {string[]} cards @param {number} seats */
export function firstDealer(cards, seats) {
  /** @type {[number, string][]} */
  const drawn = [];
  let tied = Array.from({ length: seats }, (_, seat) => seat);
  while (tied.length > 1) {
    const heights = tied.map((seat) => {
      const card = cards[drawn.length];
      drawn.push([seat, card]);
      return HEIGHTS.indexOf(HEIGHTS.includes(card) ? card : card.slice(0, -1));
    });
    const best = Math.max(...heights);
    tied = tied.filter((_, i) => heights[i] === best);
  }
  return { dealer: tied[0], drawn };
}
