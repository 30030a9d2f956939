// The page of a library, as a user sees it.
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { DESKTOP, IS_LONG, PHONE, RUNS, isClean, keep, launch, open, overlaps, picture, pixels, problems, readsAlways, settle, testLong } from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const HOSTILE = "<img src=x onerror=alert(1)>";
const names = ({ page }) => page.$$eval(".name", (all) => all.map((name) => name.textContent));
const column = ({ page }, number) => page.$$eval(`tbody td:nth-child(${number})`, (cells) => cells.map((cell) => cell.textContent));

test("the table lists the hardest clips first, with small plots, and sorts", async () => {
  const opened = await open(browser, "pages/index.html");
  const { page } = opened;
  const low = (text) => { const [value, sd] = text.split(" ± ").map(Number); return value - 1.645 * sd; };
  const peaks = (await column(opened, 3)).map(low);
  assert.equal(peaks.length, 3);
  assert.deepEqual(peaks, [...peaks].sort((a, b) => b - a), "by the lower end of the band");
  for (const [heading, form] of [["of all", /^[\d.]+$/], ["verdict", /^possible [\d.]+ ± [\d.]+$/], ["left out", /^[\d.]+/]]) {
    const heads = await page.$$eval("th", (all) => all.map((one) => one.textContent)), at = heads.findIndex((text) => text.startsWith(heading));
    for (const text of await column(opened, at + 1)) assert.match(text, form);
  }
  assert.ok(pixels(await picture(opened, ".spark"), (r, g, b) => b > r + 60).length > 30, "a small plot is drawn");
  await page.click('th:nth-child(3) button');
  assert.deepEqual((await column(opened, 3)).map(low), [...peaks].reverse());
  await page.click("th:first-child button");
  assert.deepEqual(await names(opened), [HOSTILE, "squat", "walk"]);
  isClean(opened);
  await page.close();
});

test("each clip has a drawing of its hardest moment, of less than a kilobyte", async () => {
  const opened = await open(browser, "pages/index.html");
  const { page } = opened;
  const drawn = await page.$$eval("tbody tr", (rows) => rows.map((row) => row.querySelector(".poster path")?.getAttribute("d") ?? ""));
  assert.equal(new Set(drawn).size, 3, "each in its own pose");
  for (const path of drawn) assert.ok(path.length > 60 && path.length < 1000, `${path.length} bytes`);
  const inked = await page.$$eval(".poster path", (all) => all.map((one) => one.getBBox()).map((box) => [box.width, box.height, box.x >= 0 && box.y >= 0 && box.x + box.width <= 100 && box.y + box.height <= 100]));
  for (const [width, height, isInside] of inked) assert.ok(width > 10 && height > 50 && isInside, `${width} by ${height}`);
  const plain = ([r, g, b]) => r + g + b;
  const seen = await picture(opened, ".poster");
  const paper = plain(seen.data.slice(0, 3));
  assert.ok(pixels(seen, (r, g, b) => Math.abs(plain([r, g, b]) - paper) > 150).length > 60, "something is drawn");
  isClean(opened);
  await page.close();
});

test("words and conditions filter, a wrong column is told", async () => {
  const opened = await open(browser, "pages/index.html");
  const { page } = opened;
  await page.fill("#filter", "walk");
  assert.deepEqual(await names(opened), ["walk"]);
  assert.match(await page.textContent("#count"), /1 of 3/);
  await page.fill("#filter", "duration_s > 3 right_hip_torque_peak_nm_kg>1.5");
  assert.deepEqual(await names(opened), ["walk"]);
  await page.fill("#filter", "nothing_here > 3");
  assert.match(await page.textContent(".complaint"), /no column nothing_here/);
  await page.fill("#filter", "");
  assert.equal((await names(opened)).length, 3);
  isClean(opened);
  await page.close();
});

test("words may be denied, joined with OR and quoted", async () => {
  const opened = await open(browser, "pages/index.html");
  const { page } = opened;
  const ask = async (text) => (await page.fill("#filter", text), (await names(opened)).sort());
  assert.deepEqual(await ask("-walk"), [HOSTILE, "squat"]);
  assert.deepEqual(await ask("walk OR squat"), ["squat", "walk"]);
  assert.deepEqual(await ask("bvh walk OR squat -squat"), ["walk"]);
  assert.deepEqual(await ask('"src=x onerror"'), [HOSTILE]);
  assert.deepEqual(await ask("-duration_s<3"), ["squat", "walk"]);
  assert.deepEqual(await ask("walk OR duration_s<3"), [HOSTILE, "walk"]);
  assert.deepEqual(await ask("OR"), [HOSTILE, "squat", "walk"]);
  isClean(opened);
  await page.close();
});

test("facets, order and filter stand in the address and survive Back", async () => {
  const opened = await open(browser, "pages/index.html");
  const { page } = opened;
  const tags = await page.$$eval("#facet-tag option", (all) => all.map((option) => option.textContent));
  assert.ok(tags.includes("walk (1)") && tags.includes("squat (1)"), tags.join());
  const strength = await page.$$eval("#facet-strength option", (all) => all.map((option) => option.textContent));
  assert.ok(strength.some((band) => /^under 80 % \([1-9]/.test(band)), strength.join());
  await page.selectOption("#facet-tag", "squat");
  assert.deepEqual(await names(opened), ["squat"]);
  await page.selectOption("#facet-tag", "walk");
  await page.selectOption("#sort", "frames");
  await page.fill("#filter", "walk");
  await page.click(".name");
  await page.waitForSelector("#joint-name");
  await page.goBack();
  await page.waitForSelector("#filter");
  await settle(page);
  assert.equal(await page.inputValue("#filter"), "walk");
  assert.equal(await page.inputValue("#facet-tag"), "walk");
  assert.equal(await page.inputValue("#sort"), "frames");
  assert.deepEqual(await names(opened), ["walk"]);
  await page.close();
});

test("any column sorts, and the whole head of one", async () => {
  const opened = await open(browser, "pages/index.html");
  const { page } = opened;
  await page.selectOption("#sort", "frames");
  const down = await names(opened);
  const head = await page.locator("th.sorts").nth(6).boundingBox();
  await page.mouse.click(head.x + 3, head.y + 3);
  assert.equal(await page.inputValue("#sort"), "duration_s");
  await page.selectOption("#sort", "path");
  assert.deepEqual(await names(opened), [HOSTILE, "squat", "walk"]);
  assert.equal(down.length, 3);
  isClean(opened);
  await page.close();
});

test("two rows are compared", async () => {
  const opened = await open(browser, "pages/index.html");
  const { page } = opened;
  const chosen = (await names(opened)).slice(0, 2);
  await page.check("tbody tr:nth-child(1) .pick");
  assert.equal(await page.$("#compare"), null);
  await page.check("tbody tr:nth-child(2) .pick");
  assert.deepEqual(await page.$$eval("#compare thead th", (all) => all.slice(1, 3).map((head) => head.textContent)), chosen);
  const line = await page.$$eval("#compare tbody tr", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)).find(([name]) => name === "duration_s"));
  assert.ok(Math.abs(Number(line[2]) - Number(line[1]) - parseFloat(line[3])) < 0.02, line.join());
  assert.ok(pixels(await picture(opened, ".curves"), (r, g, b) => r > b + 60 || b > r + 60).length > 100, "both curves are drawn");
  await keep(opened, "library-compare");
  await page.click("#compare-close");
  assert.equal(await page.$("#compare"), null);
  assert.equal(await page.$$eval(".pick:checked", (all) => all.length), 0);
  isClean(opened);
  await page.close();
});

test("the pages of a library share one program", async () => {
  const opened = await open(browser, "pages/index.html");
  await opened.page.click(".name");
  await opened.page.waitForSelector("html[data-ready] #joint-name");
  assert.deepEqual(opened.requests.filter((url) => !/\/(clips\/[^/]+\.html|kane-[0-9a-f]{8}\.js)(#.*)?$/.test(url)), []);
  assert.equal(opened.requests.filter((url) => /\.js$/.test(url)).length, 1);
  assert.deepEqual(opened.complaints, []);
  const clips = join(process.env.PAGES, "pages/clips");
  for (const name of readdirSync(clips)) assert.ok(statSync(join(clips, name)).size < 120e3 + 900 * 400, name);
  await opened.page.close();
});

test("the figures of a joint take the place of the hardest one's", async () => {
  const opened = await open(browser, "pages/index.html");
  const before = await column(opened, 3);
  await opened.page.selectOption("#role", "left_elbow");
  assert.notDeepEqual(await column(opened, 3), before);
  assert.equal(await opened.page.$$eval("th", (heads) => heads.length), 13);
  isClean(opened);
  await opened.page.close();
});

test("a link opens the clip's page at its peak", async () => {
  const opened = await open(browser, "pages/index.html");
  const { page } = opened;
  await page.click(".name >> text=walk");
  await page.waitForSelector("#joint-name");
  await settle(page);
  const note = await page.textContent(".joint-note"), clock = await page.textContent("#clock");
  const [, peak] = /at ([\d.]+) s/.exec(note);
  assert.ok(Math.abs(Number(peak) - parseFloat(clock)) < 0.006, `${note} ${clock}`);
  assert.deepEqual(opened.complaints, []);
  await page.close();
});

test("hostile names are text", async () => {
  const opened = await open(browser, "pages/index.html");
  const { page } = opened;
  assert.equal(await page.$("img"), null);
  await page.click(`.name >> text=${HOSTILE}`);
  await page.waitForSelector("#joint-name");
  assert.ok((await page.textContent("#joint")).includes("left knee"));
  assert.equal(await page.$("img"), null);
  await page.selectOption("#joint", { label: "left knee" });
  assert.match(await page.textContent(".joint-note"), /<img_src=x_onerror=alert\(1\)><\/script>/);
  assert.deepEqual(opened.complaints, []);
  await page.close();
});

for (const [name, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE }))
  for (const scheme of ["light", "dark"])
    (readsAlways(name, scheme) ? test : testLong)(`the table is readable on a ${scheme} ${name}`, async () => {
      const opened = await open(browser, "pages/index.html", { viewport, scheme });
      assert.deepEqual(await problems(opened), []);
      assert.deepEqual(await overlaps(opened, ["h1", "#count", "#filter", "#role", "#sort", ".facets", ".table-box", ".note"]), []);
      await keep(opened, `library-${scheme}-${name}`);
      isClean(opened);
      await opened.page.close();
    });

// Time from a user action until the table is updated, ms.
const taken = ({ page }, selector, value) => page.evaluate(([chosen, text]) => {
  const field = document.querySelector(chosen), begin = performance.now();
  field.value = text;
  field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input"));
  document.querySelector("table").getBoundingClientRect();
  return performance.now() - begin;
}, [selector, value]);

// With KANE_PAGE_LONG they open within 2 s, filter and order within 100 ms. If a walk's page takes longer than a second to
// open, the machine is slow or busy, and the bounds are scaled.
test("3,076 clips are listed, filtered and ordered: times", async () => {
  const asked = [["#filter", "take0000"], ["#filter", "left_knee_torque_peak_nm_kg > 2"], ["#filter", "show01 OR show02 -take000"],
                 ["#filter", ""], ["#sort", "path"], ["#sort", "duration_s"], ["#sort", "torque_peak_nm_kg"]];
  const best = { walk: Infinity, many: Infinity, steps: asked.map(() => Infinity) };
  const isWithin = () => best.many < 2 * Math.max(1, best.walk) && Math.max(...best.steps) < 100 * Math.max(1, best.walk);
  for (let i = 0; i < RUNS && !(i > 2 && isWithin()); i++) { // alternating, the best of three or more
    for (const [name, file] of [["walk", "walk.html"], ["many", "many/index.html"]]) {
      const opened = await open(browser, file);
      const seconds = await opened.page.evaluate(() => performance.getEntriesByName("ready")[0].startTime / 1000);
      best[name] = Math.min(best[name], seconds);
      if (name === "many") {
        assert.match(await opened.page.textContent("#count"), /3,076 of 3,076 clips/);
        for (const [k, [selector, value]] of asked.entries()) best.steps[k] = Math.min(best.steps[k], await taken(opened, selector, value));
        if (i === 0) await keep(opened, "many");
      }
      isClean(opened);
      await opened.page.close();
    }
  }
  console.log(`# 3,076 clips open in ${best.many.toFixed(2)} s, a walk in ${best.walk.toFixed(2)} s; steps take ${best.steps.map((ms) => ms.toFixed(0)).join(", ")} ms`);
  if (IS_LONG) assert.ok(isWithin(), JSON.stringify(best));
});
