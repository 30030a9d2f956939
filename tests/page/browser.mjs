// Chromium for the page tests: opens pages, records their messages and requests, and inspects their pixels.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";

const require = createRequire(new URL("../../web/report/package.json", import.meta.url));
const { chromium } = require("playwright-core");

// With KANE_PAGE_LONG=1 (make check-long) the long tests run too, and the tests of speed open a page up to eight times and
// assert their bounds; otherwise, since machines may be shared, they open it once and print the times.
export const IS_LONG = process.env.KANE_PAGE_LONG === "1", RUNS = IS_LONG ? 8 : 1;
export const testLong = IS_LONG ? test : test.skip;
// Each size and each scheme once.
export const readsAlways = (size, scheme) => (size === "phone") === (scheme === "light");

export const DESKTOP = { width: 1280, height: 720 }, PHONE = { width: 390, height: 844 };

export function launch(...more) {
  const sandbox = process.getuid() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: process.env.CHROMIUM,
                           args: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", ...sandbox, ...more] });
}

// Opens a page of PAGES and waits until it shows its data. opened.complaints: console errors, uncaught errors, dialogs;
// opened.requests: requests for anything but the page.
export async function open(browser, name, { viewport = DESKTOP, scheme = "light", hash = "" } = {}) {
  const page = await browser.newPage({ viewport, colorScheme: scheme });
  const opened = { page, complaints: [], requests: [], name };
  const address = `file://${join(process.env.PAGES, name)}`;
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !isOfDriver(message.text()) &&
                                   opened.complaints.push(message.text()));
  page.on("pageerror", (error) => opened.complaints.push(error.stack));
  page.on("dialog", (dialog) => opened.complaints.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
  page.on("request", (request) => request.url().split("#")[0] !== address && opened.requests.push(request.url()));
  await page.goto(address + hash);
  await page.waitForSelector("html[data-ready]", { timeout: 120000 }); // busy machines; timed by another test
  await settle(page);
  return opened;
}

// Warnings of the software renderer when a test reads pixels.
const isOfDriver = (text) => /GL Driver Message.*(ReadPixels|software)/i.test(text);

// Waits for two drawn frames.
export const settle = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)))));

export const text = ({ page }, selector) => page.textContent(selector);

export async function press({ page }, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await settle(page);
}

export function isClean({ complaints, requests }) {
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests, []);
}

// Saves a picture for review if KANE_SHOTS is a folder.
export async function keep({ page }, name) {
  if (!process.env.KANE_SHOTS) return;
  mkdirSync(process.env.KANE_SHOTS, { recursive: true });
  writeFileSync(join(process.env.KANE_SHOTS, `${name}.png`), await page.screenshot());
}

// The first matching element as pixels: {width, height, data}.
export async function picture({ page }, selector) {
  const png = await page.locator(selector).first().screenshot();
  const blank = await page.context().browser().newPage();
  const out = await blank.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let pixels = "";
    for (let i = 0; i < data.length; i += 32768) pixels += String.fromCharCode(...data.subarray(i, i + 32768));
    return { width: bitmap.width, height: bitmap.height, data: btoa(pixels) };
  }, png.toString("base64"));
  await blank.close();
  return { ...out, data: Buffer.from(out.data, "base64") };
}

// Positions [x, y] of the pixels whose colour satisfies test(red, green, blue).
export function pixels({ width, height, data }, test) {
  const found = [];
  for (let i = 0; i < width * height; i++)
    if (test(data[4 * i], data[4 * i + 1], data[4 * i + 2])) found.push([i % width, Math.floor(i / width)]);
  return found;
}

export function different(a, b) {
  assert.deepEqual([a.width, a.height], [b.width, b.height]);
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4)
    count += Math.abs(a.data[i] - b.data[i]) + Math.abs(a.data[i + 1] - b.data[i + 1]) + Math.abs(a.data[i + 2] - b.data[i + 2]) > 40;
  return count;
}

// Colours of the torque scale, from violet through teal to yellow; grid, bones and background are grey.
export const isTorqueColour = (r, g, b) => Math.max(r, g, b) - Math.min(r, g, b) > 55 && !(r > 180 && b > 120);
export const isForceColour = (r, g, b) => r > 180 && b > 120 && g < 150;

// Layout problems: wider than the screen, text beyond its edges, clipped, or too small.
export function problems({ page }) {
  return page.evaluate(() => {
    const found = [], root = document.documentElement;
    if (root.scrollWidth > innerWidth) found.push(`the page is ${root.scrollWidth} wide`);
    const isShown = (element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !element.closest("dialog, details:not([open]) > :not(summary)");
    for (const element of document.querySelectorAll("body *")) {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
      if (!own || !isShown(element) || element.closest("option, optgroup, script, noscript")) continue;
      const box = element.getBoundingClientRect(), style = getComputedStyle(element), name = `${element.tagName}.${element.className} "${element.textContent.slice(0, 30)}"`;
      const isScrolled = element.closest(".table-box, .plot-body");
      if (!isScrolled && (box.left < -1 || box.right > innerWidth + 1)) found.push(`${name} leaves the screen`);
      if (style.overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1 && !element.title && style.textOverflow !== "ellipsis") found.push(`${name} is cut off`);
      if (parseFloat(style.fontSize) < 11) found.push(`${name} has ${style.fontSize}`);
    }
    return found;
  });
}

// Overlap of elements with text or controls.
export function overlaps({ page }, selectors) {
  return page.evaluate((wanted) => {
    const boxes = wanted.flatMap((selector) => [...document.querySelectorAll(selector)].map((element) => [selector, element.getBoundingClientRect()]));
    const hit = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    return boxes.flatMap(([one, a], i) => boxes.slice(i + 1).filter(([, b]) => hit(a, b)).map(([other]) => `${one} and ${other}`));
  }, selectors);
}
