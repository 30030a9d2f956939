// Keyboard shortcuts of the clip page, and the dialog that lists them.
import { el } from "./dom.js";
import { VIEW } from "./views.js";

const KEYS = [
  ["Space", "play or pause"],
  ["← →", "one frame; with Shift half a second"],
  ["Home End", "first and last frame"],
  ["↑ ↓", "faster, slower"],
  ["[ ]", "joint before, joint after, hardest first"],
  [", .", "event before, event after: peaks, feet, flights"],
  ["P", "to the joint's largest torque"],
  ["K", "keep the joint in the plots beside the next ones"],
  ["A", "about the joint's axes: angle, moment, power, utilization of strength"],
  ["H", "all joints over time, as a map: a click goes there"],
  ["D", "two clips: their difference"],
  ["1 2 3", "front, side, three quarters"],
  ["F", "the camera follows"],
  ["B", "the camera runs behind the body, on springs"],
  ["T", "trails of the joints, the centre of mass and of pressure"],
  ["G", "ghosts every so many frames"],
  ["I", "save the picture; the button beside it a video"],
  ["C", "what the colours show: torque, strength, trust"],
  ["O", "several clips: in one place or side by side"],
  ["L", "repeat"],
  ["Click a joint", "choose it"],
  ["Yellow arrow", "push, in the same scale"],
  ["Pink arrow", "ground force: a body weight is half the figure's height"],
  ["Drag, wheel, pinch", "turn and zoom; the right button moves"],
  ["Drag in a plot", "zoom in time; double click: all of it"],
  ["Click in a plot", "go there"],
];

export function helpDialog() {
  const rows = KEYS.flatMap(([key, does]) => [el("dt", { textContent: key }), el("dd", { textContent: does })]);
  const close = el("button", { type: "submit", textContent: "Close" });
  return el("dialog", { className: "help", id: "help" }, el("h2", { textContent: "Keys and gestures" }), el("dl", {}, ...rows),
            el("form", { method: "dialog" }, close));
}

function actionsOf(viewer) {
  const { player } = viewer;
  const step = (event, direction) =>
    event.shiftKey ? player.seek(player.time + 0.5 * direction) : player.stepBy(direction);
  return {
    " ": () => player.toggle(),
    ArrowLeft: (event) => step(event, -1),
    ArrowRight: (event) => step(event, 1),
    ArrowUp: () => player.faster(1),
    ArrowDown: () => player.faster(-1),
    Home: () => player.seek(player.start),
    End: () => player.seek(player.end),
    "[": () => viewer.select(viewer.bar.next(-1)),
    "]": () => viewer.select(viewer.bar.next(1)),
    k: () => viewer.toggleBeside(),
    a: () => viewer.nextAbout(),
    h: () => viewer.toggleMap(),
    d: () => viewer.toggleDifference(),
    t: () => viewer.hasDepth && viewer.toggleTrails(),
    g: () => viewer.hasDepth && viewer.views.nextGhosts(),
    i: () => viewer.savePicture(),
    ",": () => viewer.goToEvent(-1),
    ".": () => viewer.goToEvent(1),
    p: () => viewer.goToPeak(),
    1: () => viewer.setView(0, 0.08),
    2: () => viewer.setView(Math.PI / 2, 0.08),
    3: () => viewer.setView(VIEW.turn, VIEW.lift),
    f: () => viewer.toggleFollow(),
    b: () => viewer.hasDepth && viewer.toggleChase(),
    c: () => viewer.legend.next(),
    o: () => viewer.toggleApart(),
    l: () => player.setLooping(!player.isLooping),
    "?": () => viewer.help.showModal(),
  };
}

// Space presses a button focused by keyboard and plays otherwise: a click keeps its focus.
export function listenToKeys(viewer) {
  addEventListener("mousedown", (event) => event.target.closest("button") && event.preventDefault());
  const actions = actionsOf(viewer);
  addEventListener("keydown", (event) => {
    const isPress = event.key === " " && event.target.tagName === "BUTTON";
    const isElsewhere = isPress || event.ctrlKey || event.metaKey || event.altKey || viewer.help.open ||
                        /^(SELECT|TEXTAREA|SUMMARY)$/.test(event.target.tagName);
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (isElsewhere || !action) return;
    event.preventDefault();
    action(event);
  });
}
