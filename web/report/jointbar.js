// Toolbar over the plots: the chosen joint, the joints beside it, and the plot options.
import { el } from "./dom.js";
import { nameOf } from "./events.js";
import { noteOf } from "./facts.js";
import { JOINT_LINES } from "./tints.js";

function button(textContent, id, title, onclick) {
  return el("button", { type: "button", className: "text", id, title, textContent, onclick });
}

export class JointBar {
  constructor(viewer) {
    this.clips = viewer.clips;
    this.name = el("h2", { id: "joint-name" });
    this.note = el("p", { className: "joint-note", title: "± one standard deviation" });
    this.choice = this.choices();
    this.choice.onchange = () => viewer.select(Number(this.choice.value));
    this.motion = el("select", { id: "motion", "aria-label": "About which axis", title: "The joint as a whole, or about one of its axes (A)" });
    this.motion.onchange = () => viewer.showAbout(Number(this.motion.value));
    this.beside = el("div", { className: "beside", id: "beside" });
    this.remove = (joint) => viewer.toggleBeside(joint);
    this.peak = button("Peak", "peak", "To the largest torque of this joint (P)", () => viewer.goToPeak());
    this.keep = button("Keep", "keep", "Keep this joint in the plots beside the next ones (K)", () => viewer.toggleBeside());
    this.map = button("Map", "map", "All joints over time (H)", () => viewer.toggleMap());
    this.less = button("B − A", "less", "The difference of the two clips (D)", () => viewer.toggleDifference());
    this.less.hidden = this.clips.length < 2;
    this.element = el("div", { className: "joint-head" },
                      el("div", { className: "joint-row" }, this.name, this.choice,
                         el("div", { className: "buttons" }, this.keep, this.less, this.map, this.peak)),
                      el("div", { className: "joint-about" }, this.note, this.motion), this.beside);
  }

  choices() {
    const [clip] = this.clips, select = el("select", { id: "joint", "aria-label": "Joint" });
    const order = clip.joints.map((_, j) => j).sort((a, b) => (clip.joints[b].peak_nm_kg ?? 0) - (clip.joints[a].peak_nm_kg ?? 0));
    const add = (label, joints) => joints.length && select.append(
      el("optgroup", { label }, ...joints.map((j) => el("option", { value: j, textContent: nameOf(clip.joints[j]) }))));
    add("Joints, hardest first", order.filter((j) => clip.ranks(j)));
    add("Floating base", order.filter((j) => clip.joints[j].residual));
    add("Without mass", order.filter((j) => clip.joints[j].helper && !clip.joints[j].residual));
    return select;
  }

  // The joint at an offset from the chosen one, in list order.
  next(direction) {
    const options = [...this.choice.querySelectorAll("option")].map((option) => Number(option.value));
    const at = options.indexOf(Number(this.choice.value)) + direction;
    return options[(at + options.length) % options.length];
  }

  // shown: the chosen joint of the first clip, then those beside it; axis: the coordinate shown, -1 for none.
  show(shown, axis, isMissing, hasPeak) {
    const [clip] = this.clips, joint = clip.joints[shown[0]];
    const motions = ["whole joint", ...clip.motionsOf(shown[0])];
    this.motion.replaceChildren(...motions.map((textContent, i) => el("option", { value: i - 1, textContent })));
    this.motion.value = axis;
    this.motion.hidden = !clip.coordinates.length;
    this.motion.classList.toggle("away", motions.length < 2); // keeps its space, so that the plots do not move
    this.choice.value = shown[0];
    this.name.textContent = nameOf(joint);
    this.name.classList.toggle("role", Boolean(joint.role));
    this.note.textContent = noteOf(clip, joint, isMissing);
    this.peak.disabled = !hasPeak;
    this.beside.replaceChildren(...shown.slice(1).map((j, k) => this.chip(j, JOINT_LINES[k + 1])));
    this.beside.hidden = shown.length < 2;
  }

  chip(joint, colour) {
    const name = nameOf(this.clips[0].joints[joint]);
    const chip = el("button", { type: "button", className: "chip", textContent: `${name} ×`, title: `Take ${name} out of the plots`, onclick: () => this.remove(joint) });
    chip.style.setProperty("--own", `var(${colour})`);
    return chip;
  }

  // Sets which buttons are pressed.
  mark({ isMap, isDifference }) {
    this.map.setAttribute("aria-pressed", String(isMap));
    this.less.setAttribute("aria-pressed", String(isDifference));
  }
}
