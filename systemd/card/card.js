// Puts the referee onto a card, or into a ZIP for browsers that can't write folders.

const inPage = (id) => document.getElementById(id);
const DATA = JSON.parse(inPage("data").textContent);
const FOLDER = "pachisi-referee";
const bytesOf = (text) => new TextEncoder().encode(text);

// As card.py decides it.

class Refused extends Error {}

function refuse(reason) {
  throw new Refused(DATA.refusals[reason]);
}

function checkCard(card) {
  if (!("user-data" in card) && !("meta-data" in card)) refuse("cmdline.txt" in card ? "too-old" : "no-card");
}

function removeId(commandLine, metaData) {
  const id = new RegExp(DATA.id, "m").exec(metaData)?.[1];
  const shorten = (source, before, named) => (named === id ? `${before}ds=nocloud` : source);
  return commandLine.replace(new RegExp(DATA.sourceWithId, "g"), shorten);
}

function checkOptions(options) {
  if (options.host && !new RegExp(`^(${DATA.host})$`).test(options.host)) refuse("host");
}

// The files without the package, in the order in which they are written.
// card: the texts of those files of DATA.read that it has.
function smallFiles(card, options) {
  const { "cmdline.txt": commandLine = "", "meta-data": metaData = "", "user-data": userData = "" } = card;
  const withoutId = removeId(commandLine, metaData);
  const page = options.page ? "yes" : "no";
  return {
    [`${FOLDER}/install.sh`]: DATA.installer,
    [`${FOLDER}/settings`]: `${DATA.facts}driver=${options.driver}\nlanguage=${options.language}\npage=${page}\n`,
    "pachisi-referee.txt": DATA.ready.replaceAll("\n", "\r\n"),
    ...("meta-data" in card ? {} : { "meta-data": "instance-id: card\n" }),
    ...(withoutId === commandLine ? {} : { "cmdline.txt": withoutId }),
    "user-data": extend(userData, options.host),
  };
}

// As user_data.py extends the Imager's file.

const { patterns: PATTERNS, command: COMMAND, names: NAMES, begin: BEGIN, end: END } = DATA.userData;

function extend(text, host) {
  let theirs = leaveTheirs(text);
  const newline = theirs.includes("\r\n") ? "\r\n" : "\n";
  if (!theirs.endsWith("\n")) theirs += newline;
  const before = parse(theirs) ?? refuse("no-yaml");
  const added = chooseName(before, host);
  if ("bootcmd" in before) theirs = insertCommand(theirs, newline);
  else added.bootcmd = [COMMAND];
  const lines = Object.entries(added).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const extended = theirs + (lines.length ? mark(lines, newline) : "");
  const expected = { ...before, ...added, bootcmd: [COMMAND, ...(before.bootcmd ?? [])] };
  if (JSON.stringify(parse(extended)) !== JSON.stringify(expected)) refuse("no-room");
  return extended;
}

// Returns the text without our lines, or a first line if it is empty.
function leaveTheirs(text) {
  const marked = text.replace(/^\ufeff/, "");
  if (new RegExp(PATTERNS.strange).test(marked)) refuse("no-room");
  const theirs = marked.replace(new RegExp(PATTERNS.ours, "gm"), "");
  if (!theirs.trim()) return "#cloud-config\n";
  if (!new RegExp(PATTERNS.firstLine).test(theirs)) refuse("no-cloud-config");
  return theirs;
}

// Returns null if the text is no mapping of keys or has a mistake.
function parse(text) {
  try {
    const [first, ...more] = jsyaml.loadAll(text, { schema: jsyaml.YAML11_SCHEMA, json: true });
    const found = first ?? {};
    JSON.stringify(found); // throws an error for a value that contains itself
    const isMapping = Object.prototype.toString.call(found) === "[object Object]";
    const readable = isMapping && !more.length && Array.isArray(found.bootcmd ?? []);
    return readable ? found : null;
  } catch {
    return null;
  }
}

function chooseName(before, host) {
  if (!host || NAMES.some((key) => key in before)) return {};
  return { hostname: host, ...("manage_etc_hosts" in before ? {} : { manage_etc_hosts: true }) };
}

function insertCommand(text, newline) {
  const command = JSON.stringify(COMMAND);
  const list = new RegExp(PATTERNS.list, "m").exec(text);
  const array = new RegExp(PATTERNS.array, "m").exec(text);
  if (!list && !array) refuse("no-room");
  const found = list ?? array;
  const end = found.index + found[0].length;
  const item = new RegExp(PATTERNS.item, "m").exec(text.slice(end));
  let ours = mark([list ? `${item?.[1] ?? ""}- ${command}` : `  ${command},`], newline);
  if (!list && !array[2]) ours = `${newline}${ours}  `;
  return text.slice(0, end) + ours + text.slice(end);
}

function mark(lines, newline) {
  return [BEGIN, ...lines, END].map((line) => line + newline).join("");
}

function withPackage(files) {
  const text = atob(inPage("package").textContent);
  const data = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const small = Object.entries(files).map(([name, content]) => [name, bytesOf(content)]);
  return [[`${FOLDER}/pachisi-referee.deb`, data], ...small];
}

// A folder.

async function writeCard(folder, options) {
  const card = {};
  for await (const name of folder.keys()) {
    const small = name.toLowerCase(); // FAT does not tell A from a
    if (DATA.read.includes(small)) card[small] = await textOf(await fileOf(folder, name));
  }
  checkCard(card);
  checkOptions(options);
  for (const [name, data] of withPackage(smallFiles(card, options))) await writeFile(folder, name, data);
}

async function textOf(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refused(DATA.refusals["no-yaml"].replace("user-data", file.name));
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
    driver: form.driver.value,
    language: form.language.value,
    page: form.page.checked,
    host: form.host.value.trim().toLowerCase(),
  };
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
  tell("The card is ready. Eject it, put it into the Raspberry Pi, and give the Pi power.");
}

async function toZip() {
  const options = chosenOptions();
  checkOptions(options);
  const [file] = inPage("user-data").files;
  if (file?.name.toLowerCase() !== "user-data") refuse("no-file");
  const files = withPackage(smallFiles({ "user-data": await textOf(file), "meta-data": "" }, options));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(makeZip(files));
  link.download = "pachisi-referee-card.zip";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  tell("Open the ZIP and copy everything in it onto the drive bootfs: the folder pachisi-referee and two files. Let user-data replace the one that is there. Then eject the card.");
}

function sentenceOf(error) {
  if (error instanceof Refused) return error.message;
  if (error.name === "QuotaExceededError") return DATA.refusals.full;
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
onPress("card", toCard);
onPress("zip", toZip);
inPage("options").addEventListener("submit", (event) => event.preventDefault());
