// The stream of the table's states while the tab is visible. Each state is complete, or the first of a connection is.

import { pause } from "./board.js";

const RETRY_MS = 1000;
const LOOK_MS = 250;
const ASLEEP_MS = 1000; // a clock that has stood still for so long was asleep, and its connection may be dead
const LATE_MS = 700; // what is shown may be old: after so long without an answer that is told
const HUNG_MS = 5000; // that answer may have gone to a connection that is dead
const SILENT_MS = 25000; // the server says that it is there each ten seconds

class Refused extends Error {}

// opened: called for each connection. show: takes a state. tell: takes a trouble, "" for none.
// gone: the words for a silent table. whole: whether each state is complete, so that the newest is enough.
export function follow({ path, opened = () => {}, show, tell, gone, whole = true }) {
  let reading = new AbortController(), heard = Date.now(), looked = heard, asked = null;

  async function read(signal) {
    const answer = await fetch(path, { signal });
    if (!answer.ok) throw new Refused(await answer.text());
    opened();
    const reader = answer.body.getReader(), decoder = new TextDecoder();
    for (let text = ""; ;) {
      const { value, done } = await reader.read();
      if (done) return;
      heard = Date.now();
      const parts = (text + decoder.decode(value, { stream: true })).split("\n\n");
      text = parts.pop();
      const states = parts.filter((part) => part.startsWith("data: "));
      if (states.length === 0) continue;
      asked = null;
      tell("");
      const news = states.slice(whole ? -1 : 0).map((state) => state.slice("data: ".length));
      Promise.resolve().then(() => news.forEach((state) => show(JSON.parse(state)))); // a mistake in it does not end the stream
    }
  }

  // A stream may end only for a moment: report it only if the next one does not begin.
  async function listen() {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    while (!signal.aborted) {
      heard = asked = Date.now();
      const trouble = await read(signal).then(() => gone, (error) => (error instanceof Refused ? error.message : gone));
      if (signal.aborted) return;
      const began = asked === null;
      asked = null;
      if (!began) tell(trouble);
      await pause(began ? LOOK_MS : RETRY_MS);
    }
  }

  function look() {
    const now = Date.now(), asleep = Math.abs(now - looked) > ASLEEP_MS, silent = now - heard > SILENT_MS;
    looked = now;
    if (document.hidden) return;
    const waits = asked === null ? 0 : now - asked;
    if (asleep || silent || waits > HUNG_MS) listen();
    else if (waits > LATE_MS) tell(gone);
  }

  // A browser has few connections per host, so a hidden tab closes its own.
  function see() {
    looked = Date.now();
    if (document.hidden) reading.abort();
    else listen();
  }

  document.addEventListener("visibilitychange", see);
  document.addEventListener("resume", see); // it was frozen where it could be seen
  addEventListener("pageshow", (event) => event.persisted && see());
  addEventListener("online", see);
  setInterval(look, LOOK_MS);
  see();
}
