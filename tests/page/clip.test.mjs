// The pages of one and of two clips, as a user sees them.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  DESKTOP, IS_LONG, PHONE, RUNS, different, isClean, isForceColour, isTorqueColour, keep, launch, open, overlaps,
  picture, pixels, press, problems, readsAlways, settle, testLong, text,
} from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const heads = ({ page }) => page.$$eval(".plots .playhead, .strip .playhead", (all) => all.map((head) => new DOMMatrix(getComputedStyle(head).transform).e));

test("the skeleton is drawn in the colours of its torques, with its ground forces, and moves", async () => {
  const opened = await open(browser, "walk.html", { hash: "#t=0.3" });
  const first = await picture(opened, "#stage");
  assert.ok(pixels(first, isTorqueColour).length > 1500, "joints and bones are coloured");
  assert.ok(pixels(first, isForceColour).length > 100, "an arrow stands on the foot");
  await press(opened, "End");
  const last = await picture(opened, "#stage");
  assert.ok(different(first, last) > 1500, "another frame is another picture");
  await press(opened, "Home");
  await press(opened, "End");
  assert.ok(different(last, await picture(opened, "#stage")) < 400, "the same frame is the same picture");
  await keep(opened, "walk");
  isClean(opened);
  await opened.page.close();
});

testLong("colours change with the torque", async () => {
  const opened = await open(browser, "two.html");
  const isHigh = (r, g, b) => g > 130 && b < 120 && g > b + 60;
  await press(opened, "o", "Home");
  const still = pixels(await picture(opened, "#stage"), isHigh).length;
  await press(opened, "p");
  const loaded = pixels(await picture(opened, "#stage"), isHigh).length;
  assert.ok(loaded > still + 150, `yellow and green at the peak: ${still}, ${loaded}`);
  isClean(opened);
  await opened.page.close();
});

testLong("a body is drawn: wide as one, not as lines, with a shadow on the ground, its head and feet in the picture", async () => {
  for (const file of ["walk.html", "bare.html", "two.html"]) {
    const opened = await open(browser, file, { hash: "#t=0.6" });
    const stage = await picture(opened, "#stage");
    const isBody = file === "walk.html" ? isTorqueColour : (r, g, b) => r + g + b > 250;
    const isClear = ([x]) => x > 240 && x < stage.width - 215; // of legend, buttons and corners
    const found = pixels(stage, isBody).filter(isClear), rows = new Map();
    for (const [x, y] of found) rows.set(y, (rows.get(y) ?? 0) + 1);
    assert.ok(found.length > 9000, `${file}: ${found.length} pixels of a body`);
    assert.ok(Math.max(...rows.values()) > 60, `${file}: a trunk is ${Math.max(...rows.values())} wide`);
    for (const edge of [1, stage.height - 2]) assert.ok((rows.get(edge) ?? 0) < 3, `${file}: cut at ${edge}`);
    const shadow = pixels(stage, (r, g, b) => r < 24 && g < 27 && b < 34);
    assert.ok(shadow.length > 300, `${file}: ${shadow.length} pixels of shadow`);
    isClean(opened);
    await opened.page.close();
  }
});

testLong("colours show torque, utilization of strength or trust", async () => {
  const opened = await open(browser, "walk.html", { hash: "#t=0.5" });
  assert.deepEqual(await opened.page.$$eval("#tone option", (all) => all.map(({ value }) => value)), ["torque", "utilization", "trust"]);
  const torque = await picture(opened, "#stage");
  await press(opened, "c");
  assert.equal(await opened.page.inputValue("#tone"), "utilization");
  assert.match(await text(opened, ".ends"), /100/);
  const use = await picture(opened, "#stage");
  assert.ok(different(torque, use) > 2000, "strength is another picture");
  await opened.page.selectOption("#tone", "trust");
  await settle(opened.page);
  const isTrusted = (r, g, b) => b > r + 40 && g > r + 20, isDoubted = (r, g, b) => r > b + 60 && r > g + 40;
  assert.ok(pixels(await picture(opened, "#stage"), isTrusted).length > 8000);
  await press(opened, "Home"); // the edge of the clip is not trusted
  assert.ok(pixels(await picture(opened, "#stage"), isDoubted).length > 8000);
  assert.match(await text(opened, ".marks.trust"), /trusted.*not trusted/);
  isClean(opened);
  await opened.page.close();
});

test("a click on a joint shows its plots", async () => {
  const opened = await open(browser, "walk.html", { hash: "#t=0.3" });
  const { page } = opened;
  const before = await text(opened, "#joint-name"), plots = await picture(opened, "#plots");
  const box = await page.locator("#stage").boundingBox();
  const places = pixels(await picture(opened, "#stage"), isTorqueColour).filter((_, i) => i % 97 === 0);
  for (const [x, y] of places) {
    if (x < 240 && y < 140) continue; // the legend
    await page.mouse.click(box.x + x, box.y + y);
    if ((await text(opened, "#joint-name")) !== before) break;
  }
  const chosen = await text(opened, "#joint-name");
  assert.notEqual(chosen, before);
  await settle(page);
  assert.equal(await page.$eval("#joint", (select) => select.selectedOptions[0].textContent), chosen);
  assert.ok((await text(opened, ".joint-label")).startsWith(chosen));
  assert.ok(different(plots, await picture(opened, "#plots")) > 500, "the plots are another joint's");
  assert.deepEqual(await page.$$eval(".plot-head span:first-child", (all) => all.map((title) => title.textContent)),
                   ["Torque", "Power", "Angular velocity", "Torque from"]);
  isClean(opened);
  await page.close();
});

test("the torque of a joint is stacked from its parts", async () => {
  const opened = await open(browser, "walk.html", { hash: "#t=0.3&joint=left_knee" });
  const stack = await picture(opened, ".plot:last-child .plot-body");
  assert.ok(pixels(stack, (r, g, b) => g > 130 && r < 120 && b > 90 && b < 180).length > 1500, "the ground bears on the knee");
  const parts = await opened.page.$$eval(".plot:last-child .value", (all) => all.map((value) => value.textContent.split(" ")));
  assert.deepEqual(parts.map(([name]) => name), ["weight", "inertia", "ground", "tables"]);
  const torque = Number(await opened.page.$eval(".plot:first-child .value", (value) => value.textContent));
  const sum = parts.reduce((all, [, value]) => all + Number(value), 0);
  assert.ok(Math.abs(sum - torque) < 0.01, `${sum} of ${torque} N m/kg`);
  isClean(opened);
  await opened.page.close();
});

test("a page opens at the first trusted frame, and says how far off a torque may be", async () => {
  const opened = await open(browser, "walk.html");
  assert.match(await text(opened, "#clock"), /^0\.05 .* frame 3$/);
  assert.match(await text(opened, ".joint-label"), /  [\d.]+ ± [\d.]+ N m\/kg$/);
  assert.match(await text(opened, ".joint-note"), /peak [\d.]+ ± [\d.]+ N m\/kg at/);
  isClean(opened);
  await opened.page.close();
});

test("the playhead moves plots, strip and skeleton together", async () => {
  const opened = await open(browser, "walk.html", { hash: "#frame=0" });
  const { page } = opened;
  const start = await heads(opened), stage = await picture(opened, "#stage");
  assert.equal(start.length, 5);
  await press(opened, ...Array(30).fill("ArrowRight"));
  assert.match(await text(opened, "#clock"), /^0\.50 .* frame 30$/);
  const later = await heads(opened);
  start.forEach((x, i) => assert.ok(later[i] > x + 20, "every playhead has moved"));
  assert.ok(different(stage, await picture(opened, "#stage")) > 800, "so has the skeleton");

  const plot = await page.locator(".u-over").first().boundingBox();
  await page.mouse.click(plot.x + 0.5 * plot.width, plot.y + 0.5 * plot.height);
  assert.match(await text(opened, "#clock"), /^1\.(4|5)/, "a click in a plot goes there");
  const strip = await page.locator("#strip .track").boundingBox();
  await page.mouse.click(strip.x + 0.1 * strip.width, strip.y + 20);
  assert.match(await text(opened, "#clock"), /^0\.(29|30)/, "a click in the strip too");
  isClean(opened);
  await page.close();
});

test("it plays, at another speed, and stops", async () => {
  const opened = await open(browser, "walk.html");
  const { page } = opened;
  const time = () => page.$eval("#scrub", (slider) => Number(slider.value));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => Number(document.querySelector("#scrub").value) > 0.2);
  await page.keyboard.press("Space");
  const stopped = await time();
  await page.waitForTimeout(150);
  assert.equal(await time(), stopped);
  assert.equal(await page.$eval("#speed", (select) => select.value), "0.5");
  await page.fill("#scrub", "1.5");
  assert.match(await text(opened, "#clock"), /^1\.50/);
  isClean(opened);
  await page.close();
});

testLong("orbit turns the view, keys choose joint and view, ? helps", async () => {
  const opened = await open(browser, "walk.html", { hash: "#t=0.4&joint=left_knee" });
  const { page } = opened;
  assert.equal(await text(opened, "#joint-name"), "left knee");
  const view = await picture(opened, "#stage"), box = await page.locator("#stage").boundingBox();
  await page.mouse.move(box.x + 500, box.y + 400);
  await page.mouse.down();
  await page.mouse.move(box.x + 620, box.y + 380, { steps: 4 });
  await page.mouse.up();
  await settle(page);
  assert.ok(different(view, await picture(opened, "#stage")) > 2000);
  assert.equal(await text(opened, "#joint-name"), "left knee", "a drag is no click");
  await press(opened, "]");
  assert.notEqual(await text(opened, "#joint-name"), "left knee");
  await press(opened, "?");
  assert.ok(await page.isVisible("#help"));
  await keep(opened, "help");
  await press(opened, "Escape");
  isClean(opened);
  await page.close();
});

test("contact is shaded, frames not to trust are grey, residual and confidence have a strip", async () => {
  const opened = await open(browser, "walk.html", { hash: "#joint=right_knee" });
  const plot = await picture(opened, ".plot-body");
  const isShade = (r, g, b) => g > r + 8 && g > 200 && r > 180, isGrey = (r, g, b) => Math.abs(r - b) < 25 && r > 120 && r < 190;
  assert.ok(pixels(plot, isShade).length > 3000, "the right foot's contact");
  assert.ok(pixels(plot, isGrey).length > 220, `both ends of the clip: ${pixels(plot, isGrey).length}`);
  assert.deepEqual(await opened.page.$$eval("#strip .labels span", (all) => all.map((label) => label.textContent)),
                   ["verdict", "events", "left foot", "right foot", "residual", "confidence"]);
  const strip = await picture(opened, "#strip-canvas");
  assert.ok(pixels(strip, (r, g, b) => r > 150 && g < 110 && b < 90).length > 50, "residual");
  isClean(opened);
  await opened.page.close();
});

for (const [name, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE }))
  for (const scheme of ["light", "dark"])
    for (const file of ["walk.html", "two.html", "controllers.html", "bare.html"])
      (readsAlways(name, scheme) ? test : testLong)(`${file} is readable on a ${scheme} ${name}`, async () => {
        const opened = await open(browser, file, { viewport, scheme, hash: "#t=0.3" });
        assert.deepEqual(await problems(opened), []);
        assert.deepEqual(await overlaps(opened, ["header h1", "header .facts", "header button", ".stage", ".bottom", ".panel"]), []);
        assert.deepEqual(await overlaps(opened, [".legend > *", ".views"]), []);
        if (name === "desktop") assert.ok(await opened.page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), "all on one screen");
        await keep(opened, `${file.replace(".html", "")}-${scheme}-${name}`);
        isClean(opened);
        await opened.page.close();
      });

test("two clips run in step, side by side or in one place", async () => {
  const opened = await open(browser, "two.html", { hash: "#t=0.8" });
  const { page } = opened;
  assert.match(await text(opened, "h1"), /A jump.*B walk/);
  const apart = await picture(opened, "#stage");
  assert.ok(pixels(apart, (r, g, b) => b > 180 && b > r + 50).length > 300, "bones of A");
  assert.ok(pixels(apart, (r, g, b) => r > 170 && r > b + 70).length > 300, "bones of B");
  await press(opened, "o");
  assert.ok(different(apart, await picture(opened, "#stage")) > 2000);
  const plot = await picture(opened, ".plot-body");
  assert.ok(pixels(plot, (r, g, b) => b > 150 && r < 90).length > 150, "line of A");
  assert.ok(pixels(plot, (r, g, b) => r > 150 && b < 90 && g < 150).length > 80, "line of B");
  assert.equal(await page.$$eval(".value", (all) => all.length), 10);
  isClean(opened);
  await page.close();
});

test("two controllers are compared by error and torque", async () => {
  const opened = await open(browser, "controllers.html", { hash: "#t=0.5&joint=left_knee" });
  assert.match(await text(opened, "h1"), /stable-pd.*kane/);
  assert.deepEqual(await opened.page.$$eval(".plot-head span:first-child", (all) => all.map((title) => title.textContent)),
                   ["Torque", "Orientation error", "Position error"]);
  const [, first, second] = /A off by ([\d.]+)°.*B off by ([\d.]+)°/.exec(await text(opened, ".facts"));
  assert.ok(Number(first) > Number(second), `kane stays nearer to the reference: ${first}, ${second}`);
  const errors = await opened.page.$$eval(".plot:nth-child(2) .value", (all) => all.map((value) => Number(value.textContent)));
  assert.ok(errors.length === 2 && errors.every((error) => error > 0), `${errors}`);
  const peak = await opened.page.$$eval(".plot:first-child .value", ([value]) => value.textContent);
  await press(opened, "p");
  const largest = await opened.page.$$eval(".plot:first-child .value", ([value]) => value.textContent);
  assert.ok(Number(largest) > Number(peak), `P goes to the largest torque: ${peak}, ${largest}`);
  isClean(opened);
  await opened.page.close();
});

test("a motion and its retarget are told apart, and that one has no torques", async () => {
  const opened = await open(browser, "moved.html");
  assert.equal((await text(opened, "h1")).trim(), "A jumpB jump · retarget to walk.bvh");
  assert.match(await text(opened, ".key"), /B jump · retarget to walk\.bvh, no torques/);
  assert.match(await text(opened, ".key"), /A left foot down/);
  assert.deepEqual(await problems(opened), []);
  isClean(opened);
  await opened.page.close();
});

test("where the first clip has no torques the second one's contact, joint and peak are shown", async () => {
  const opened = await open(browser, "moved_first.html");
  assert.match(await text(opened, "#joint-name"), /(left|right) knee/);
  assert.match(await text(opened, ".key"), /B left foot down/);
  await press(opened, "p");
  assert.match(await text(opened, "#clock"), /^1\.9[56] /);
  const plot = await picture(opened, ".plot-body"), isGrey = (r, g, b) => Math.abs(r - b) < 25 && r > 120 && r < 190;
  assert.ok(pixels(plot, isGrey).length > 220, `frames of B not to trust: ${pixels(plot, isGrey).length}`);
  isClean(opened);
  await opened.page.close();
});

test("a clip that begins later waits at its first frame", async () => {
  const opened = await open(browser, "late.html");
  assert.match(await text(opened, "#clock"), /^0\.0\d .* frame 0$/);
  await press(opened, "End");
  assert.match(await text(opened, "#clock"), / frame \d+$/);
  isClean(opened);
  await opened.page.close();
});

test("one frame is a dot in each plot, at its time", async () => {
  const opened = await open(browser, "one.html");
  assert.match(await text(opened, ".facts"), /^1 frame at/);
  const plot = await picture(opened, ".plot-body");
  const dot = pixels(plot, (r, g, b) => b > 150 && r < 90);
  assert.ok(dot.length > 20, `${dot.length} pixels`);
  assert.ok(dot.every(([x]) => Math.abs(x / plot.width - 0.53) < 0.1), "in the middle");
  isClean(opened);
  await opened.page.close();
});

test("a joint without a role keeps the letters of its name", async () => {
  const opened = await open(browser, "lower.html", { hash: "#joint=b_lower" });
  assert.equal(await opened.page.innerText("#joint-name"), "b_lower");
  assert.equal(await opened.page.$eval("#joint-name", (name) => getComputedStyle(name, "::first-letter").textTransform), "none");
  isClean(opened);
  await opened.page.close();
});

testLong("curves of the strip have no gaps at any width", async () => {
  for (const width of [390, 402, 460, 1280]) {
    const opened = await open(browser, "walk.html", { viewport: { width, height: 844 } });
    const strip = await picture(opened, "#strip-canvas");
    const isCurve = (r, g, b) => b > 110 && r < 100;
    const columns = new Set(pixels(strip, isCurve).filter(([, y]) => y > strip.height - 8).map(([x]) => x));
    const [first, last] = [Math.min(...columns), Math.max(...columns)];
    assert.ok(columns.size > 0.95 * (last - first), `${columns.size} of ${last - first} columns at ${width}`);
    await opened.page.close();
  }
});

testLong("space presses a button that the keyboard has reached, and plays elsewhere", async () => {
  const opened = await open(browser, "walk.html");
  const { page } = opened;
  const isPlaying = () => page.$eval("#play", (play) => play.classList.contains("on"));
  await page.click("text=Front");
  await press(opened, "Space");
  assert.ok(await isPlaying(), "a button that was clicked leaves space to the player");
  await press(opened, "Space", "Home");
  await page.focus("#stage");
  await press(opened, "3", "Tab", "Tab"); // to Side
  const before = await picture(opened, "#stage");
  await press(opened, "Space");
  assert.ok(different(before, await picture(opened, "#stage")) > 800, "the view from the side");
  assert.ok(!(await isPlaying()));
  isClean(opened);
  await page.close();
});

test("a clip without torques says so and moves all the same", async () => {
  const opened = await open(browser, "bare.html");
  assert.match(await text(opened, "#plots"), /no torques/);
  const first = await picture(opened, "#stage");
  await press(opened, ...Array(20).fill("ArrowRight"), "Shift+ArrowRight", "Shift+ArrowRight");
  assert.ok(different(first, await picture(opened, "#stage")) > 500);
  isClean(opened);
  await opened.page.close();
});

test("without WebGL the page says so, draws flat and plots", async (t) => {
  const without = await launch("--disable-gpu", "--disable-3d-apis");
  t.after(() => without.close());
  const opened = await open(without, "walk.html", { hash: "#t=0.3" });
  assert.ok(await opened.page.isVisible("#no-webgl"));
  assert.match(await text(opened, "#no-webgl"), /WebGL is not available/);
  const first = await picture(opened, "#stage");
  assert.ok(pixels(first, isTorqueColour).length > 300);
  const plot = await picture(opened, ".plot-body");
  assert.ok(pixels(plot, (r, g, b) => b > 150 && r < 90).length > 300, "a line is plotted");
  await press(opened, "End");
  assert.ok(different(first, await picture(opened, "#stage")) > 500);
  assert.deepEqual(await problems(opened), []);
  await keep(opened, "no-webgl");
  isClean(opened);
});

test("the policy lets nothing in or out", async () => {
  const { page } = await open(browser, "walk.html");
  const answer = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "globalThis.wasRun = true";
    document.body.append(script);
    const link = await fetch("http://127.0.0.1:9/").then(() => "went out", () => "stopped");
    const image = await new Promise((done) => {
      const picture = new Image();
      addEventListener("securitypolicyviolation", (event) => event.effectiveDirective === "img-src" && done("stopped"));
      picture.src = "http://127.0.0.1:9/x.png";
    });
    return { wasRun: globalThis.wasRun ?? false, link, image };
  });
  assert.deepEqual(answer, { wasRun: false, link: "stopped", image: "stopped" });
  await page.close();
});

// Seconds until a page shows its data.
async function opening(name, look = () => {}) {
  const opened = await open(browser, name);
  const seconds = await opened.page.evaluate(() => performance.getEntriesByName("ready")[0].startTime / 1000);
  await look(opened);
  isClean(opened);
  await opened.page.close();
  return seconds;
}

// With KANE_PAGE_LONG they open within 3 s. If a walk of two seconds takes longer than one second to open, the machine
// is slow or busy, and the bound is scaled.
testLong("ten minutes of 31 joints at 120 Hz take less than 40 MB: times", async () => {
  const size = statSync(join(process.env.PAGES, "long.html")).size / 1e6;
  assert.ok(size < 40, `${size} MB`);
  let short = Infinity, long = Infinity;
  for (let i = 0; i < RUNS && !(i > 2 && long < 3 * Math.max(1, short)); i++) { // alternating, the best of three or more
    short = Math.min(short, await opening("walk.html"));
    long = Math.min(long, await opening("long.html", async (opened) => {
      assert.match(await text(opened, ".facts"), /72,000 frames at 120 fps .*shown: 1 of 2 frames/);
      if (i === 0) await keep(opened, "long");
    }));
  }
  console.log(`# long page: ${size.toFixed(1)} MB, opens in ${long.toFixed(2)} s, that of a walk in ${short.toFixed(2)} s`);
  if (IS_LONG) assert.ok(long < 3 * Math.max(1, short), `${long} s, a walk ${short} s`);
});
