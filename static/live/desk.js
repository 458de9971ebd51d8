// Pages of cases: durations that go on, a desk that shows new calls by itself, forms that are sent once.
import { all, say } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";

const ASK_MS = 5000;
const [MINUTE, HOUR, DAY] = [60, 3600, 86400];

/** A duration in words, as the server writes it. @param {number} seconds */
export function lasting(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < MINUTE) return fill(gettext("%(seconds)s s"), { seconds: whole });
  if (whole < 10 * MINUTE)
    return fill(gettext("%(minutes)s min %(seconds)s s"), {
      minutes: Math.floor(whole / MINUTE),
      seconds: whole % MINUTE,
    });
  if (whole < HOUR) return fill(gettext("%(minutes)s min"), { minutes: Math.floor(whole / MINUTE) });
  if (whole < DAY)
    return fill(gettext("%(hours)s h %(minutes)s"), {
      hours: Math.floor(whole / HOUR),
      minutes: String(Math.floor((whole % HOUR) / MINUTE)).padStart(2, "0"),
    });
  const days = Math.floor(whole / DAY);
  return fill(ngettext("%(count)s day", "%(count)s days", days), { count: days });
}

function count() {
  const now = Date.now();
  for (const node of all(document, "[data-up]")) say(node, lasting((now - Number(node.dataset.up)) / 1000));
  for (const node of all(document, "[data-down]")) say(node, lasting((Number(node.dataset.down) - now) / 1000));
}

/** Read the desk anew when something on it has changed. @param {HTMLElement} desk @param {string} title */
async function ask(desk, title) {
  try {
    const reply = await fetch(desk.dataset.news ?? "", {
      credentials: "same-origin",
      headers: { Accept: "application/json" },
    });
    if (!reply.ok) return;
    const { key, waiting } = await reply.json();
    document.title = waiting ? `(${waiting}) ${title}` : title;
    if (key !== desk.dataset.key) location.reload();
  } catch {
    // The next question comes in five seconds.
  }
}

/** @param {HTMLFormElement} form */
function sentOnce(form) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "1";
    setTimeout(() => delete form.dataset.sent, 4000); // a connection that broke may be tried again
  });
}

/** Choose the measures that a row of the penalty table demands together with the row. @param {HTMLFormElement} form */
function measuresDue(form) {
  /** @type {Record<string, string[]>} */
  const due = JSON.parse(form.dataset.due ?? "{}");
  const some = new Set(Object.values(due).flat());
  form.addEventListener("change", (event) => {
    const row = /** @type {HTMLInputElement} */ (event.target);
    if (row.name !== "row") return;
    for (const box of /** @type {HTMLInputElement[]} */ (all(form, "[name=remedies]")))
      if (some.has(box.value)) box.checked = (due[row.value] ?? []).includes(box.value);
  });
}

setInterval(count, 1000);
for (const form of /** @type {HTMLFormElement[]} */ (all(document, "form[data-due]"))) measuresDue(form);
for (const form of /** @type {HTMLFormElement[]} */ (all(document, "form[data-once]"))) sentOnce(form);
const desk = document.getElementById("desk");
if (desk) {
  const { title } = document;
  const waiting = desk.querySelectorAll(".call").length;
  if (waiting)
    say(
      document.getElementById("desk-said"),
      fill(ngettext("%(count)s call is waiting.", "%(count)s calls are waiting.", waiting), { count: waiting }),
    );
  setInterval(() => ask(desk, title), ASK_MS);
}
