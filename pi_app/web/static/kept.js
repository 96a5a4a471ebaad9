// The first script in the file of one game: shows the page in its reader's language, and answers in place of a
// table. The other scripts follow it in one function.

const DATA = document.getElementById("data").textContent;
const { number, first, texts } = JSON.parse(DATA);
const accepted = navigator.languages.map((one) => [one.replace("-", "_"), one.split("-")[0]]);
const wanted = [location.hash.split("/")[2]].concat(...accepted, first); // #7/120/de
const spoken = wanted.find((name) => name in texts);
const kept = JSON.parse(DATA, (key, value) => (value && value.$ !== undefined ? texts[spoken][value.$] : value));

const fetch = (path) => Promise.resolve(new Response(JSON.stringify(kept.answers[path])));

document.documentElement.lang = spoken.replace("_", "-");
document.body.innerHTML = kept.body;
if (!location.hash) history.replaceState(null, "", `#${number}`);

addEventListener("change", (event) => {
  if (event.target.id !== "language") return;
  event.stopPropagation(); // texts.js would ask the table for it
  location.hash = `${number}/${document.getElementById("slider").value}/${event.target.value}`;
}, true);
addEventListener("hashchange", () => location.reload());
