// The club's page: a tile for each table, the evening's results, and the players with their ratings.

import { Board, LETTERS, badge, changed, fillWith, found, make, node } from "./board.js";
import { showPlots } from "./plots.js";
import { follow } from "./stream.js";
import { LANGUAGE, fill } from "./texts.js";

begin();

const LOOK_MS = 5000;
const MINUTE_S = 60, HOUR_S = 3600;
const AGAIN_MS = 2000; // after which a board that could not be fetched is asked for again

const words = found("tiles").dataset;
const tiles = new Map();
let ahead = 0; // the club's clock minus this one's, in seconds

class Tile {
  constructor(name) {
    this.place = node("li", "", "tile");
    this.rules = node("span", "", "rules");
    this.doing = node("p", "", "doing");
    this.far = node("ol");
    const head = node("h2", name);
    head.append(" ", this.rules);
    this.place.append(head, this.doing);
    this.board = new Board(make(this.place, "svg", { "aria-hidden": "true" }));
    this.place.append(this.far);
  }

  show(told) {
    this.told = told;
    this.place.classList.toggle("won", told.won);
    this.place.classList.toggle("troubled", told.trouble !== "");
    this.rules.textContent = told.rules;
    fillWith(this.far, ...told.standings.map((one) => standing(one, told.its)));
    this.tell();
    this.draw();
  }

  async draw() {
    const { board, pawns } = this.told;
    if (board && !await this.board.show({ board, pawns, moves: [], looks: [] })) setTimeout(() => this.draw(), AGAIN_MS);
  }

  // What it does, or what is wrong with it, which depends on the time.
  tell() {
    const { trouble, doing, since } = this.told, away = Date.now() / 1000 + ahead - since;
    const minutes = fill(words.minutes, "minutes", Math.max(1, Math.floor(away / MINUTE_S)));
    const hours = fill(words.hours, "hours", Math.floor(away / HOUR_S));
    const said = trouble === "away" ? (away < HOUR_S ? minutes : hours) : words[trouble] || doing;
    if (this.doing.textContent !== said) this.doing.textContent = said;
  }
}

function player([seat, name]) {
  const line = node("li");
  line.append(badge(seat), node("span", LETTERS[seat], "unseen"), node("b", name));
  return line;
}

function standing([seat, name, far], its) {
  const line = player([seat, name]), way = node("span", "", "far");
  line.classList.toggle("its", its.includes(seat));
  line.append(way);
  way.append(node("span", `${far} %`));
  way.style.setProperty("--far", `${far}%`);
  return line;
}

function show({ now, all, gone, tables }) {
  ahead = now - Date.now() / 1000;
  for (const name of all ? [...tiles.keys()] : gone) drop(name);
  for (const told of tables) {
    if (!tiles.has(told.name)) add(told.name);
    tiles.get(told.name).show(told);
  }
  found("none").hidden = tiles.size > 0;
  shape(tiles.size);
}

function drop(name) {
  tiles.get(name).place.remove();
  tiles.delete(name);
}

function add(name) {
  const tile = new Tile(name);
  const after = [...tiles.keys()].filter((other) => other.localeCompare(name, undefined, { numeric: true }) > 0);
  const [next] = after.sort((one, other) => one.localeCompare(other, undefined, { numeric: true }));
  found("tiles").insertBefore(tile.place, next ? tiles.get(next).place : null);
  tiles.set(name, tile);
}

// On a wall twelve tables fit, four beside one another. Fewer are larger.
function shape(count) {
  const columns = count < 2 ? 1 : count < 5 ? 2 : count < 7 ? 3 : 4, { style } = document.documentElement;
  style.setProperty("--columns", columns);
  style.setProperty("--rows", Math.max(1, Math.min(3, Math.ceil(count / columns))));
}

function tell(trouble) {
  found("trouble").hidden = trouble === "";
  if (found("trouble").textContent !== trouble) found("trouble").textContent = trouble;
}

// The other views, in the address after #: evening, players, or players/ID for one of them

const EVERY_MS = 10000;
const times = new Intl.DateTimeFormat(LANGUAGE, { timeStyle: "short" });
const dates = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeStyle: "short" });
let again = 0;

function result({ game, table, ended, turns, tiers }) {
  const line = node("li"), link = node("a", table), places = node("ol");
  link.href = `games.html#${game}`;
  for (const [n, tier] of tiers.entries()) {
    const place = node("li", `${1 + tiers.slice(0, n).reduce((count, one) => count + one.length, 0)}.`), all = node("ul");
    all.append(...tier.map(player));
    place.append(all);
    places.append(place);
  }
  line.append(link, node("span", `${times.format(new Date(1000 * ended))}, ${turns}`), places);
  return line;
}

function paintEvening(results) {
  const none = node("li", found("results").dataset.none);
  fillWith(found("results"), ...(results.length ? results.map(result) : [none]));
}

function paintPlayers({ plots, people }) {
  for (const { rows } of plots) for (const row of rows) if (typeof row.label === "number") row.label = dates.format(new Date(1000 * row.label));
  showPlots(found("plots"), plots);
  if (plots.length === 0) found("plots").append(node("p", found("plots").dataset.none));
  fillWith(found("names"), ...people.map(([person, name]) => {
    const line = node("li"), link = node("a", name);
    link.href = `#players/${person}`;
    line.append(link);
    return line;
  }));
}

const VIEWS = { live: null, evening: paintEvening, players: paintPlayers };

async function look() {
  const { hash } = location, [name, person] = hash.slice(1).split("/"), view = name in VIEWS ? name : "live";
  clearTimeout(again);
  for (const link of document.querySelectorAll("header [data-view]")) {
    if (link.dataset.view === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    if (link.dataset.view === view) document.querySelector("h1").textContent = link.textContent;
    found(link.dataset.view).hidden = link.dataset.view !== view;
  }
  if (view === "live") return;
  const answer = await fetch(person ? `players/${encodeURIComponent(person)}` : view).catch(() => null);
  const told = answer && answer.ok ? await answer.json().catch(() => null) : null; // else the stream says what is wrong
  if (hash !== location.hash) return;
  if (told && changed("view", [hash, told])) VIEWS[view](told);
  again = setTimeout(look, EVERY_MS);
}

addEventListener("hashchange", look);
look();
setInterval(() => tiles.forEach((tile) => tile.tell()), LOOK_MS);
follow({ path: "stream", show, tell, gone: found("trouble").dataset.gone, whole: false });
