// The page of a kane query result, as a user sees it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PHONE, isClean, keep, launch, open, problems, settle } from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const HOSTILE = "<img src=x onerror=alert(1)>";
const column = ({ page }, number) => page.$$eval(`tbody td:nth-child(${number})`, (cells) => cells.map((cell) => cell.textContent));
const lastDigit = (text) => 10 ** -(text.split(".")[1] ?? "").length;
const headings = ({ page }) => page.$$eval("thead th button", (all) => all.map((one) => one.firstChild.textContent));

test("the rows stand as they were answered, and sort by any column", async () => {
  const opened = await open(browser, "pages/answer.html");
  const { page } = opened;
  assert.equal(await page.textContent(".question"), "@peaks");
  const names = await headings(opened), torque = names.indexOf("torque_nm_kg") + 1, time = names.indexOf("t") + 1;
  assert.deepEqual(names.slice(0, 3), ["path", "role", "joint"]);
  // by the lower end of the 90 % band, as far as the printed digits are unambiguous
  const peaks = await column(opened, torque), spreads = await column(opened, names.indexOf("torque_sd_nm_kg") + 1);
  const low = peaks.map((peak, i) => Number(peak) - 1.645 * Number(spreads[i]));
  const doubt = peaks.map((peak, i) => lastDigit(peak) / 2 + (1.645 * lastDigit(spreads[i])) / 2);
  assert.ok(low.length > 5 && low[0] > low.at(-1) + 0.1);
  assert.ok(low.every((end, i) => i === 0 || end - doubt[i] <= low[i - 1] + doubt[i - 1]));
  assert.match(await page.textContent("#count"), new RegExp(`^${peaks.length} rows$`));
  await page.click(`thead th:nth-child(${time})`, { position: { x: 3, y: 3 } }); // the header cell, not only its text
  const times = (await column(opened, time)).map(Number);
  assert.deepEqual(times, [...times].sort((a, b) => b - a));
  await page.click(`thead th:nth-child(${time}) button`);
  assert.deepEqual((await column(opened, time)).map(Number), [...times].reverse());
  await keep(opened, "answer");
  isClean(opened);
  await page.close();
});

test("a row leads to its clip, at its time and joint", async () => {
  const opened = await open(browser, "pages/answer.html");
  const { page } = opened;
  const row = await page.$$eval("tbody tr", (rows) => rows.findIndex((one) => one.cells[0].textContent.startsWith("walk"))) + 1;
  const names = await headings(opened), at = async (name) =>
    page.textContent(`tbody tr:nth-child(${row}) td:nth-child(${names.indexOf(name) + 1})`);
  const time = Number(await at("t")), joint = await at("joint");
  const link = new URL(await page.$eval(`tbody tr:nth-child(${row}) a`, (one) => one.href));
  const wanted = new URLSearchParams(link.hash.slice(1));
  assert.ok(Math.abs(Number(wanted.get("t")) - time) < 0.02);
  assert.equal(wanted.get("joint"), joint);
  await page.click(`tbody tr:nth-child(${row}) a`);
  await page.waitForSelector("html[data-ready]");
  assert.match(page.url(), /\/pages\/clips\/walk\.bvh\.h5-[0-9a-f]{8}\.html#/);
  assert.match(page.url(), new RegExp(`joint=${joint}`));
  await page.close();
});

test("names stay text, and without pages there are no links", async () => {
  const opened = await open(browser, "apart.html");
  const { page } = opened;
  const names = await column(opened, 1);
  assert.equal(names.length, 3);
  assert.ok(names.includes(HOSTILE));
  assert.equal(await page.locator("tbody a").count(), 0);
  assert.equal(await page.locator("tbody img").count(), 0);
  isClean(opened);
  await page.close();
});

test("no row is told, on a telephone too nothing sticks out", async () => {
  const none = await open(browser, "none.html");
  assert.equal(await none.page.textContent("#count"), "No row matches");
  await none.page.close();
  const opened = await open(browser, "pages/answer.html", { viewport: PHONE, scheme: "dark" });
  await settle(opened.page);
  assert.deepEqual(await problems(opened), []);
  await keep(opened, "answer-phone");
  await opened.page.close();
});
