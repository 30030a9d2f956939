// Khronos's validator over .glb files: node validate.cjs FOLDER-OF-node_modules FILE.glb...
// Exit code 1 where any has an error or a warning. Hints and infos are counted: the accessors of torque, which only
// `extras` name, are told as possibly unused, and nothing else may be.
"use strict";
const fs = require("fs");
const { createRequire } = require("module");
const path = require("path");

const [modules, ...files] = process.argv.slice(2);
const validator = createRequire(path.join(path.resolve(modules), "index.js"))("gltf-validator");

async function findings(file) {
  const bytes = new Uint8Array(fs.readFileSync(file));
  const report = await validator.validateBytes(bytes, { maxIssues: 100000 });
  const { numErrors, numWarnings, messages } = report.issues;
  const other = messages.filter((m) => m.code !== "UNUSED_OBJECT" || !m.pointer.startsWith("/accessors/"));
  console.log(`gltf: ${path.basename(file)}: ${numErrors} errors, ${numWarnings} warnings, ` +
    `${messages.length - other.length} accessors named by extras alone, ${other.length} other notes`);
  for (const m of other.slice(0, 10)) console.log(`  ${m.pointer}: ${m.code}: ${m.message}`);
  return other.length;
}

(async () => {
  let bad = 0;
  for (const file of files) bad += await findings(file);
  process.exit(bad || !files.length ? 1 : 0);
})();
