// The cards on top of the pile: the last two, or a whole hand that was laid down.

/**
 * The pile after a step, or as a view has it.
 * @param {(string | string[])[]} pile what lay there: cards, a hand laid down as a list @param {object} view
 * @param {{set?: object, fx?: any[]}} [step] the event that led to the view
 */
export function grow(pile, view, step) {
  if (!view.pile) return [];
  const hand = step?.fx?.find(([kind]) => kind === "threw")?.[2];
  if (hand) return [hand];
  const known = pile[pile.length - 1];
  const top = Array.isArray(known) ? known[known.length - 1] : known;
  const laid = step ? Boolean(step.set && "pile" in step.set) : top !== view.pile;
  return laid ? [...pile.flat(), view.pile].slice(-2) : pile;
}
