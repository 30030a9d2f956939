// The page of a library, as a person sees it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESKTOP, PHONE, isClean, keep, launch, open, overlaps, picture, pixels, problems, settle } from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const HOSTILE = "<img src=x onerror=alert(1)>.bvh.h5";
const column = ({ page }, number) => page.$$eval(`tbody td:nth-child(${number})`, (cells) => cells.map((cell) => cell.textContent));

test("the table lists the hardest clips first, with small plots, and sorts", async () => {
  const opened = await open(browser, "pages/index.html");
  const { page } = opened;
  const peaks = (await column(opened, 3)).map(Number);
  assert.equal(peaks.length, 3);
  assert.deepEqual(peaks, [...peaks].sort((a, b) => b - a));
  assert.ok(pixels(await picture(opened, ".spark"), (r, g, b) => b > r + 60).length > 30, "a small plot is drawn");
  await page.click('th:nth-child(3) button');
  assert.deepEqual((await column(opened, 3)).map(Number), [...peaks].reverse());
  await page.click("th:first-child button");
  assert.deepEqual(await column(opened, 1), [HOSTILE, "squat.bvh.h5", "walk.bvh.h5"]);
  isClean(opened);
  await page.close();
});

test("words and conditions filter, a wrong column is told", async () => {
  const opened = await open(browser, "pages/index.html");
  const { page } = opened;
  await page.fill("#filter", "walk");
  assert.deepEqual(await column(opened, 1), ["walk.bvh.h5"]);
  assert.match(await page.textContent("#count"), /1 of 3/);
  await page.fill("#filter", "duration_s > 3 right_hip_torque_peak_nm_kg>1.5");
  assert.deepEqual(await column(opened, 1), ["walk.bvh.h5"]);
  await page.fill("#filter", "nothing_here > 3");
  assert.match(await page.textContent(".complaint"), /no column nothing_here/);
  await page.fill("#filter", "");
  assert.equal((await column(opened, 1)).length, 3);
  isClean(opened);
  await page.close();
});

test("the figures of a joint take the place of the hardest one's", async () => {
  const opened = await open(browser, "pages/index.html");
  const before = await column(opened, 3);
  await opened.page.selectOption("#role", "left_elbow");
  assert.notDeepEqual(await column(opened, 3), before);
  assert.equal(await opened.page.$$eval("th", (heads) => heads.length), 12);
  isClean(opened);
  await opened.page.close();
});

test("a link opens the clip's page at its peak", async () => {
  const opened = await open(browser, "pages/index.html");
  const { page } = opened;
  await page.click("text=walk.bvh.h5");
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
  await page.click(`text=${HOSTILE}`);
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
    test(`the table is readable on a ${scheme} ${name}`, async () => {
      const opened = await open(browser, "pages/index.html", { viewport, scheme });
      assert.deepEqual(await problems(opened), []);
      assert.deepEqual(await overlaps(opened, ["h1", "#count", "#filter", "#role", ".table-box", ".note"]), []);
      await keep(opened, `library-${scheme}-${name}`);
      isClean(opened);
      await opened.page.close();
    });
