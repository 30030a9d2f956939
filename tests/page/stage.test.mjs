// Parts of the clip page beside body and lines: framing, ghosts, trails, heat map, several joints, difference of two
// clips, pictures and videos.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  PHONE, different, isClean, isForceColour, isTorqueColour, keep, launch, open, overlaps, picture, pixels, press, problems, settle,
  testLong, text,
} from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const figures = ({ page }, selector) => page.$$eval(selector, (all) => all.map((value) => Number(/-?[\d.]+$/.exec(value.textContent)[0])));
// Number of coloured pixels at the edges of the stage and inside it, without legend and buttons.
async function framed(opened) {
  const stage = await picture(opened, "#stage"), { width, height } = stage;
  const body = pixels(stage, isTorqueColour).filter(([x, y]) => y > 160 || (x > 240 && (width < 500 || x < width - 420)));
  return { body: body.length, cut: body.filter(([x, y]) => x < 2 || y < 2 || x >= width - 2 || y >= height - 2).length };
}

testLong("the camera frames the whole action: at no time, from no side a head or foot is cut", async () => {
  for (const [file, viewport, frames] of [["jump.html", undefined, [20, 140]], ["walk.html", PHONE, [10, 170]]]) {
    const opened = await open(browser, file, { viewport });
    for (const view of ["1", "2", "f"])
      for (const frame of frames) {
        await opened.page.evaluate((number) => (location.hash = `#frame=${number}`), frame);
        await press(opened, view);
        const { body, cut } = await framed(opened);
        assert.ok(body > 1200 && cut === 0, `${file}, ${view}, ${frame}: ${body} pixels of a body, ${cut} on the edges`);
      }
    if (viewport === PHONE) assert.deepEqual(await overlaps(opened, ["#stage", ".views", ".legend"]), [], "nothing lies over the picture");
    isClean(opened);
    await opened.page.close();
  }
});

testLong("a rig of 500 joints, alone and beside another clip, is drawn", async () => {
  for (const file of ["rig.html", "rigs.html"]) {
    const opened = await open(browser, file), stage = await picture(opened, "#stage");
    const drawn = pixels(stage, (r, g, b) => Math.max(r, g, b) > 110).filter(([x, y]) => y > 160 && x > 240).length;
    assert.ok(drawn > 300, `${file}: ${drawn} pixels of a body`);
    isClean(opened);
    await keep(opened, file);
    await opened.page.close();
  }
});

test("six plots, an opened About and large numbers: nothing lies over a plot or is cut", async () => {
  const opened = await open(browser, "six.html"), { page } = opened;
  assert.equal(await page.$$eval(".plot", (all) => all.length), 6);
  assert.deepEqual(await overlaps(opened, [".plot-body", ".key", ".about", ".joint-head"]), []);
  await page.click(".about summary");
  await settle(page);
  assert.deepEqual(await overlaps(opened, [".plot-body", ".key", ".about", ".joint-head"]), []);
  const beyond = await page.$$eval(".plot-body", (all) => all.filter((body) => Math.abs(body.querySelector(".uplot").offsetHeight - body.clientHeight) > 1).length);
  assert.equal(beyond, 0, "every plot fills its place");
  isClean(opened);
  await page.close();
  const heavy = await open(browser, "heavy.html"), plot = await picture(heavy, ".plot:nth-child(2) .plot-body");
  assert.ok(pixels(plot, (r, g, b) => r + g + b < 480).some(([x]) => x < 40), "there are long labels");
  assert.deepEqual(pixels(plot, (r, g, b) => r + g + b < 600).filter(([x]) => x < 2), [], "whole ones");
  isClean(heavy);
  await heavy.page.close();
});

testLong("ghosts every so many frames, and the trails of joint, centre of mass and centre of pressure", async () => {
  const opened = await open(browser, "walk.html", { hash: "#frame=60&joint=left_knee" });
  const bare = await picture(opened, "#stage");
  await press(opened, "g", "g");
  assert.equal(await opened.page.inputValue("#ghosts"), "10");
  const ghosts = await picture(opened, "#stage");
  assert.ok(different(bare, ghosts) > 4000, `${different(bare, ghosts)} pixels of ghosts`);
  await opened.page.selectOption("#ghosts", "5");
  await settle(opened.page);
  assert.ok(different(ghosts, await picture(opened, "#stage")) > 1000, "more of them");
  await keep(opened, "ghosts");
  await opened.page.selectOption("#ghosts", "0");
  await settle(opened.page);
  assert.ok(different(bare, await picture(opened, "#stage")) < 100, "none again");
  await press(opened, "t");
  const trails = await picture(opened, "#stage"), count = (shot, test) => pixels(shot, test).length;
  const isJoint = (r, g, b) => b > 190 && r < 150 && g > 130 && g < 200, isWhite = (r, g, b) => Math.min(r, g, b) > 200;
  for (const [name, isOwn] of [["joint", isJoint], ["mass", isWhite], ["pressure", isForceColour]])
    assert.ok(count(trails, isOwn) > count(bare, isOwn) + 60, `${name}: ${count(bare, isOwn)}, ${count(trails, isOwn)}`);
  assert.match(await text(opened, "#legend"), /trails of/);
  await keep(opened, "trails");
  isClean(opened);
  await opened.page.close();
});

testLong("the map shows all joints over time, a click goes there", async () => {
  const opened = await open(browser, "jump.html", { hash: "#frame=10&joint=left_hip" }), { page } = opened;
  await press(opened, "h");
  assert.ok(!(await page.isVisible("#plots")));
  const map = await picture(opened, "#heat-canvas"), names = await page.$$eval("#heat .labels span", (all) => all.map((label) => label.textContent));
  const row = names.indexOf("right knee"), tall = map.height / names.length;
  const isHigh = (r, g, b) => g > 130 && b < 120 && g > b + 60;
  const hot = pixels(map, isHigh).filter(([, y]) => Math.floor(y / tall) === row).map(([x]) => x / map.width);
  for (const peak of [0.84, 1.96]) assert.ok(hot.some((x) => Math.abs(x - peak / 2.8) < 0.03), `the knee's peak at ${peak} s`);
  assert.ok(hot.every((x) => x < 1.2 / 2.8 || x > 1.6 / 2.8), "not in flight");
  assert.deepEqual(await problems(opened), []);
  await keep(opened, "map");
  const box = await page.locator("#heat .track").boundingBox();
  await page.mouse.click(box.x + (1.96 / 2.8) * box.width, box.y + (row + 0.5) * (box.height / names.length));
  assert.match(await text(opened, "#clock"), /^1\.9[567] /);
  assert.equal(await text(opened, "#joint-name"), "right knee");
  await page.waitForFunction(() => /joint=right_knee&view=map/.test(location.hash));
  const again = await open(browser, "jump.html", { hash: await page.evaluate(() => location.hash) });
  assert.ok(await again.page.isVisible("#heat"));
  await press(again, "h");
  assert.ok(await again.page.isVisible("#plots"));
  isClean(again);
  await page.goBack();
  await settle(page);
  assert.equal(await text(opened, "#joint-name"), "left hip");
  isClean(opened);
  await again.page.close();
  await page.close();
});

test("joints are kept in the plots beside the chosen one", async () => {
  const opened = await open(browser, "jump.html", { hash: "#frame=84&joint=left_knee" }), { page } = opened;
  const isGreen = (r, g, b) => g > 110 && g > r + 60 && g > b + 25 && r < 60;
  assert.equal(pixels(await picture(opened, ".plot-body"), isGreen).length, 0);
  await press(opened, "k");
  await page.selectOption("#joint", { label: "left hip" });
  await settle(page);
  assert.equal((await text(opened, "#beside")).trim(), "left knee ×");
  assert.ok(pixels(await picture(opened, ".plot-body"), isGreen).length > 150, "the knee stays");
  await page.waitForFunction(() => location.hash === "#frame=84&joint=left_hip&with=left_knee");
  await keep(opened, "beside");
  await page.click(".chip");
  await settle(page);
  assert.equal(pixels(await picture(opened, ".plot-body"), isGreen).length, 0);
  isClean(opened);
  await page.close();
});

test("two clips: their difference in the plots and in the map", async () => {
  const opened = await open(browser, "two.html", { hash: "#t=0.84&joint=left_knee" }), { page } = opened;
  const [a, b] = await figures(opened, ".plot:first-child .value");
  await press(opened, "d");
  const [less, rms] = await figures(opened, ".plot:first-child .value");
  assert.ok(Math.abs(less - (b - a)) < 0.011 && a > b, `${b} - ${a} = ${less}`);
  assert.ok(rms > 0.1 && rms < 2, `RMS ${rms}`);
  await press(opened, "h");
  const map = await picture(opened, "#heat-canvas");
  assert.ok(pixels(map, (r, g, b_) => b_ > r + 50).length > 300, "B bears less");
  assert.ok(pixels(map, (r, g, b_) => r > b_ + 50).length > 300, "B bears more");
  await keep(opened, "difference");
  await page.selectOption("#heat-side", "1");
  assert.ok(different(map, await picture(opened, "#heat-canvas")) > 3000);
  isClean(opened);
  await page.close();
});

// Opens a file that the page saved as an element of an empty page.
async function shown(bytes, type, look) {
  const page = await browser.newPage();
  try {
    return await page.evaluate(look, `data:${type};base64,${bytes.toString("base64")}`);
  } finally {
    await page.close();
  }
}

test("a picture is saved as PNG, with what it shows below", async () => {
  const opened = await open(browser, "walk.html", { hash: "#frame=30" }), { page } = opened;
  const waiting = page.waitForEvent("download");
  await press(opened, "i");
  const saved = await waiting;
  assert.equal(saved.suggestedFilename(), "walk-frame30.png");
  const { width, height, coloured } = await shown(readFileSync(await saved.path()), "image/png", async (address) => {
    const bitmap = await createImageBitmap(await (await fetch(address)).blob());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height - 40);
    let coloured = 0;
    for (let i = 0; i < data.length; i += 4) coloured += Math.max(...data.subarray(i, i + 3)) - Math.min(...data.subarray(i, i + 3)) > 55;
    return { width: bitmap.width, height: bitmap.height, coloured };
  });
  const box = await page.locator("#stage").boundingBox();
  assert.ok(Math.abs(width - box.width) < 1.5 && Math.abs(height - box.height - 34) < 1.5, `${width} x ${height}`);
  assert.ok(coloured > 1500, "the body is in it");
  assert.deepEqual(opened.complaints, []);
  await page.close();
});

testLong("a video is saved as WebM, and plays", async () => {
  const opened = await open(browser, "walk.html"), { page } = opened;
  const waiting = page.waitForEvent("download", { timeout: 60000 });
  await page.click("#video");
  assert.ok(await page.$eval("#video", (button) => button.classList.contains("recording")));
  const saved = await waiting;
  assert.equal(saved.suggestedFilename(), "walk.webm");
  assert.ok(!(await page.$eval("#video", (button) => button.classList.contains("recording"))));
  const video = await shown(readFileSync(await saved.path()), "video/webm", async (address) => {
    const video = Object.assign(document.createElement("video"), { src: address, muted: true });
    let frames = 0;
    const first = [], last = [], context = new OffscreenCanvas(64, 48).getContext("2d", { willReadFrequently: true });
    const look = () => {
      context.drawImage(video, 0, 0, 64, 48);
      (frames++ ? last : first).splice(0, Infinity, ...context.getImageData(0, 0, 64, 48).data);
      video.requestVideoFrameCallback(look);
    };
    video.requestVideoFrameCallback(look);
    await video.play();
    await new Promise((done) => (video.onended = done));
    const changed = first.filter((value, i) => Math.abs(value - last[i]) > 24).length;
    return { frames, changed, width: video.videoWidth, time: video.currentTime };
  });
  assert.ok(video.frames > 5, `${video.frames} frames`);
  assert.ok(video.changed > 60, `the body moves: ${video.changed}`);
  assert.ok(video.time > 0.3, `${video.time} s of a walk of 2.4 s`); // a slow machine's encoder misses the beginning
  assert.ok(Math.abs(video.width - (await page.locator("#stage").boundingBox()).width) < 2);
  assert.deepEqual(opened.complaints, []);
  await page.close();
});
