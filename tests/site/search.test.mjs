// The site in Chromium: its pages show without errors in both schemes, and its search finds a phrase.
// SITE_FOLDER: the site. KANE_SHOTS=DIR keeps pictures.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";

import { launch } from "../page/browser.mjs";

const { SITE_FOLDER, KANE_SHOTS } = process.env;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml" };
let browser, server, address;

before(async () => {
  server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://site").pathname)), file = path.endsWith("/") ? `${path}index.html` : path;
    try {
      const bytes = await readFile(join(SITE_FOLDER, file));
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

for (const scheme of ["light", "dark"])
  for (const [width, height] of [[390, 844], [1280, 720]])
    test(`pages fit a screen of ${width} x ${height}, ${scheme}`, async () => {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme }), failed = [];
      page.on("pageerror", (error) => failed.push(error.message));
      page.on("response", (response) => response.status() >= 400 && failed.push(response.url()));
      for (const name of ["index.html", "docs/tutorial.html", "docs/howto/index.html", "docs/accuracy.html", "docs/formats/clip_file.html"]) {
        await page.goto(address + name, { waitUntil: "load" });
        assert.ok(await page.textContent("h1"), name);
        const { wide, broken } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth - innerWidth,
          broken: [...document.images].filter((image) => !image.naturalWidth).map((image) => image.src) }));
        assert.ok(wide <= 0, `${name} is ${wide} pixels wider than the screen`);
        assert.deepEqual(broken, [], name);
        if (KANE_SHOTS) await page.screenshot({ path: join(KANE_SHOTS, `site_${name.replaceAll("/", "_")}_${width}_${scheme}.png`) });
      }
      assert.deepEqual(failed, []);
      await page.close();
    });

test("search finds ground reaction", async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(`${address}index.html`, { waitUntil: "load" });
  await page.click("[data-md-component=search-query]");
  await page.keyboard.type("ground reaction", { delay: 20 });
  await page.waitForSelector(".md-search-result__item", { timeout: 30000 });
  const found = await page.$$eval(".md-search-result__item", (items) => items.map((item) => item.textContent));
  assert.match(found[0], /ground reaction/i, found.join("\n").slice(0, 500));
  const links = await page.$$eval(".md-search-result__link", (all) => all.map((link) => link.pathname));
  assert.ok(links.includes("/docs/validation/ground_forces.html"), links.join(" "));
  if (KANE_SHOTS) await page.screenshot({ path: join(KANE_SHOTS, "site_search.png") });
  await page.close();
});
