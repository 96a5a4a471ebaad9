// The page for who looks on: shows the newest state of the table. It sends nothing.

import { Board } from "./board.js";
import { follow } from "./stream.js";

const GONE = "The table is not answering. Is it switched on?";
const board = new Board(document.getElementById("board"));
const found = (id) => document.getElementById(id);

async function show(state) {
  found("doing").textContent = state.doing;
  await board.show(state).catch(() => {});
}

function tell(trouble) {
  found("lost").hidden = trouble === "";
  found("lost").textContent = trouble;
}

follow({ path: "stream", show, tell, gone: GONE });
