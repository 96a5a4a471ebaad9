// Puts the referee onto a card, or into a ZIP for browsers that can't write folders.

const inPage = (id) => document.getElementById(id);
const DATA = JSON.parse(inPage("data").textContent);
const FOLDER = "pachisi-referee";
const bytesOf = (text) => new TextEncoder().encode(text);

// Each reason to refuse a card.
const REFUSALS = {
  "no-card": "This is not a Raspberry Pi's card: it has no file cmdline.txt. Choose the drive that is called bootfs.",
  "no-line": "The file cmdline.txt on this card is not one line of text, so nothing can be added to it. Make the card anew with the Raspberry Pi Imager.",
  full: "There is too little space on this card. Remove files of yours from it.",
  "no-build": "Choose what you have built.",
  "no-file": "Choose the file cmdline.txt on the drive bootfs first.",
};

class Refused extends Error {}

function refuse(reason) {
  throw new Refused(REFUSALS[reason]);
}

// The words that start our installer: systemd runs it, as systemd-run-generator(8) describes.
const RUN = " systemd.run=/boot/firmware/pachisi-referee/install.sh";
// The Pi starts as always meanwhile, and also if the installer is missing or fails.
const AS_ALWAYS =
  " systemd.run_success_action=none systemd.run_failure_action=none systemd.unit=multi-user.target systemd.wants=kernel-command-line.service";

// Returns the kernel's line with our words. If the Imager has a script of its own there, that script decides what
// follows, and it cuts the line at its own word: so ours is the last.
function withWords(line) {
  const theirs = line.replace(RUN, "").replace(AS_ALWAYS, "").trimEnd();
  if (!/^[^\0-\x08\n-\x1f\x7f]+$/.test(theirs)) refuse("no-line");
  return `${theirs}${RUN}${/(^| )systemd\.run=/.test(theirs) ? "" : AS_ALWAYS}\n`;
}

// The lines of settings with the configuration: every key that builds differ in, or what is there stays.
function chosenKeys({ build, driver, language }) {
  if (!build) refuse("no-build");
  const keys = { ...DATA.configurations[build] };
  if (keys.display) keys.display = keys.display.map((one) => ({ ...one, driver }));
  if (language) keys["settings.language"] = language;
  return Object.entries(keys).map(([key, value]) => `config: ${key} = ${toml(value)}\n`);
}

function toml(value) {
  if (Array.isArray(value)) return `[${value.map(toml).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{ ${Object.entries(value).map(([key, one]) => `${key} = ${toml(one)}`).join(", ")} }`;
}

// The files without the packages, in the order in which they are written: a card that is half written does nothing.
function smallFiles(line, options) {
  const page = options.page ? "yes" : "no";
  return {
    [`${FOLDER}/install.sh`]: DATA.installer,
    [`${FOLDER}/settings`]: [DATA.facts, `page=${page}\n`, ...chosenKeys(options)].join(""),
    "pachisi-referee.txt": DATA.ready.replaceAll("\n", "\r\n"),
    "cmdline.txt": withWords(line),
  };
}

function withPackages(files) {
  const packages = JSON.parse(inPage("packages").textContent);
  const decoded = Object.entries(packages).map(([name, text]) => {
    return [`${FOLDER}/${name}`, fromBase64(text)];
  });
  const small = Object.entries(files).map(([name, content]) => [name, bytesOf(content)]);
  return [...decoded, ...small];
}

// A loop: Uint8Array.from makes an object of each letter, which takes five times as long.
function fromBase64(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

// A folder.

async function writeCard(folder, options) {
  let line;
  for await (const name of folder.keys()) {
    if (isLine(name)) line = await textOf(await fileOf(folder, name));
  }
  if (line === undefined) refuse("no-card");
  for (const [name, data] of withPackages(smallFiles(line, options))) await writeFile(folder, name, data);
}

const isLine = (name) => name.toLowerCase() === "cmdline.txt"; // FAT does not tell A from a

async function textOf(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuse("no-line");
  }
}

async function fileOf(folder, name) {
  return (await folder.getFileHandle(name)).getFile();
}

async function writeFile(top, path, data) {
  const [name, inside] = path.split("/").reverse();
  const folder = inside ? await top.getDirectoryHandle(inside, { create: true }) : top;
  const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
  await stream.write(data);
  await stream.close();
  const written = new Uint8Array(await (await fileOf(folder, name)).arrayBuffer());
  if (written.length !== data.length || written.some((byte, at) => byte !== data[at])) {
    throw new Refused(`${path} was not written as it should be. Try another card.`);
  }
}

// A ZIP: each file as it is, not compressed; then the list of all (PKWARE's APPNOTE, 4.3).

function makeZip(files) {
  const parts = [];
  const list = [];
  let offset = 0;
  for (const [path, data] of files) {
    const name = bytesOf(path);
    const shared = [u16(20), u16(0), u16(0), u16(0), u16(0x5821), u32(crc32(data)), u32(data.length), u32(data.length), u16(name.length), u16(0)];
    const head = joined([u32(0x04034b50), ...shared, name]);
    parts.push(head, data);
    list.push(u32(0x02014b50), u16(20), ...shared, u16(0), u16(0), u16(0), u32(0), u32(offset), name);
    offset += head.length + data.length;
  }
  const directory = joined(list);
  const end = [u32(0x06054b50), u16(0), u16(0), u16(files.length), u16(files.length), u32(directory.length), u32(offset), u16(0)];
  return new Blob([...parts, directory, ...end], { type: "application/zip" });
}

const u16 = (number) => Uint8Array.of(number, number >> 8);
const u32 = (number) => Uint8Array.of(number, number >> 8, number >> 16, number >> 24);

function joined(arrays) {
  const all = new Uint8Array(arrays.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of arrays) {
    all.set(one, at);
    at += one.length;
  }
  return all;
}

function crc32(data) {
  let crc = -1;
  for (const byte of data) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ byte) & 255];
  return ~crc;
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit += 1) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte;
});

// The page.

function chosenOptions() {
  const form = inPage("options");
  return {
    build: form.build.value,
    driver: form.driver.value,
    language: form.language.value,
    page: form.page.checked,
  };
}

// A build has its usual display, until another one is chosen.
function showBuild() {
  const { build, driver } = inPage("options");
  const configuration = DATA.configurations[build.value];
  inPage("displays").hidden = !configuration;
  if (configuration) driver.value = configuration.display[0].driver;
}

function sentenceOfAge() {
  const made = new Date(DATA.built * 1000);
  const day = made.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  const isOld = Date.now() - made > 183 * 24 * 3600 * 1000;
  return `It was made on ${day}${isOld ? "; the releases may have a newer one" : ""}.`;
}

function tell(text) {
  inPage("told").textContent = text;
}

async function toCard() {
  let folder;
  try {
    folder = await window.showDirectoryPicker({ mode: "readwrite" });
  } catch (error) {
    if (error.name === "AbortError") return; // nothing was chosen
    throw error;
  }
  tell("Writing. This takes up to a minute. Do not pull the card out.");
  await writeCard(folder, chosenOptions());
  tell("The referee is on the card. Eject it, put it into the Raspberry Pi, and give the Pi power. The Pi installs the referee, which takes a quarter of an hour or more, and restarts. If the display stays dark, read pachisi-referee.txt on the card.");
}

async function toZip() {
  const [file] = inPage("line").files;
  if (!file || !isLine(file.name)) refuse("no-file");
  const small = smallFiles(await textOf(file), chosenOptions());
  tell("Making the ZIP. A slow computer takes some seconds.");
  await new Promise((shown) => setTimeout(shown, 50)); // the browser draws nothing while it is made
  const files = withPackages(small);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(makeZip(files));
  link.download = "pachisi-referee-card.zip";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  tell("Open the ZIP and copy everything in it onto the drive bootfs: the folder pachisi-referee and two files. Let cmdline.txt replace the one that is there. Then eject the card.");
}

function sentenceOf(error) {
  if (error instanceof Refused) return error.message;
  if (error.name === "QuotaExceededError") return REFUSALS.full;
  return `The card could not be written. Is it locked, or was it pulled out? The browser says: ${error.message}`;
}

// Runs what a button does, and shows why it could not be done.
function onPress(id, action) {
  inPage(id).addEventListener("click", async () => {
    inPage(id).disabled = true;
    try {
      await action();
    } catch (error) {
      tell(sentenceOf(error));
    }
    inPage(id).disabled = false;
  });
}

const writesFolders = Boolean(window.showDirectoryPicker);
inPage("card").hidden = !writesFolders;
inPage("by-zip").open = !writesFolders;
inPage("age").textContent = sentenceOfAge();
inPage("builds").addEventListener("change", showBuild);
showBuild();
onPress("card", toCard);
onPress("zip", toZip);
inPage("options").addEventListener("submit", (event) => event.preventDefault());
