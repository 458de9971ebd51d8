// Counts down to the hour that a page shows. Without this script the date and the hour stand there alone.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const language = document.documentElement.lang || "fr";

/**
 * @param {number} count
 * @param {string} unit
 */
const amount = (count, unit) =>
  new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(count);

/**
 * Return the time in its two largest units; seconds only in the last minute.
 * @param {number} left in seconds
 */
function words(left) {
  if (left < MINUTE) return amount(left, "second");
  const parts = left < DAY ? { hour: HOUR, minute: MINUTE } : { day: DAY, hour: HOUR };
  const [[large, size], [small, part]] = Object.entries(parts);
  const counts = [Math.floor(left / size), Math.floor((left % size) / part)];
  return [large, small].flatMap((unit, index) => (counts[index] ? [amount(counts[index], unit)] : [])).join(" ");
}

for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-countdown]"))) {
  const total = Number(box.dataset.countdown);
  const shown = box.querySelector("[data-left]");
  const over = /** @type {HTMLElement | null} */ (box.parentElement?.querySelector("[data-over]"));
  // The page's own clock of passed time: a wrong clock of the device changes nothing.
  const began = performance.now();
  const show = () => {
    const left = Math.ceil(total - (performance.now() - began) / 1000);
    box.hidden = left <= 0;
    if (over) over.hidden = left > 0;
    if (left > 0 && shown) {
      const text = words(left);
      if (shown.textContent !== text) shown.textContent = text;
    } else {
      clearInterval(timer);
    }
  };
  const timer = setInterval(show, 1000);
  show();
}
