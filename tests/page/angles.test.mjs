// A joint about its anatomical axes: angle, moment with its band, power and utilization, as in the clip file.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { PHONE, isClean, keep, launch, open, picture, pixels, press, problems, settle, testLong, text } from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const titles = ({ page }) => page.$$eval(".plot-head > :first-child", (all) => all.map((title) => title.textContent));
const values = ({ page }) => page.$$eval(".plot .value", (all) => all.map((value) => Number(value.textContent)));
const motions = ({ page }) => page.$$eval("#motion option", (all) => all.map((option) => option.textContent));

// Rows of kane export for the same clip: {name: value}.
function exported() {
  const [names, ...rows] = readFileSync(join(process.env.PAGES, "banded.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(row.map((value, i) => [names[i], Number(value)])));
}

test("a joint is shown about one of its axes, with the values of the clip", async () => {
  const opened = await open(browser, "banded.html", { hash: "#frame=60&joint=left_knee" }), { page } = opened;
  assert.deepEqual(await motions(opened), ["whole joint", "flexion", "adduction", "rotation"]);
  assert.equal((await titles(opened))[0], "Torque");
  await page.selectOption("#motion", { label: "flexion" });
  await settle(page);
  assert.deepEqual(await titles(opened), ["Flexion moment", "Flexion angle", "Flexion power", "Flexion utilization"]);
  const row = exported()[60], [moment, angle, power, use] = await values(opened), of = (name) => row[`left_knee_flexion_${name}`];
  const mass = await page.evaluate(() => Number(/([\d.]+) kg/.exec(document.querySelector(".facts").textContent)[1]));
  const isNear = (value, wanted, min) => assert.ok(Math.abs(value - wanted) <= Math.max(0.006 * Math.abs(wanted), min), `${value}, ${wanted}`);
  isNear(moment, of("moment_nm_kg"), 0.006);
  isNear(angle, of("angle_deg"), 0.06);
  isNear(power, of("power_w_kg") * mass, 0.6);
  isNear(use, 100 * of("utilization"), 0.6);
  await keep(opened, "angles");
  isClean(opened);
  await page.close();
});

test("the moment has its band where the clip has an uncertainty", async () => {
  const isFaint = (r, g, b) => b > r + 14 && b > 220 && r > 150 && r < 232;
  const shaded = async (file, joint, about) => {
    const opened = await open(browser, file, { hash: `#frame=60&joint=${joint}&about=${about}` });
    assert.match((await titles(opened))[0], /moment$/);
    const found = pixels(await picture(opened, ".plot-body"), isFaint).length;
    isClean(opened);
    await opened.page.close();
    return found;
  };
  const bare = await shaded("plain.html", "left_hip", "flexion"), banded = await shaded("banded.html", "left_hip", "flexion");
  assert.ok(banded > bare + 500, `${bare}, ${banded} pixels of a band`);
});

test("the axis stays from joint to joint, in the address and with the key", async () => {
  const opened = await open(browser, "banded.html", { hash: "#frame=60&joint=right_ankle&about=dorsiflexion&with=left_ankle" }), { page } = opened;
  assert.equal((await titles(opened))[1], "Dorsiflexion angle");
  await page.selectOption("#joint", { label: "right hip" });
  await settle(page);
  assert.equal((await titles(opened))[1], "Flexion angle");
  await press(opened, "a");
  assert.equal((await titles(opened))[1], "Adduction angle");
  await page.waitForFunction(() => /joint=right_hip&with=left_ankle&about=adduction/.test(location.hash));
  await page.goBack();
  await settle(page);
  assert.match(await page.evaluate(() => location.hash), /about=(dorsi)?flexion/);
  await page.selectOption("#joint", { label: "head" }); // without coordinates: the whole joint
  await settle(page);
  assert.ok(!(await page.isVisible("#motion")));
  assert.equal((await titles(opened))[0], "Torque");
  isClean(opened);
  await page.close();
});

testLong("two clips and their difference; a clip without coordinates; a phone", async () => {
  const two = await open(browser, "two.html", { hash: "#t=0.84&joint=left_knee&about=flexion" });
  const [a, b] = await values(two);
  await press(two, "d");
  const less = Number(/-?[\d.]+$/.exec(await text(two, ".plot .value"))[0]);
  assert.ok(Math.abs(less - (b - a)) < 0.011 && Math.abs(a - b) > 0.1, `${b} - ${a} = ${less}`);
  isClean(two);
  await two.page.close();
  const bare = await open(browser, "bare.html");
  assert.ok(!(await bare.page.isVisible("#motion")));
  isClean(bare);
  await bare.page.close();
  const phone = await open(browser, "banded.html", { viewport: PHONE, hash: "#joint=left_knee&about=flexion" });
  assert.deepEqual(await problems(phone), []);
  await keep(phone, "angles_phone");
  isClean(phone);
  await phone.page.close();
});
