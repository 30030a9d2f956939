// The address of the page: #frame=30&joint=left_knee. It follows what is shown, and Back returns from each step.

const PAUSE = 250; // ms from one entry to the next: browsers take few

export class Address {
  // entries(): what is shown, [[name, value] ...]; apply(URLSearchParams) shows what an address asks for.
  constructor(entries, apply) {
    Object.assign(this, { entries, apply, timer: null, isStep: false, isReading: false });
    addEventListener("hashchange", () => this.read());
  }

  read() {
    clearTimeout(this.timer);
    Object.assign(this, { timer: null, isStep: false, isReading: true });
    this.apply(new URLSearchParams(location.hash.slice(1) || document.documentElement.dataset.address));
    this.isReading = false;
  }

  // Something has changed.
  follow() {
    if (!this.isReading) this.timer ??= setTimeout(() => this.write(), PAUSE);
  }

  // What changes next is a step of its own; steps in quick succession are one.
  step() {
    if (this.isReading) return;
    if (this.timer && !this.isStep) this.write();
    this.isStep = true;
    this.follow();
  }

  write() {
    clearTimeout(this.timer);
    const hash = `#${new URLSearchParams(this.entries())}`;
    const isInside = location.protocol === "about:"; // a frame of another page, whose address this would be
    if (hash !== location.hash && !isInside) history[this.isStep ? "pushState" : "replaceState"](null, "", hash);
    Object.assign(this, { timer: null, isStep: false });
  }
}
