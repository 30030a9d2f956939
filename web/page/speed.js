// Slider for the speed of a clip, with the verdict at that speed while it moves; the viewer shows that of the clip itself.
import { el } from "../report/dom.js";

const MIN = 0.5, MAX = 3, STEP = 0.05;

export class Speed {
  // verdict: at the speed shown, undefined if unknown. ask(speed) resolves with {verdict} or {error}; settle(speed) is
  // called when the slider rests.
  constructor(speed, verdict, ask, settle) {
    Object.assign(this, { ask, isAsking: false, wanted: null });
    this.input = el("input", { type: "range", id: "speed", min: MIN, max: MAX, step: STEP, value: speed, "aria-label": "Speed" });
    this.figure = el("output", { htmlFor: "speed" });
    this.line = el("p", { role: "status", id: "speed-verdict" });
    this.element = el("div", { className: "speed" }, el("label", { htmlFor: "speed" }, "Speed", this.figure), this.input, this.line);
    this.input.oninput = () => this.want(this.speed);
    this.input.onchange = () => settle(this.speed);
    this.write();
    if (speed !== 1) this.tell(verdict);
  }

  get speed() {
    return Number(this.input.value);
  }

  write() {
    this.figure.textContent = `${this.speed.toFixed(2)}×`;
  }

  // Asks for the verdict of the last speed wanted; while one is computed, the next waits.
  async want(speed) {
    this.write();
    this.wanted = speed;
    if (this.isAsking) return;
    this.isAsking = true;
    this.element.classList.add("asking");
    while (this.wanted !== null) {
      const now = this.wanted;
      this.wanted = null;
      const { verdict, error } = await this.ask(now);
      this.tell(verdict, error);
    }
    this.element.classList.remove("asking");
    this.isAsking = false;
  }

  tell(verdict, error = "") {
    this.line.replaceChildren();
    if (!verdict) return void (this.line.textContent = error.replace(/^run: /, ""));
    const { word, why, name, frame, factor, band } = verdict;
    const size = name ? ` (${factor.toFixed(2)} ± ${band.toFixed(2)}, ${name}, frame ${frame})` : "";
    this.line.append(el("span", { className: `word ${word}`, textContent: word }), ` ${why}${size}`);
  }
}
