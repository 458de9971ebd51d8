// Choose your game: only the tables that the chosen rule set is played at, and the places where everybody plays alone.
"use strict";

const form = document.querySelector("[data-practice]");
const chosen = (name) => form.querySelector(`input[name="${name}"]:checked`);

/** Show what goes with the choices made; a table that is not offered any more gives way to the first one that is. */
function settle() {
  const rules = chosen("rules")?.value;
  for (const pick of form.querySelectorAll("[data-rules]")) pick.hidden = !pick.dataset.rules.split(" ").includes(rules);
  for (const group of form.querySelectorAll("[data-group]")) group.hidden = !group.querySelector(".pick:not([hidden])");
  const table = chosen("table");
  if (!table || table.closest(".pick").hidden) {
    const first = form.querySelector("[data-rules]:not([hidden]) input");
    if (first) first.checked = true;
  }
  const ranking = form.querySelector("[data-ranking]");
  ranking.hidden = !chosen("table")?.hasAttribute("data-alone");
  if (ranking.hidden) ranking.querySelector("input").checked = false;
}

if (form) {
  form.addEventListener("change", settle);
  settle();
}
