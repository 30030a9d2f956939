// kane.html on screens of five sizes, light and dark, with no clip, one, two and many: the viewer has area, nothing
// overlaps or leaves the screen, names are whole or shortened in the middle, and wide tables scroll.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { keep, launch, open, settle } from "../page/browser.mjs";

const SIZES = [[390, 844], [844, 390], [768, 1024], [1280, 720], [1920, 1080]], SCHEMES = ["light", "dark"];
const VIEWER = { width: 0.6, height: 150, stage: 300 }; // least part of the screen's width, least pixels of viewer and stage
const LONG = "a_long_name_of_a_take_that_no_list_has_room_for_and_that_ends_in_its_number";
let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

async function opened(names) {
  const page = await open(browser, "kane.html", { viewport: { width: SIZES[0][0], height: SIZES[0][1] } }), text = readFileSync("data/walk.bvh", "latin1");
  const files = names.map((name) => [name, name.includes("broken") ? "HIERARCHY\nROOT x\n" : text]);
  const transfer = await page.page.evaluateHandle((given) => {
    const out = new DataTransfer();
    for (const [name, content] of given) out.items.add(new File([content], name));
    return out;
  }, files);
  if (names.length) for (const type of ["dragover", "drop"]) await page.page.dispatchEvent("body", type, { dataTransfer: transfer });
  if (names.length) await page.page.waitForSelector("iframe:not([hidden])", { timeout: 120000 });
  if (names.length > 1) await page.page.waitForFunction((count) => document.querySelectorAll(".clips .done, .clips .failed").length === count, names.length, { timeout: 120000 });
  return page;
}

// What is wrong with the layout, as sentences.
const faults = ({ page }, viewer) => page.evaluate(({ least, wanted }) => {
  const out = [], shown = (node) => node && node.checkVisibility() && node.getBoundingClientRect().width > 0;
  const box = (node) => node.getBoundingClientRect();
  if (document.documentElement.scrollWidth > innerWidth) out.push(`the page is ${document.documentElement.scrollWidth} pixels wide`);
  const frame = document.querySelector("iframe:not([hidden])");
  if (wanted && (!shown(frame) || box(frame).width < least.width * innerWidth || box(frame).height < least.height))
    out.push(`the viewer has ${frame ? `${Math.round(box(frame).width)} x ${Math.round(box(frame).height)}` : "no"} pixels`);
  const parts = ["header", ".clips", ".side", ".view"].map((name) => [name, document.querySelector(name)]).filter(([, node]) => shown(node));
  const pairs = (list) => list.flatMap((a, i) => list.slice(i + 1).map((b) => [a, b]));
  const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  for (const [[one, a], [two, b]] of pairs(parts)) if (overlap(box(a), box(b))) out.push(`${one} and ${two} overlap`);
  for (const [name, node] of parts) if (box(node).bottom > innerHeight + 1 || box(node).right > innerWidth + 1) out.push(`${name} leaves the screen`);
  const controls = [...document.querySelectorAll("header *, .side label, .side .actions > *, .question > *")].filter((node) => shown(node) && !node.children.length);
  for (const [a, b] of pairs(controls)) if (!a.closest("details") && overlap(box(a), box(b))) out.push(`"${a.textContent}" and "${b.textContent}" overlap`);
  for (const node of document.querySelectorAll("header button, .clips b, td button"))
    if (shown(node) && node.scrollWidth > node.clientWidth + 1) out.push(`"${node.textContent}" is cut at its end`);
  for (const node of document.querySelectorAll("table, .side, .clips"))
    if (shown(node)) {
      const around = node.closest(".table-box") ?? node, style = getComputedStyle(around);
      const cut = (size, space, flow) => around[size] > around[space] + 1 && !/auto|scroll/.test(flow);
      if (cut("scrollWidth", "clientWidth", style.overflowX) || cut("scrollHeight", "clientHeight", style.overflowY)) out.push(`${node.tagName} ${node.className} is cut and does not scroll`);
    }
  for (const cell of document.querySelectorAll("td")) if (shown(cell) && cell.scrollWidth > cell.clientWidth + 1) out.push(`the cell "${cell.textContent}" is cut`);
  return out;
}, { least: VIEWER, wanted: viewer });

// The stage of the viewer: {width, height} of its picture.
async function stage({ page }) {
  const frame = await (await page.waitForSelector("iframe:not([hidden])")).contentFrame();
  await frame.waitForSelector("html[data-ready]", { timeout: 120000 });
  return frame.$eval(".stage canvas", (canvas) => ({ width: canvas.clientWidth, height: canvas.clientHeight }));
}

async function everywhere(page, name, viewer) {
  const found = [];
  for (const [width, height] of SIZES)
    for (const scheme of SCHEMES) {
      await page.page.emulateMedia({ colorScheme: scheme });
      await page.page.setViewportSize({ width, height });
      await settle(page.page);
      await keep(page, `screen-${name}-${width}-${scheme}`);
      const picture = viewer ? await stage(page) : null;
      if (viewer && (picture.height < VIEWER.height || picture.width < VIEWER.stage)) found.push(`${width} x ${height}, ${scheme}: the stage has ${picture.width} x ${picture.height} pixels`);
      for (const fault of await faults(page, viewer)) found.push(`${width} x ${height}, ${scheme}: ${fault}`);
    }
  assert.deepEqual(found, []);
}

for (const [name, names] of [["zero", []], ["one", ["walk.bvh"]], ["two", ["walk.bvh", `${LONG}_17.bvh`]],
                             ["many", [...Array.from({ length: 9 }, (_, i) => `${LONG}_${i}.bvh`), "broken.bvh", "walk.bvh"]]])
  test(`every screen shows ${name} clip${name === "one" ? "" : "s"}`, async () => {
    const page = await opened(names);
    if (names.includes("broken.bvh")) await page.page.click(".clips button >> nth=0").then(() => page.page.waitForSelector("iframe:not([hidden])"));
    await everywhere(page, name, names.length > 0);
    await page.page.close();
  });

test("the library lists all clips, failures with their reason, on every screen", async () => {
  const page = await opened(["walk.bvh", `${LONG}_17.bvh`, "broken.bvh"]);
  await page.page.click("text=Library");
  await page.page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 3, null, { timeout: 30000 });
  const rows = await page.page.$$eval("tbody tr", (all) => all.map((row) => row.textContent));
  assert.ok(rows.some((row) => /broken\.bvh/.test(row) && /expected|unexpected|end of file/i.test(row)), rows.join("\n"));
  await everywhere(page, "library", false);
  await page.page.close();
});
