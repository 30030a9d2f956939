// Pool of workers that process requests in parallel; a worker that crashes is replaced.

const READING_SECONDS = 60; // of an FBX file, to the first progress message: SCENE_CHILD_SECONDS of the program

export class Pool {
  constructor(script, program, max) {
    this.address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    Object.assign(this, { program, max, workers: [], waiting: [] });
    this.about = new Promise((resolve) => (this.tell = resolve)); // resolves with {schema, presets} of the program
    this.add();
  }

  add() {
    const worker = { thread: new Worker(this.address), job: null, isReady: false };
    worker.thread.onmessage = ({ data }) => this.hear(worker, data);
    worker.thread.onerror = (event) => this.hear(worker, { lines: [], error: event.message || "the worker has ended", isBroken: true });
    worker.thread.postMessage({ program: this.program });
    this.workers.push(worker);
  }

  // Resolves with the answer of worker.js. isFirst: ahead of the queue. progress(name, stage) is called at each stage.
  run(request, { progress = () => {}, isFirst = false } = {}) {
    return new Promise((resolve) => {
      this.waiting[isFirst ? "unshift" : "push"]({ request, progress, resolve });
      this.hand();
    });
  }

  hand() {
    const free = this.workers.filter((worker) => !worker.job);
    if (this.waiting.length > free.length && this.workers.length < this.max) {
      this.add();
      free.push(this.workers.at(-1));
    }
    for (const worker of free.filter(({ isReady }) => isReady)) {
      const job = this.waiting.shift();
      if (!job) return;
      worker.job = job;
      worker.clock = this.limit(worker, job.request);
      worker.thread.postMessage(job.request);
    }
  }

  // Ends a worker that reads an FBX file for too long.
  limit(worker, { files = [] }) {
    if (!files.some(([name]) => /\.fbx$/i.test(name))) return undefined;
    const error = `reading takes longer than ${READING_SECONDS} s: the file is damaged, or too large`;
    return setTimeout(() => this.hear(worker, { lines: [], error, isBroken: true }), 1000 * READING_SECONDS);
  }

  hear(worker, data) {
    clearTimeout(worker.clock);
    if (data.progress) return worker.job?.progress(data.name, data.progress);
    if (data.isReady) this.tell(data);
    const { job, isReady } = worker;
    Object.assign(worker, { isReady: true, job: null });
    if (data.isBroken) {
      worker.thread.terminate();
      this.workers = this.workers.filter((other) => other !== worker);
      if (isReady) this.add();
      else this.waiting.splice(0).forEach(({ resolve }) => resolve(data)); // workers cannot start here
    }
    if (job) job.resolve(data);
    this.hand();
  }
}
