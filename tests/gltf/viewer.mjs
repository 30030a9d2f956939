// Checks the colours of a .glb in three.js in Chromium: node viewer.mjs FILE.glb QUIET-SECONDS LOADED-SECONDS
// Uses the packages of web/report. Exit code 1 unless the picture at the loaded time is brighter than at the quiet
// one.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { launch } from "../page/browser.mjs";

const page = new URL("../../web/report/", import.meta.url);
const { buildSync } = createRequire(new URL("package.json", page))("esbuild");
const [file, ...moments] = process.argv.slice(2);
const built = buildSync({
  entryPoints: [fileURLToPath(new URL("viewer.js", import.meta.url))],
  nodePaths: [fileURLToPath(new URL("node_modules", page))], bundle: true, write: false, format: "iife",
});
const browser = await launch(), seen = [];
for (const moment of moments) {
  const tab = await browser.newPage();
  await tab.addScriptTag({ content: built.outputFiles[0].text });
  seen.push(await tab.evaluate(([bytes, t]) => show(bytes, t), [[...readFileSync(file)], Number(moment)]));
}
await browser.close();
const [quiet, loaded] = seen;
console.log(`gltf: in three.js ${loaded.body} pixels of body, bright ones ${quiet.bright} at ${moments[0]} s, ` +
  `${loaded.bright} at ${moments[1]} s`);
process.exit(quiet.body > 1000 && loaded.body > 1000 && loaded.bright > quiet.bright + 300 ? 0 : 1);
