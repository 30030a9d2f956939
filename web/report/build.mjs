// Bundles template, style and scripts of kane report into one file, with a policy that blocks external resources.
// usage: node build.mjs PAGE.html
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

const MARK = "@KANE-DATA@"; // as in formats/report/report_page.h
const here = (name) => new URL(name, import.meta.url).pathname;

async function bundle(entry, loader) {
  const options = { entryPoints: [here(entry)], bundle: true, minify: true, write: false, legalComments: "inline",
                    target: ["es2022"], charset: "utf8", logLevel: "warning", ...loader };
  const { outputFiles } = await build(options);
  return outputFiles[0].text;
}

const digest = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

function licences() {
  const text = ["three", "uplot"].map((name) =>
    `${name} ${JSON.parse(readFileSync(here(`node_modules/${name}/package.json`))).version}\n\n` +
    readFileSync(here(`node_modules/${name}/LICENSE`), "utf8").trim());
  return text.join("\n\n").replaceAll("--", "- -");
}

const script = await bundle("main.js", { format: "iife" });
const style = await bundle("style.css", {});
const policy = `default-src 'none'; script-src ${digest(script)}; style-src ${digest(style)}; base-uri 'none'; form-action 'none'`;
const parts = { POLICY: policy, STYLE: style, SCRIPT: script, LICENCES: licences() };
const page = readFileSync(here("report.html"), "utf8").replace(/@(POLICY|STYLE|SCRIPT|LICENCES)@/g, (_, name) => parts[name]);
if (page.split(MARK).length !== 2) throw new Error(`${MARK} must stand once in the page`);

const target = process.argv[2];
// An equal page is not written: the program embeds it and would be linked again.
if (!existsSync(target) || readFileSync(target, "utf8") !== page) {
  writeFileSync(`${target}.new`, page);
  renameSync(`${target}.new`, target);
}
console.log(`page: ${target}, ${Math.round(page.length / 1024)} kB`);
