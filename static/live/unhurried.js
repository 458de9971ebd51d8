// The slow pace: what a bot has played stays a moment before the next play is shown. Loaded where it is chosen.
import { chosen } from "./chosen.js";
/** @import { AnyStep, Boot } from "./types.js" */

const LINGER = 1500; // ms

/**
 * What waits after a bot's play, unless nobody looks, or a clock runs, which waits for nobody.
 * @param {Boot} boot @param {number} [ms]
 */
export function restOf(boot, ms = LINGER) {
  /** @param {AnyStep} step */
  return async (step) => {
    const bot = boot.bots?.[step.d?.seat ?? -1];
    if (!bot || step.k !== "play" || boot.snap.clocks?.bank) return;
    if (chosen("speed") !== "slow" || document.visibilityState === "hidden") return;
    await new Promise((go) => setTimeout(go, ms));
  };
}
