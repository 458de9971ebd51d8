// What the table page shows of a view and of a choice: board, heading, buttons, hand.
import { tellAside } from "./aside.js";
import * as choose from "./choose.js";
import { byId, say, swapChildren } from "./dom.js";
import { heading } from "./headings.js";
import { fill, gettext } from "./i18n.js";
import { capital } from "./names.js";
import { goesBack, isTrack, ownerAt, sideOf, touchedPlaces } from "./notation.js";
import { choices } from "./panels.js";
import { placeWords, whereWords } from "./places.js";
import { cardsFor, movable, offered } from "./ways.js";
/** @import { Situation } from "./tock_types.js" */

export class Screen {
  /** @param {import("./table.js").Table} table @param {import("./player.js").Player} player */
  constructor(table, player) {
    this.table = table;
    this.player = player;
    this.choicesKey = "";
  }

  render() {
    const { table, player } = this;
    const { view, boot, company, stopped } = table;
    const choice = player.settle();
    const stage = table.seated && view.legal ? choose.stage(view, choice) : "wait";
    // Of what is still being answered only the targets may be pressed: the second marble of a seven is another touch.
    const may = player.mayChoose || (player.unsettled && stage === "target" && !stopped);
    const deciding = table.deciding();
    const busy = player.busy && table.seated && !player.unsettled;
    const me = company.me ?? -1;
    /** @type {Situation} */
    const state = {
      boot,
      company: { ...company, me },
      view,
      stage,
      choice,
      busy,
      stopped,
      marbles: [],
      targets: [],
      skip: "",
    };
    if (may && stage === "card") state.marbles = movable(view, me);
    if (may && ["lay", "marble", "target"].includes(stage)) {
      state.marbles = choose.marblesFor(view, me, { ...choice, marble: "" });
      state.targets = offered(view, me, choice);
      state.skip = choose.skipOf(view, choice);
    }
    this.showBoard(state, may);
    const title = heading(boot, view, stage, choice);
    say(byId("heading"), title);
    table.callTurn(title, deciding);
    table.seats.show(view, deciding);
    table.referee.show(view, table.link.held?.you ?? boot.snap.you);
    table.tick();
    this.showHand(state, may);
    this.showChoices(state, may);
    byId("table").classList.toggle("over", view.phase === "over");
    tellAside(byId("aside"), company, view);
    table.around.show(view, table.seated);
  }

  /** @param {Situation} state @param {boolean} may */
  showBoard(state, may) {
    const { board, pile } = this.table;
    const { choice, company, view } = state;
    const laid = view.touched?.card ?? (choice.laid ? choice.card : "");
    const legs = choice.legs.map((leg) => ({
      ...leg,
      owner: (isTrack(leg.from) ? ownerAt(view.marbles, leg.from) : undefined) ?? sideOf(view, company.me),
    }));
    board.show(legs.length ? { ...view, marbles: choose.laidOut(view, company.me, choice) } : view);
    board.centre(pile, laid);
    board.offer({
      legs,
      back: Boolean(choice.card) && goesBack(view, choice.card),
      touched: this.touchedMarble(state),
      quiet: state.stage === "card",
      marbles: may
        ? state.marbles.map((item) => ({
            ...item,
            label: fill(gettext("Marble on %(place)s"), { place: whereWords(company, item.place, item.owner) }),
            pick: () => this.player.pick(item.place),
          }))
        : [],
      targets: may
        ? state.targets.map((item) => ({
            ...item,
            label: capital(placeWords(company, item.place, item.other ?? item.owner)),
            take: () => this.player.take(item),
          }))
        : [],
    });
  }

  /** @param {Situation} state */
  touchedMarble({ view, choice }) {
    const place = choice.marble || (view.turn === this.table.company.me ? "" : touchedPlaces(view).pop());
    if (!place) return undefined;
    return {
      place,
      owner: (isTrack(place) ? ownerAt(view.marbles, place) : undefined) ?? sideOf(view, view.turn ?? -1),
    };
  }

  /** @param {Situation} state @param {boolean} may */
  showHand(state, may) {
    const { view } = state;
    byId("hand").hidden = !view.hand;
    if (!view.hand) return;
    this.table.hand.show({
      cards: view.hand,
      open: cardsFor(view, state.company.me, state.choice),
      playable: choose.openCards(view),
      marked: this.player.marked,
      laid: state.choice.laid ? state.choice.card : "",
      active: Boolean(view.legal) && may,
      verb: choose.asked(view),
    });
  }

  /**
   * The buttons stay the same nodes while they say the same: nothing changes under a finger.
   * @param {Situation} state @param {boolean} may
   */
  showChoices(state, may) {
    const { view, stage, choice, busy, stopped } = state;
    const { decision, phase, legal, ready, beacon, laid, touched } = view;
    const key = JSON.stringify([
      decision,
      phase,
      legal,
      ready,
      beacon,
      laid,
      touched,
      stage,
      choice,
      busy,
      stopped,
      may,
    ]);
    if (key === this.choicesKey) return;
    this.choicesKey = key;
    this.table.focus.keep(() => swapChildren(byId("choices"), choices(state, this.player)));
    const count = byId("choices").querySelectorAll(".choice").length;
    byId("choices").classList.toggle("rows", count > 2);
    byId("choices").classList.toggle("many", count > 4);
  }
}
