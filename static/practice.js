// Choose your game: only the tables and bots that the chosen rule set is played at and with, and what such a table
// knows.
const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-practice]"));

/**
 * The elements below the form that a selector names, as the kind that the caller expects.
 * @template {Element} [E=HTMLElement]
 * @param {string} selector @param {ParentNode} [root]
 */
const all = (selector, root = form) => [.../** @type {NodeListOf<E>} */ (root.querySelectorAll(selector))];

/** The pick that an input belongs to. @param {Element | null} input */
const pickOf = (input) => /** @type {HTMLElement | null | undefined} */ (input?.closest(".pick"));

/** @param {string} name */
const chosen = (name) => /** @type {HTMLInputElement | null} */ (form.querySelector(`input[name="${name}"]:checked`));

/**
 * Of the picks of one question show those that stay open; one that is hidden gives way to the first that is shown.
 * @param {string} name @param {(input: HTMLInputElement) => boolean} isOpen
 */
function offer(name, isOpen) {
  /** @type {HTMLInputElement[]} */
  const inputs = all(`input[name="${name}"]`);
  for (const input of inputs) {
    const pick = pickOf(input);
    if (pick) pick.hidden = !isOpen(input);
  }
  if (pickOf(chosen(name))?.hidden !== false) {
    const first = inputs.find((input) => !pickOf(input)?.hidden);
    if (first) first.checked = true;
  }
}

/** Show what goes with the choices made; what is hidden goes back to what it was at first. */
function settle() {
  const rules = chosen("rules");
  offer("table", (input) =>
    (input.closest("[data-rules]")?.getAttribute("data-rules") ?? "").split(" ").includes(rules?.value ?? ""),
  );
  for (const group of all("[data-group]")) group.hidden = !group.querySelector(".pick:not([hidden])");
  const level = chosen("level")?.value;
  const levels = rules?.dataset.levels?.split(" ");
  offer("level", (input) => !levels || levels.includes(input.value));
  if (chosen("level")?.value !== level && levels?.includes("club")) {
    /** @type {HTMLInputElement[]} */
    const [club] = all('input[name="level"][value="club"]');
    club.checked = true;
  }
  /** @type {{[part: string]: boolean | undefined}} */
  const knows = {
    alone: chosen("table")?.hasAttribute("data-alone"),
    rounds: rules?.hasAttribute("data-rounds"),
    touches: rules?.hasAttribute("data-touches"),
  };
  for (const part of all("[data-for]")) {
    part.hidden = !knows[part.dataset.for ?? ""];
    if (!part.hidden) continue;
    for (const field of /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ (all("input, select", part))) {
      if (part.dataset.for === "alone" && field instanceof HTMLInputElement) field.checked = false;
      if (part.dataset.for === "rounds") field.value = "0";
    }
  }
}

if (form) {
  form.addEventListener("change", settle);
  settle();
}
