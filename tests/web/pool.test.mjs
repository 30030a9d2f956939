// The pool of workers: an FBX file whose reading takes too long ends its worker, and the next request has another.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Pool } from "../../web/page/pool.js";

test("reading of an FBX file is limited to a minute", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const threads = [];
  globalThis.Worker = class {
    constructor() { threads.push(this); }
    postMessage(message) { this.last = message; }
    terminate() { this.isEnded = true; }
  };
  const pool = new Pool("", "program", 1), ready = (thread) => thread.onmessage({ data: { isReady: true } });
  ready(threads[0]);
  const slow = pool.run({ files: [["a.fbx", new Uint8Array(1)]] });
  const next = pool.run({ files: [["b.bvh", new Uint8Array(1)]] });
  t.mock.timers.tick(59999);
  assert.ok(!threads[0].isEnded);
  t.mock.timers.tick(1);
  assert.match((await slow).error, /takes longer than 60 s/);
  assert.ok(threads[0].isEnded);
  ready(threads[1]);
  assert.equal(threads[1].last.files[0][0], "b.bvh");
  t.mock.timers.tick(3600000);
  threads[1].onmessage({ data: { lines: [], text: "done" } });
  assert.equal((await next).text, "done");

  const read = pool.run({ files: [["c.FBX", new Uint8Array(1)]] });
  threads[1].onmessage({ data: { progress: "import", name: "c.FBX" } });
  t.mock.timers.tick(3600000);
  threads[1].onmessage({ data: { lines: [], text: "read" } });
  assert.equal((await read).text, "read");
  assert.equal(threads.length, 2);
});
