// SHA-256 (FIPS 180-4), small and synchronous: crypto.subtle is missing on the plain-http networks of clubs.
const K = new Uint32Array(64);
const START = new Uint32Array(8);

// The constants are the first 32 bits of the fractional parts of cube and square roots of the first primes.
(() => {
  /** @param {number} value */
  const fraction = (value) => ((value - Math.floor(value)) * 0x100000000) | 0;
  let found = 0;
  for (let n = 2; found < 64; n += 1) {
    let prime = true;
    for (let d = 2; d * d <= n; d += 1) if (n % d === 0) prime = false;
    if (!prime) continue;
    if (found < 8) START[found] = fraction(Math.sqrt(n));
    K[found] = fraction(Math.cbrt(n));
    found += 1;
  }
})();

/** @param {number} word @param {number} by */
const turn = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {Uint8Array} bytes @returns {Uint8Array} the 32 bytes of the digest */
export function sha256(bytes) {
  const blocks = ((bytes.length + 8) >> 6) + 1;
  const padded = new Uint8Array(blocks * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const data = new DataView(padded.buffer);
  data.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  data.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);

  const hash = START.slice();
  const w = new Uint32Array(64);
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = data.getUint32(offset + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i += 1) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) hash[i] += value;
  }
  const out = new Uint8Array(32);
  const view = new DataView(out.buffer);
  for (const [i, word] of hash.entries()) view.setUint32(4 * i, word);
  return out;
}

/** @param {string} text hashed as UTF-8 @returns {string} 64 hex digits */
export function sha256Hex(text) {
  let hex = "";
  for (const byte of sha256(new TextEncoder().encode(text))) hex += byte.toString(16).padStart(2, "0");
  return hex;
}
