// Position in a clip: events on the timeline, and the address.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isClean, launch, open, picture, pixels, press, settle, testLong, text } from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

test("events stand on the timeline: a click and the keys go there, with their joint", async () => {
  const opened = await open(browser, "jump.html", { hash: "#frame=10&joint=left_knee" });
  const { page } = opened, track = await page.locator("#strip .track").boundingBox();
  const row = await picture(opened, "#strip-canvas"), isEvents = (y) => y >= 14 && y < 27; // below the verdict
  const flight = pixels(row, (r, g, b) => b > r + 80 && b > 180).filter(([, y]) => isEvents(y)).map(([x]) => x);
  assert.ok(Math.abs(Math.min(...flight) / row.width - 1.24 / 2.8) < 0.01, "the flight begins where the feet leave");
  assert.ok(Math.abs(Math.max(...flight) / row.width - 1.56 / 2.8) < 0.01, "and ends where they land");
  const marks = pixels(row, (r, g, b) => r > 170 && g < 90 && b < 110).filter(([, y]) => isEvents(y)).map(([x]) => x);
  assert.ok(marks.some((x) => Math.abs(x / row.width - 1.96 / 2.8) < 0.01), "a mark at the knee's peak");
  await press(opened, ".");
  const own = await page.textContent("#clock");
  assert.match(own, /^0\.8[45] /);
  await press(opened, ".", ".");
  assert.match(await page.textContent("#clock"), /^1\.2\d /, "feet leave");
  await press(opened, ",", ",");
  assert.equal(await page.textContent("#clock"), own);
  const faint = pixels(row, (r, g, b) => r < 225 && r > 120 && Math.abs(r - b) < 30).filter(([x, y]) => isEvents(y - 3) && isEvents(y + 5) && Math.abs(x - 0.45 * row.width) > 0.02 * row.width);
  const [x] = faint.find(([at]) => marks.every((mark) => Math.abs(mark - at) > 25) && at > 0.06 * row.width && at < 0.9 * row.width);
  await page.mouse.click(track.x + x, track.y + 20);
  assert.notEqual(await text(opened, "#joint-name"), "left knee", "the peak of another joint chooses it");
  await page.mouse.move(track.x + x, track.y + 20);
  assert.match(await page.getAttribute("#strip .track", "title"), /peak of [\d.]+ N m\/kg at/);
  isClean(opened);
  await page.close();
});

testLong("the address follows frame and joint, opens there again, and Back returns", async () => {
  const opened = await open(browser, "walk.html", { hash: "#frame=30&joint=left_knee" });
  const { page } = opened, hash = () => page.evaluate(() => location.hash);
  const isAt = (wanted) => page.waitForFunction((text) => location.hash === text, wanted);
  assert.match(await text(opened, "#clock"), /^0\.50 .* frame 30$/);
  await press(opened, "ArrowRight", "ArrowRight");
  await isAt("#frame=32&joint=left_knee");
  await page.selectOption("#joint", { label: "right hip" });
  await isAt("#frame=32&joint=right_hip");
  await press(opened, "p");
  await page.waitForFunction(() => !location.hash.startsWith("#frame=32&"));
  const peak = await hash(), clock = await text(opened, "#clock");
  const again = await open(browser, "walk.html", { hash: peak });
  assert.equal(await text(again, "#clock"), clock);
  assert.equal(await text(again, "#joint-name"), "right hip");
  assert.equal(await again.page.evaluate(() => location.hash), peak, "reading writes nothing");
  await page.goBack();
  await settle(page);
  assert.match(await text(opened, "#clock"), /frame 32$/);
  assert.equal(await text(opened, "#joint-name"), "right hip");
  await page.goBack();
  await settle(page);
  assert.equal(await text(opened, "#joint-name"), "left knee");
  assert.equal(await hash(), "#frame=32&joint=left_knee");
  await page.goForward();
  await settle(page);
  assert.equal(await text(opened, "#joint-name"), "right hip");
  await press(opened, "Space");
  await page.waitForFunction(() => Number(document.querySelector("#scrub").value) > 1.2);
  await press(opened, "Space");
  const frame = /frame (\d+)/.exec(await text(opened, "#clock"))[1];
  await isAt(`#frame=${frame}&joint=right_hip`);
  await page.goBack();
  await settle(page);
  assert.equal(await text(opened, "#joint-name"), "left knee", "playing leaves no steps");
  isClean(opened);
  await again.page.close();
  await page.close();
});
