// The page's language: fills the slots of its sentences, and formats numbers and dates.

const PAGE = document.documentElement.lang;
const YEAR_S = 31536000;
const OWN = navigator.languages.find((one) => one.split("-")[0] === PAGE); // en-GB writes dates unlike en-US
export const LANGUAGE = OWN || PAGE;

// The server reads the cookie, also for the stream and the games.
const chooser = document.getElementById("language"); // only if the page has several
if (chooser) chooser.addEventListener("change", ({ target }) => {
  document.cookie = `language=${target.value}; path=/; max-age=${YEAR_S}; samesite=strict`;
  location.reload();
});

const percentage = new Intl.NumberFormat(LANGUAGE, { style: "percent" });

// chance: from 0 to 1.
export const percent = (chance) => percentage.format(chance);

export const fill = (sentence, slot, value) => sentence.replace(`{${slot}}`, () => value);

// The text before a slot, and the text after it.
export const around = (sentence, slot) => sentence.split(`{${slot}}`);
