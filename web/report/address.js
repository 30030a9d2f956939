// State of the page in its address: #frame=30&joint=left_knee. It is updated as the view changes; Back undoes each
// step.

const PAUSE = 250; // ms between history entries: browsers limit their rate

export class Address {
  // entries(): current state as [[name, value] ...]; apply(URLSearchParams) shows the state of an address.
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

  // Schedules an update of the address after a change.
  follow() {
    if (!this.isReading) this.timer ??= setTimeout(() => this.write(), PAUSE);
  }

  // Makes the next change a history entry of its own; steps within PAUSE share one.
  step() {
    if (this.isReading) return;
    if (this.timer && !this.isStep) this.write();
    this.isStep = true;
    this.follow();
  }

  write() {
    clearTimeout(this.timer);
    const hash = `#${new URLSearchParams(this.entries())}`;
    const isInside = location.protocol === "about:"; // in a frame: the address belongs to the outer page
    if (hash !== location.hash && !isInside) history[this.isStep ? "pushState" : "replaceState"](null, "", hash);
    Object.assign(this, { timer: null, isStep: false });
  }
}
