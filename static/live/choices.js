// The choices of a finished game as a bot judged them: plain arithmetic for the replay's analysis.

/**
 * @typedef {{seq: number, seat: number, line: string, best: string, chance: number, best_chance: number, plays: number,
 *   by_clock: boolean}} Judged  chances in thousandths, of the seat's team
 */

/**
 * What a choice cost, in thousandths: how much lower the chances are than after the bot's choice.
 * @param {Judged} choice
 */
export const costOf = (choice) => Math.max(0, choice.best_chance - choice.chance);

/** Did the bot choose the same, or as well? @param {Judged} choice */
export const asGood = (choice) => choice.line === choice.best || costOf(choice) === 0;

/** Was there anything to choose? What the clock played nobody chose. @param {Judged} choice */
export const isFree = (choice) => choice.plays > 1 && !choice.by_clock;

/**
 * One row a seat: its choices, how many of them were as good as the bot's, what they cost on the average (thousandths).
 * @param {Judged[]} choices @param {number} seats
 */
export function bySeat(choices, seats) {
  return Array.from({ length: seats }, (_, seat) => {
    const own = choices.filter((choice) => choice.seat === seat && isFree(choice));
    const cost = own.reduce((sum, choice) => sum + costOf(choice), 0);
    return { seat, count: own.length, good: own.filter(asGood).length, cost: own.length ? cost / own.length : 0 };
  });
}

/**
 * The choices that cost most, dearest first.
 * @param {Judged[]} choices @param {number} [count] @param {number} [least]
 */
export const dearest = (choices, count = 5, least = 20) =>
  choices
    .filter((choice) => isFree(choice) && costOf(choice) >= least)
    .sort((a, b) => costOf(b) - costOf(a) || a.seq - b.seq)
    .slice(0, count);

/**
 * The course of a game between two teams: the first team's chances after each choice, as its maker knew them.
 * @param {Judged[]} choices @returns {{seq: number, chance: number}[]} thousandths
 */
export const courseOf = (choices) =>
  choices.map(({ seq, seat, chance }) => ({ seq, chance: seat % 2 === 0 ? chance : 1000 - chance }));
