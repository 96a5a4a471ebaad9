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

function checkCard(names, texts) {
  const vendorData = texts["vendor-data"] ?? "";
  const userData = texts["user-data"] ?? "";
  const has = (name) => names.includes(name);
  if (!has("config.txt") || !has("cmdline.txt")) refuse("no-card");
  if (!has("user-data") && !has("meta-data")) refuse("too-old");
  if (vendorData.trim() && !vendorData.includes(DATA.ours)) refuse("not-ours");
  // A browser removes the byte order mark when it reads a file as text.
  if (userData.trim() && !userData.startsWith("#cloud-config")) refuse("no-cloud-config");
  if (new RegExp(DATA.switchedOff, "m").test(userData)) refuse("switched-off");
}

function checkOptions(options) {
  if (options.host && !new RegExp(`^(${DATA.host})$`).test(options.host)) refuse("host");
}

// The files without the package, in the order in which they are written.
function smallFiles(options) {
  const { templates } = DATA;
  const host = options.host ? templates["vendor-data-host"].replace("HOST", options.host) : "";
  const page = options.page ? "yes" : "no";
  return {
    [`${FOLDER}/install.sh`]: templates["install.sh"],
    [`${FOLDER}/settings`]: `${DATA.facts}driver=${options.driver}\nlanguage=${options.language}\npage=${page}\n`,
    "pachisi-referee.txt": templates["ready.txt"].replaceAll("\n", "\r\n"),
    "vendor-data": templates["vendor-data"] + host,
  };
}

function missingFiles(names) {
  const files = { "user-data": "#cloud-config\n", "meta-data": "instance-id: card\n" };
  return Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)));
}

function withPackage(files) {
  const text = atob(inPage("package").textContent);
  const data = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const small = Object.entries(files).map(([name, content]) => [name, bytesOf(content)]);
  return [[`${FOLDER}/pachisi-referee.deb`, data], ...small];
}

// A folder.

async function writeCard(folder, options) {
  const names = [];
  for await (const name of folder.keys()) names.push(name);
  const texts = {};
  for (const name of ["vendor-data", "user-data"]) {
    if (names.includes(name)) texts[name] = await (await fileOf(folder, name)).text();
  }
  checkCard(names, texts);
  checkOptions(options);
  const { "vendor-data": last, ...first } = smallFiles(options);
  const files = withPackage({ ...first, ...missingFiles(names), "vendor-data": last });
  for (const [name, data] of files) await writeFile(folder, name, data);
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

function toZip() {
  const options = chosenOptions();
  checkOptions(options);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(makeZip(withPackage(smallFiles(options))));
  link.download = "pachisi-referee-card.zip";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  tell("Open the ZIP and copy everything in it onto the drive called bootfs: the folder pachisi-referee and the two files beside it. Then eject the card.");
}

// Runs what a button does, and shows why it could not be done.
function onPress(id, action) {
  inPage(id).addEventListener("click", async () => {
    inPage(id).disabled = true;
    try {
      await action();
    } catch (error) {
      tell(error instanceof Refused ? error.message : `The card could not be written: ${error.message}`);
    }
    inPage(id).disabled = false;
  });
}

inPage("card").hidden = !window.showDirectoryPicker;
onPress("card", toCard);
onPress("zip", toZip);
inPage("options").addEventListener("submit", (event) => event.preventDefault());
