// The server's time on this device. A page says what time it was on the server when it was made; from then on the
// device's clock of passed time counts, so a device whose clock is wrong, or is set while it runs, counts correctly.

const OLD_MS = 10 * 60_000; // a reading older than this is replaced by any other one: clocks drift

let [base, at, doubt] = [0, 0, Number.POSITIVE_INFINITY];

/**
 * Take a reading. The server wrote `now` at some moment between `asked` and `got`: the middle of them is the guess,
 * half of the way between them the doubt. The reading with the least doubt counts.
 * @param {number} now in milliseconds since 1970 @param {number} asked @param {number} got
 */
export function heard(now, asked, got) {
  const half = Math.max(0, got - asked) / 2;
  if (!Number.isFinite(now) || now <= 0) return;
  if (half > doubt && got - at < OLD_MS) return;
  [base, at, doubt] = [now + half, got, half];
}

/** The server's time, in milliseconds since 1970. */
export const serverNow = () => (base ? base + performance.now() - at : Date.now());

/** The moments at which this page was asked for and came, for its first reading. */
export function ofThisPage() {
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return entry ? [entry.requestStart, entry.responseStart] : [0, performance.now()];
}
