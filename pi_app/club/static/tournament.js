// The tournaments of a club: standings, rounds with their results, and a sheet of each round to print.

import { badge, changed, fillWith, found, node, pause } from "./board.js";
import { LANGUAGE, fill } from "./texts.js";

begin();

const EVERY_MS = 10000;
const words = found("tournaments").dataset;
const numbers = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 1 });

// The answer, or null if the club is gone. A refusal is shown as it is.
export async function ask(path, options) {
  const trouble = found("trouble");
  try {
    const answer = await fetch(path, options);
    const text = await answer.text();
    trouble.textContent = answer.ok ? "" : text;
    trouble.hidden = answer.ok;
    return answer.ok ? JSON.parse(text) : null;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // the network is a TypeError
    trouble.textContent = trouble.dataset.gone;
    trouble.hidden = false;
    return null;
  }
}

function standingsOf({ standings }, people) {
  const part = found("standings").content.cloneNode(true);
  part.querySelector("tbody").append(...standings.map((one) => {
    const row = node("tr"), name = node("th", people[one.person]);
    name.scope = "row";
    const rest = [one.points, one.wins, one.met, one.direct, one.home];
    row.append(node("td", numbers.format(one.place)), name, ...rest.map((value) => node("td", numbers.format(value))));
    return row;
  }));
  return part;
}

function tableOf(table, index, people) {
  const item = node("li"), seats = node("ul");
  table.people.forEach((person, n) => {
    const entry = node("li");
    entry.append(badge(table.seats[n]), node("span", people[person]));
    seats.append(entry);
  });
  item.append(node("h4", table.at || fill(words.elsewhere, "what", index + 1)), seats);
  item.append(table.tiers ? tiersOf(table.tiers, people) : node("p", words.plays, "plays"));
  return item;
}

function tiersOf(tiers, people) {
  const list = node("ol", undefined, "tiers");
  let place = 1;
  for (const tier of tiers) {
    const entry = node("li", tier.map((person) => people[person]).join(", "));
    entry.value = place;
    place += tier.length;
    list.append(entry);
  }
  return list;
}

// controls: gives more nodes for a tournament, or for a table of a round.
export function draw({ people, tournaments }, controls = () => []) {
  found("none").hidden = tournaments.length > 0;
  fillWith(found("tournaments"), found("none"), ...tournaments.map((tournament) => {
    const section = node("section");
    section.append(node("h2", tournament.name), ...controls(tournament), standingsOf(tournament, people));
    tournament.played.map((round, n) => {
      const part = node("section", undefined, "round"), title = node("h3"), print = node("button", words.print, "print");
      const list = node("ol", undefined, "tables");
      title.append(`${tournament.name}: `, fill(words.round, "what", `${n + 1} / ${tournament.rounds}`));
      print.addEventListener("click", () => {
        part.classList.add("printed");
        document.body.classList.add("sheet");
        window.print();
        document.body.classList.remove("sheet");
        part.classList.remove("printed");
      });
      round.forEach((table, k) => {
        const item = tableOf(table, k, people);
        item.append(...controls(tournament, n + 1, k));
        list.append(item);
      });
      part.append(title, print, list, node("p", words.places, "note"));
      return part;
    }).reverse().forEach((part) => section.append(part));
    return section;
  }));
}

// isBusy: whether somebody is writing, so that nothing may move.
export async function follow(show, isBusy = () => false) {
  for (;;) {
    if (!isBusy()) {
      const state = await ask("tournament/state");
      if (state && !isBusy() && changed("state", state)) show(state);
    }
    await pause(EVERY_MS);
  }
}

if (!found("organiser")) follow(draw);
