// The coach of a practice table: what the club bot would play here and why, in words and on the board. Loaded when it
// is asked.
import { lineWords } from "./analysis.js";
import { theCard } from "./cards.js";
import { byId, el, svg, swapChildren } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { capital, shortNames } from "./names.js";
import { goesBack, isTrack, ownerAt, parsePlay, sideOf } from "./notation.js";
import { cardlet, lineOf, xy } from "./pieces.js";
import { placeWords } from "./places.js";
/** @import { Table } from "./table.js" */
/** @import { Company } from "./types.js" */

/** Why a play is good, or what it costs. @typedef {{code: string, seat?: number, place?: string, card?: string,
 *   count?: number}} Reason */

/** A play with its chances in thousandths. @typedef {{line: string, chance: number}} Judged */

/** @typedef {Judged & {decision: string, reasons: Reason[], cost?: Reason, other?: Judged}} Advice */

/** Ask, and show the answer. @param {object} page of a table of Tock */
export async function ask(page) {
  const table = /** @type {Table} */ (page);
  const { boot, around } = table;
  around.refused("");
  if (!table.view.legal) {
    around.refused(gettext("Ask the coach when you have something to play."));
    return;
  }
  /** @type {Advice & {error?: {message: string}}} */
  let found;
  try {
    const lang = document.documentElement.lang.slice(0, 2);
    const reply = await fetch(`${boot.coach}?lang=${lang}`, { credentials: "same-origin" });
    found = await reply.json();
  } catch {
    around.refused(gettext("The coach could not be reached. Try again."));
    return;
  }
  if (found.error) around.refused(found.error.message);
  else if (found.decision === table.view.decision) show(table, found);
}

/** @param {Table} table @param {Advice} advice */
function show(table, advice) {
  const { company, player, view } = table;
  const me = company.me ?? -1;
  const { card } = parsePlay(advice.line);
  const index = view.hand?.indexOf(card) ?? -1;
  if (index >= 0 && !player.choice.laid) player.mark(card, index);
  draw(table, advice);
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
  swapChildren(dialog, [
    el("h2", { id: "dialog-title" }, gettext("The coach would play")),
    el(
      "p",
      { class: "row" },
      card ? cardlet(card) : null,
      el("b", {}, capital(lineWords(company, view, me, advice.line))),
    ),
    el(
      "ul",
      { class: "bullets" },
      advice.reasons.map((reason) => el("li", {}, reasonWords(company, reason))),
    ),
    advice.cost ? el("p", {}, `${gettext("What it costs:")} ${reasonWords(company, advice.cost)}`) : "",
    advice.other
      ? el(
          "p",
          { class: "small" },
          fill(gettext("Second choice: %(play)s (chances %(chance)s %)."), {
            play: lineWords(company, view, me, advice.other.line),
            chance: Math.round(advice.other.chance / 10),
          }),
        )
      : "",
    el(
      "p",
      { class: "small muted" },
      fill(
        gettext(
          "Chances to win after it, by the club bot’s estimate: %(chance)s %. The coach knows your hand and what lies open, nothing else.",
        ),
        { chance: Math.round(advice.chance / 10) },
      ),
    ),
    el(
      "button",
      { type: "button", class: "button primary", autofocus: true, onclick: () => dialog.close() },
      gettext("Close"),
    ),
  ]);
  dialog.showModal();
}

/** Draw the play over the board until the decision is another one. @param {Table} table @param {Advice} advice */
function draw(table, { decision, line }) {
  const { board, company, view } = table;
  document.getElementById("coach-ways")?.remove();
  const play = parsePlay(line);
  const side = sideOf(view, company.me ?? -1);
  /** @param {string} place */
  const ownerOf = (place) => (isTrack(place) ? ownerAt(view.marbles, place) : undefined) ?? side;
  const ways = play.legs.flatMap(({ from, to }) => {
    const owner = ownerOf(from);
    if (play.kind === "swap") return [[board.at(owner, from), board.at(ownerOf(to), to)]];
    if (from === "r") return [];
    const { points, jump } = board.wayPoints(view, owner, { from, to }, goesBack(view, play.card));
    return [jump ? [...points, jump] : points];
  });
  if (play.kind === "out") ways.push([board.at(side, "r", 0), board.at(side, `t${18 * side}`)]);
  const group = svg(
    "g",
    { id: "coach-ways", "aria-hidden": "true" },
    ...ways.flatMap((points) => [
      svg("path", { class: "board-hint-outer", d: lineOf(points) }),
      svg("path", { class: "board-hint", d: lineOf(points) }),
      svg("circle", { class: "coach-end", r: 0.7, transform: `translate(${xy(points[points.length - 1])})` }),
    ]),
  );
  board.layer.hints.before(group);
  const render = table.render.bind(table);
  table.render = () => {
    render();
    if (table.view.decision === decision && !table.waiting) return;
    group.remove();
    table.render = render;
  };
}

/** A reason as a sentence. @param {Company} company @param {Reason} reason */
function reasonWords(company, { code, seat, place = "", card = "", count = 0 }) {
  const mine = seat === company.me;
  const values = {
    name: shortNames(company.names)[seat ?? -1] ?? "",
    place: place && placeWords(company, place, seat ?? -1),
    card: card && theCard(card),
    count,
  };
  /** @param {string} own @param {string} others */
  const of = (own, others) => (mine ? own : others);
  /** @type {{[code: string]: () => string}} */
  const texts = {
    only: () => gettext("The rules allow nothing else."),
    balance: () => gettext("Nothing stands out: by the bot’s figures your team stands best after it."),
    wins: () => gettext("It wins the game."),
    finishes: () => gettext("It brings your last marble home."),
    eats: () => ngettext("It eats %(count)s marble of %(name)s.", "It eats %(count)s marbles of %(name)s.", count),
    eats_own: () => of(gettext("It eats a marble of yours."), gettext("It eats a marble of your partner, %(name)s.")),
    out: () => of(gettext("It brings a marble out."), gettext("It brings a marble of %(name)s out.")),
    home: () => of(gettext("It brings a marble into heaven."), gettext("It brings a marble of %(name)s into heaven.")),
    home_foe: () => gettext("It brings a marble of %(name)s into heaven."),
    deeper: () => gettext("It goes deeper into heaven and makes room for the next marble."),
    forward: () =>
      of(
        ngettext(
          "Your marble comes %(count)s case nearer to its heaven.",
          "Your marble comes %(count)s cases nearer to its heaven.",
          count,
        ),
        ngettext(
          "A marble of %(name)s comes %(count)s case nearer to its heaven.",
          "A marble of %(name)s comes %(count)s cases nearer to its heaven.",
          count,
        ),
      ),
    shortcut: () =>
      of(
        gettext("Your marble gains %(count)s cases at once."),
        gettext("A marble of %(name)s gains %(count)s cases at once."),
      ),
    swap: () =>
      of(
        ngettext(
          "The swap takes your marble %(count)s case further.",
          "The swap takes your marble %(count)s cases further.",
          count,
        ),
        ngettext(
          "The swap takes a marble of %(name)s %(count)s case further.",
          "The swap takes a marble of %(name)s %(count)s cases further.",
          count,
        ),
      ),
    near_start: () =>
      of(
        gettext("From there a 4 takes your marble back over its pieu."),
        gettext("From there a 4 takes a marble of %(name)s back over its pieu."),
      ),
    hinders: () => gettext("It sets a marble of %(name)s back."),
    helps_foe: () => gettext("It helps a marble of %(name)s on its way."),
    long_way: () =>
      of(
        gettext("A marble of yours goes past the way into its heaven."),
        gettext("A marble of %(name)s goes past the way into its heaven."),
      ),
    leaves_start: () =>
      of(
        gettext("A marble of yours leaves a place from which a 4 takes it back over its pieu."),
        gettext("A marble of %(name)s leaves a place from which a 4 takes it back over its pieu."),
      ),
    back: () =>
      of(
        ngettext(
          "A marble of yours ends %(count)s case farther from its heaven.",
          "A marble of yours ends %(count)s cases farther from its heaven.",
          count,
        ),
        ngettext(
          "A marble of %(name)s ends %(count)s case farther from its heaven.",
          "A marble of %(name)s ends %(count)s cases farther from its heaven.",
          count,
        ),
      ),
    shelter: () => gettext("The marble is protected on %(place)s."),
    saves: () => gettext("It leaves %(place)s, where an opponent could eat the marble."),
    danger: () => gettext("On %(place)s an opponent can then reach your team’s marble."),
    at_exit: () => gettext("On %(place)s your team’s marble then stands where %(name)s comes out."),
    avoids_danger: () => gettext("The next best play leaves a marble where an opponent can reach it: %(place)s."),
    avoids_at_exit: () => gettext("The next best play leaves a marble where %(name)s comes out."),
    avoids_long_way: () => gettext("The next best play takes a marble past the way into its heaven."),
    avoids_leaves_start: () =>
      gettext("The next best play takes a marble from a place from which a 4 takes it back over its pieu."),
    avoids_back: () => gettext("The next best play takes a marble farther from its heaven."),
    avoids_eats_own: () => gettext("The next best play eats a marble of your own team."),
    burns: () => gettext("%(name)s must burn a card."),
    replays: () => gettext("You draw a card and play on at once."),
    burn: () => gettext("Without %(card)s the rest of your hand is worth most."),
    gives_out: () => gettext("With %(card)s %(name)s can bring a marble out."),
    gives: () => gettext("What you keep and what %(name)s gets are then worth most together."),
    prepares: () => gettext("With a card that you keep, a marble may come home or eat next."),
    keeps: () => gettext("You keep %(card)s for later."),
    spends: () => gettext("You spend %(card)s, which is worth keeping."),
  };
  return fill(texts[code]?.() ?? "", values);
}
