// Builds the browser page of kane as one file with program, worker, viewer and samples; its policy blocks all network
// access.
// usage: node build.mjs MODULES WEB REPORT.html PAGE.html FILE.bvh...     MODULES: node_modules with esbuild
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { deflateSync } from "node:zlib";

const [modules, web, report, target, ...samples] = process.argv.slice(2);
const { build } = createRequire(resolve(modules, "x.js"))("esbuild");
const sqlite = resolve(modules, "@sqlite.org/sqlite-wasm/dist");
const here = (name) => new URL(name, import.meta.url).pathname;

async function bundle(entry, more) {
  const { outputFiles } = await build({ entryPoints: [here(entry)], bundle: true, minify: true, write: false, legalComments: "inline",
    target: ["es2022"], charset: "utf8", logLevel: "warning", nodePaths: [resolve(modules)], external: ["node:*"],
    define: { "import.meta.url": '"file:///"' }, alias: { "kane-wasm": resolve(web, "kane.js"), sqlite: join(sqlite, "index.mjs") }, ...more });
  return outputFiles[0].text;
}

const digest = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const pack = (bytes) => deflateSync(bytes, { level: 9 }).toString("base64");

// Hashes that the content security policy of a page allows for a kind of source.
const allowed = (page, kind) => new RegExp(`${kind} ('sha256-[^']*')`).exec(page)[1];

const viewer = readFileSync(report, "utf8");
const script = await bundle("app.js", { format: "iife" }), style = await bundle("style.css", {});
const policy = [`default-src 'none'`, `script-src ${digest(script)} ${allowed(viewer, "script-src")} 'wasm-unsafe-eval'`,
                `style-src ${digest(style)} ${allowed(viewer, "style-src")}`, "worker-src blob:", "base-uri 'none'", "form-action 'none'"];
const licences = /<!--[^\n]*\n\n([\s\S]*?)\n-->/.exec(viewer)[1];
const parts = {
  POLICY: policy.join("; "), STYLE: style, SCRIPT: script, LICENCES: licences, REPORT: pack(viewer),
  PROGRAM: pack(readFileSync(join(web, "kane.wasm"))), SQLITE: pack(readFileSync(resolve(sqlite, "sqlite3.wasm"))),
  DATABASE: pack(await bundle("database.js", { format: "iife" })), WORKER: pack(await bundle("worker.js", { format: "iife" })),
  SAMPLES: samples.map((file) => `${basename(file)} ${pack(readFileSync(file))}`).join("\n"),
};
const page = readFileSync(here("kane.html"), "utf8").replace(/@([A-Z]+)@/g, (_, name) => parts[name]);
writeFileSync(`${target}.new`, page);
renameSync(`${target}.new`, target);
const packed = deflateSync(page.replace(parts.SAMPLES, ""), { level: 9 }).length;
console.log(`web: ${target}, ${Math.round(page.length / 1024)} kB, ${Math.round(packed / 1024)} kB packed without samples`);
