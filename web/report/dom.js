// Helpers that create DOM elements. Data are inserted as text, never as HTML.

export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const TAIL = 10; // letters of a name that stay

// A name that is shortened in the middle where its room ends: {className: "name"} is its box (base.css).
export function nameParts(name) {
  const at = Math.max(0, name.length - TAIL);
  return [el("span", { className: "name-head", textContent: name.slice(0, at) }), el("span", { className: "name-tail", textContent: name.slice(at) })];
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Colour of the style sheet, for drawing on a canvas.
export const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// A number with three significant digits; "–" if unknown.
export function figure(value, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.floor(Math.log10(Math.abs(value)));
  if (size >= 6) return value.toExponential(1);
  const text = value.toFixed(Math.min(Math.max(digits - 1 - size, 0), 4));
  return Number(text) === 0 ? "0" : text;
}

// Same without trailing zeros, for constants.
export const short = (value, digits = 3) =>
  Number.isFinite(value) && value !== null ? String(Number(value.toPrecision(digits))) : "–";

// "3.10 ± 0.42": value with its standard deviation, if known.
export const measured = (value, sd) => (sd > 0 && Number.isFinite(value) ? `${figure(value)} ± ${figure(sd, 2)}` : figure(value));

export const words = (name) => name.replaceAll("_", " ");

// Hatches frames that are not trusted.
export function hatch(context) {
  const tile = document.createElement("canvas"), size = 6 * devicePixelRatio;
  tile.width = tile.height = size;
  const lines = tile.getContext("2d");
  Object.assign(lines, { strokeStyle: token("--not-valid"), lineWidth: 1.5 * devicePixelRatio, lineCap: "square" });
  lines.beginPath();
  for (const shift of [-size, 0, size]) {
    lines.moveTo(shift, size);
    lines.lineTo(shift + size, 0);
  }
  lines.stroke();
  return context.createPattern(tile, "repeat");
}
