// Choose your game: only the tables and bots that the chosen rule set is played at and with, and what such a table knows.
"use strict";

const form = document.querySelector("[data-practice]");
const chosen = (name) => form.querySelector(`input[name="${name}"]:checked`);

/** Of the picks of one question show those that stay open; one that is hidden gives way to the first that is shown. */
function offer(name, isOpen) {
  const inputs = [...form.querySelectorAll(`input[name="${name}"]`)];
  for (const input of inputs) input.closest(".pick").hidden = !isOpen(input);
  if (chosen(name)?.closest(".pick").hidden !== false) {
    const first = inputs.find((input) => !input.closest(".pick").hidden);
    if (first) first.checked = true;
  }
}

/** Show what goes with the choices made; what is hidden goes back to what it was at first. */
function settle() {
  const rules = chosen("rules");
  offer("table", (input) => input.closest("[data-rules]").dataset.rules.split(" ").includes(rules?.value));
  for (const group of form.querySelectorAll("[data-group]")) group.hidden = !group.querySelector(".pick:not([hidden])");
  const level = chosen("level")?.value;
  const levels = rules?.dataset.levels?.split(" ");
  offer("level", (input) => !levels || levels.includes(input.value));
  if (chosen("level")?.value !== level && levels?.includes("club")) form.querySelector('input[name="level"][value="club"]').checked = true;
  const knows = { alone: chosen("table")?.hasAttribute("data-alone"), rounds: rules?.hasAttribute("data-rounds"), touches: rules?.hasAttribute("data-touches") };
  for (const part of form.querySelectorAll("[data-for]")) {
    part.hidden = !knows[part.dataset.for];
    if (!part.hidden) continue;
    for (const field of part.querySelectorAll("input, select")) {
      if (part.dataset.for === "alone") field.checked = false;
      if (part.dataset.for === "rounds") field.value = "0";
    }
  }
}

if (form) {
  form.addEventListener("change", settle);
  settle();
}
