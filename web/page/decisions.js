// Form with what kane detected in a file, with confidences, and the options of kane run that override it.
import { el } from "../report/dom.js";

const AUTO = "";
const UNSURE = 0.9; // confidence below which a detection is highlighted

// place: index in /decisions and /confidence of the clip (docs/formats/clip_file.md), for what kane detects.
const FIELDS = [
  { option: "import-unit", label: "Unit", place: 0, choices: ["m", "dm", "cm", "mm", "inch", "cmu"] },
  { option: "import-up", label: "Up axis", place: 1, choices: ["X", "Y", "Z", "-X", "-Y", "-Z"] },
  { option: "import-fps", label: "Frame rate (Hz)", place: 2, min: 1, max: 10000 },
  { option: "body-mass", label: "Mass (kg)", usual: ({ attributes }) => attributes["body/total_mass"], min: 1, max: 100000 },
  { option: "body-sex", label: "Sex", choices: ["mean", "female", "male"], usual: () => "mean" },
  { option: "smooth-cutoff", label: "Cutoff (Hz)", usual: ({ attributes }) => /\nsmooth .*--cutoff (\S+)/.exec(attributes["//history"])?.[1] ?? "none", min: 0.1, max: 1000 },
];

const percent = (part) => (part > 0.99 ? ">99 %" : `${Math.round(100 * part)} %`);

// {text, confidence} of a detection; confidence is undefined if an option sets it.
function decided(field, clip) {
  if (!clip.attributes) return { text: "" };
  if (field.place === undefined) return { text: String(+Number(field.usual(clip)).toPrecision(3) || field.usual(clip)) };
  const text = clip.attributes["//decisions"].split("\n")[field.place], confidence = clip.attributes["//confidence"][field.place];
  return { text, confidence: clip.options[field.option] ? undefined : confidence };
}

function control(field, clip, text) {
  const value = clip.options[field.option] ?? AUTO;
  if (!field.choices)
    return el("input", { type: "number", step: "any", min: field.min, max: field.max, value, placeholder: text, name: field.option });
  const option = (name, label) => el("option", { value: name, textContent: label, selected: String(value) === name });
  return el("select", { name: field.option }, option(AUTO, field.place === undefined ? text || "default" : `auto${text && `: ${text}`}`),
            ...field.choices.map((name) => option(name, name)));
}

function row(field, clip, change) {
  const { text, confidence } = decided(field, clip), input = control(field, clip, text);
  input.onchange = () => input.reportValidity() && change(field.option, input.value);
  const note = confidence === undefined ? clip.options[field.option] ? "set" : "" : percent(confidence);
  return el("label", { className: confidence < UNSURE ? "unsure" : "" }, el("span", { textContent: field.label }),
            el("small", { textContent: note, title: "Confidence of the detection" }), input);
}

// change(option, value) is called on input; value "" means that kane detects it.
export function decisionForm(clip, change) {
  return el("form", { className: "decisions", onsubmit: (event) => event.preventDefault(), "aria-label": "What kane detected, and what you set" },
            ...FIELDS.map((field) => row(field, clip, change)));
}
