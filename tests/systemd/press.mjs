// Opens card.html without a browser, chooses, and lets it write to a card: the document and the card are fakes.
//
// Reads {html, chosen, card} as JSON, the card's files in base64; prints {told, card}.

import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

const { html, chosen, card } = JSON.parse(readFileSync(0, "utf8"));
const elements = {};

function element(id) {
  const [, text = ""] = new RegExp(`<script type="[a-z/]+" id="${id}">(.*?)</script>`, "s").exec(html) ?? [];
  return { textContent: text, addEventListener: (_, pressed) => (elements[id].press = pressed) };
}

function file(path) {
  return {
    getFile: async () => {
      const data = Buffer.from(card[path], "base64");
      return { name: path, arrayBuffer: async () => data.buffer.slice(data.byteOffset, data.byteOffset + data.length) };
    },
    createWritable: async () => ({
      write: async (data) => {
        delete card[path]; // so that the last one written is the last
        card[path] = Buffer.from(data).toString("base64");
      },
      close: async () => {},
    }),
  };
}

function folder(before) {
  return {
    keys: async function* () {
      yield* Object.keys(card);
    },
    getFileHandle: async (name) => file(before + name),
    getDirectoryHandle: async (name) => folder(`${before}${name}/`),
  };
}

globalThis.document = { getElementById: (id) => (elements[id] ??= element(id)) };
globalThis.window = { showDirectoryPicker: async () => folder("") };
const options = Object.assign(document.getElementById("options"), { build: {}, driver: {} });
runInThisContext(/<script>\n(.*?)\n<\/script>/s.exec(html)[1], { filename: "card.js" });
Object.assign(options, chosen);
await elements.card.press();
console.log(JSON.stringify({ told: elements.told.textContent, card }));
