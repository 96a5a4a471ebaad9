// The organiser's page: people, who sits where, tournaments, results by hand. Each entry is sent at once.

import { LETTERS, fillWith, found, node } from "./board.js";
import { fill, LANGUAGE } from "./texts.js";
import { ask, draw, follow } from "./tournament.js";

const SEATS = [0, 1, 2, 3];
const times = new Intl.DateTimeFormat(LANGUAGE, { timeStyle: "short" });
const seats = found("seats").dataset;
let people = {};

const byName = () => Object.entries(people).sort(([, one], [, other]) => one.localeCompare(other, LANGUAGE));

async function enter(entry) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(entry) };
  const state = await ask("organise/entry", options);
  if (state) show(state);
  return state !== null;
}

function option(value, text, chosen) {
  const made = node("option", text);
  made.value = value;
  made.selected = value === chosen;
  return made;
}

function tableRow({ name, people: sits, since }) {
  const row = node("fieldset"), correct = node("input"), label = node("label");
  correct.type = "checkbox";
  correct.name = `since ${name}`;
  label.append(correct, fill(seats.since, "what", since ? times.format(1000 * since) : ""));
  label.hidden = since === null;
  const choices = SEATS.map((seat) => {
    const select = node("select");
    select.name = `${name} ${seat}`;
    select.setAttribute("aria-label", fill(fill(seats.seat, "seat", LETTERS[seat]), "what", name));
    select.append(option("", `${LETTERS[seat]}: ${seats.nobody}`, sits[seat] || ""));
    select.append(...byName().map(([id, text]) => option(id, `${LETTERS[seat]}: ${text}`, sits[seat])));
    select.addEventListener("change", () => {
      const others = SEATS.filter((other) => other !== seat && sits[other] && sits[other] !== select.value);
      const now = Object.fromEntries(others.map((other) => [other, sits[other]]));
      if (select.value) now[seat] = select.value;
      enter({ kind: "seating", table: name, people: now, ...(correct.checked ? { since } : {}) });
    });
    return select;
  });
  row.append(node("legend", name), ...choices, label);
  return row;
}

function personItem([id, name]) {
  const item = node("li"), input = node("input");
  Object.assign(input, { value: name, maxLength: 40, required: true, name: id });
  input.setAttribute("aria-label", found("people").dataset.name);
  input.addEventListener("change", () => enter({ kind: "person", person: id, name: input.value }));
  item.append(input);
  return item;
}

function boxes(chosen, change) {
  return byName().map(([id, name]) => {
    const label = node("label"), box = node("input");
    Object.assign(box, { type: "checkbox", value: id, name: "plays", checked: chosen.includes(id) });
    if (change) box.addEventListener("change", change);
    label.append(box, name);
    return label;
  });
}

const checkedIn = (place) => [...place.querySelectorAll("[name=plays]:checked")].map(({ value }) => value);

function controlsOf(tournament, round, index) {
  if (round === undefined) {
    const part = found("controls").content.cloneNode(true), next = part.querySelector(".next");
    const last = tournament.played[tournament.played.length - 1] || [];
    next.disabled = tournament.played.length >= tournament.rounds || last.some(({ tiers }) => !tiers);
    next.addEventListener("click", () => enter({ kind: "round", tournament: tournament.tournament }));
    const playing = part.querySelector(".playing");
    const change = () => enter({ ...tournament, kind: "tournament", people: checkedIn(playing) });
    playing.append(...boxes(tournament.people, change));
    return [...part.children];
  }
  const part = found("result").content.cloneNode(true), form = part.querySelector("form");
  const seated = tournament.played[round - 1][index].people, places = seated.map((_, n) => String(n + 1));
  form.prepend(...seated.map((person) => {
    const label = node("label", `${people[person]} `), select = node("select");
    Object.assign(select, { name: person, required: true });
    select.append(option("", "", ""), ...places.map((place) => option(place, place)));
    label.append(select);
    return label;
  }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const placed = new FormData(form);
    const tiers = places.map((place) => seated.filter((person) => placed.get(person) === place));
    const filled = tiers.filter((tier) => tier.length);
    enter({ kind: "result", tournament: tournament.tournament, round, table: index, tiers: filled });
  });
  return [...part.children];
}

function show(state) {
  const focused = document.activeElement && document.activeElement.name;
  const open = found("new").open;
  people = state.people;
  fillWith(found("tables"), ...state.tables.map(tableRow));
  fillWith(found("people"), ...byName().map(personItem));
  fillWith(found("playing"), ...boxes(Object.keys(people)));
  draw(state, controlsOf);
  found("new").open = open;
  const again = focused && document.getElementsByName(focused)[0];
  if (again) again.focus();
}

found("person").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name } = event.target.elements;
  if (await enter({ kind: "person", name: name.value })) event.target.reset();
});

found("tournament").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, rounds, scheme } = event.target.elements;
  const entry = { kind: "tournament", name: name.value, rounds: Number(rounds.value), scheme: scheme.value };
  if (await enter({ ...entry, people: checkedIn(event.target) })) {
    found("new").open = false;
    name.value = "";
  }
});

follow(show, () => ["INPUT", "SELECT"].includes(document.activeElement && document.activeElement.tagName));
