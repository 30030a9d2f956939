// The chase camera: same path as `kane export --camera follow`, keeps the body in the picture, and can be left.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chase, springStep } from "../../web/report/chase.js";
import { isClean, isTorqueColour, keep, launch, open, picture, pixels, press, testLong } from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

test("from the same targets the page's camera is that of kane export to 1e-9", () => {
  const [header, ...rows] = readFileSync(join(process.env.PAGES, "camera.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
  const column = (name) => header.indexOf(name), number = (row, name) => Number(row[column(name)]);
  const targets = rows.map((row) => ({ focus: ["x", "y", "z"].map((axis) => number(row, `focus_${axis}_m`)), heading: (number(row, "heading_deg") * Math.PI) / 180 }));
  const path = chase(targets, number(rows[1], "time_s") - number(rows[0], "time_s"), { distance: 4, pitch: (15 * Math.PI) / 180 });
  rows.forEach((row, f) => ["x", "y", "z"].forEach((axis, i) => {
    const expected = number(row, `position_${axis}_m`);
    assert.ok(Math.abs(path[5 * f + i] - expected) < 1e-9, `frame ${f}, ${axis}: ${path[5 * f + i]} for ${expected}`);
  }));
  assert.ok(rows.length > 100);
});

test("steps of a spring add up below, at and above critical damping", () => {
  for (const zeta of [0.3, 1, 2]) {
    let x = 1, v = 0;
    const [xx, xv, vx, vv] = springStep(5, zeta, 0.01), whole = springStep(5, zeta, 0.4);
    for (let i = 0; i < 40; i++) [x, v] = [xx * x + xv * v, vx * x + vv * v];
    assert.ok(Math.abs(x - whole[0]) < 1e-12 && Math.abs(v - whole[2]) < 1e-11);
  }
});

testLong("B goes behind the body, which stays in the picture; B again shows the whole action", async () => {
  const opened = await open(browser, "walk.html"), { page } = opened;
  for (const frame of [5, 90, 175]) {
    await page.evaluate((number) => (location.hash = `#frame=${number}`), frame);
    if (frame === 5) await press(opened, "b");
    const stage = await picture(opened, "#stage"), { width, height } = stage;
    const body = pixels(stage, isTorqueColour).filter(([x, y]) => y > 160 && y < height - 40 && x > 240 && x < width - 240);
    assert.ok(body.length > 1200, `frame ${frame}: ${body.length} pixels of a body`);
    await keep(opened, `chase_${frame}`);
  }
  assert.ok(await page.$eval("#chase", (button) => button.classList.contains("on")));
  await press(opened, "b");
  assert.ok(!(await page.$eval("#chase", (button) => button.classList.contains("on"))));
  isClean(opened);
  await page.close();
});
