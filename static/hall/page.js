// A clock on a page, and a team's phone: they follow by themselves.
import { tick } from "./clocks.js";
import { follow } from "./follow.js";

follow(tick);
setInterval(tick, 250);
tick();
