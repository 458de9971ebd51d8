// The clock at the desk: its buttons say which clock the person sees, also after somebody else has changed it.
import { tick } from "./clocks.js";
import { follow } from "./follow.js";

/** The clock as it stands on the page now. @returns {HTMLElement | null} */
const shown = () => document.querySelector(".hall-now");

const began = shown()?.dataset.state;

function drawn() {
  tick();
  const now = shown();
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[name=seen]"))) {
    field.value = now?.dataset.version ?? field.value;
  }
  // A clock that was paused or stopped has other buttons; who is typing keeps the page.
  const { desk } = /** @type {HTMLElement | null} */ (document.querySelector("[data-desk]"))?.dataset ?? {};
  const types = document.activeElement?.matches("input, select, textarea");
  if (desk && now?.dataset.state !== began && !types) window.location.replace(desk);
}

follow(drawn);
setInterval(tick, 250);
tick();
