// The verdict on the page of a clip: what the program says, and a strip of its frames.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isClean, keep, launch, open, PHONE, settle, text } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

// Shares of the pixels of a row of the strip that have a colour of the style sheet, per column of the track.
const columns = (page, row, name) => page.evaluate(([row, name]) => {
  const canvas = document.getElementById("strip-canvas"), ratio = devicePixelRatio;
  const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
  const paint = copy.getContext("2d", { willReadFrequently: true });
  paint.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  paint.fillRect(0, 0, 1, 1);
  const [r, g, b] = paint.getImageData(0, 0, 1, 1).data;
  paint.drawImage(canvas, 0, 0);
  const { data } = paint.getImageData(0, Math.round((row + 9) * ratio), canvas.width, 1); // 9: near its bottom
  return Array.from({ length: canvas.width }, (_, x) => [r, g, b].every((part, i) => Math.abs(data[4 * x + i] - part) < 6));
}, [row, name]);

test("a clip that no one can do says so, with factor, band, joint, frame and reason", async () => {
  const opened = await open(browser, "fast.html");
  const said = JSON.parse(readFileSync(join(process.env.PAGES, "fast.json"), "utf8"));
  assert.equal(said.verdict, "impossible");
  const line = await text(opened, ".verdict");
  assert.ok(line.startsWith(`impossible ${said.why}`), line);
  assert.ok(line.includes(`${said.factor.toFixed(2)} ± ${said.band.toFixed(2)}, hips, frame ${said.frame}`), line);
  await opened.page.click(".verdict button");
  await settle(opened.page);
  assert.match(await text(opened, ".clock"), new RegExp(`frame ${said.frame}$`));
  await keep(opened, "verdict");
  isClean(opened);
});

test("the strip shows the word of each frame", async () => {
  const opened = await open(browser, "fast.html");
  const { frames } = JSON.parse(readFileSync(join(process.env.PAGES, "fast.json"), "utf8"));
  assert.equal(await text(opened, "#strip .labels span"), "verdict");
  for (const [word, name] of [["impossible", "--impossible"], ["possible", "--possible"]]) {
    const painted = await columns(opened.page, 0, name), share = painted.filter(Boolean).length / painted.length;
    const expected = frames.filter(({ verdict }) => verdict === word).length / frames.length;
    assert.ok(expected > 0.05 && Math.abs(share - expected) < 0.02, `${word}: ${share}, ${expected}`);
  }
  isClean(opened);
});

test("a peak has its band, the largest of all frames and the share left out", async () => {
  const opened = await open(browser, "fast.html", { viewport: PHONE });
  assert.match(await text(opened, ".joint-note"), /peak [\d.]+ ± [\d.]+ N m\/kg at .*of all frames [\d.]+.*(none left out|% left out: [a-z ]+)/);
  await keep(opened, "verdict_phone");
  isClean(opened);
});

test("a walk is possible; a clip without torques has no verdict", async () => {
  const walk = await open(browser, "walk.html");
  assert.match(await text(walk, ".verdict"), /^possible .* ± /);
  isClean(walk);
  const bare = await open(browser, "bare.html");
  assert.equal(await bare.page.$(".verdict"), null);
  assert.ok(!(await text(bare, "#strip")).includes("verdict"));
});
