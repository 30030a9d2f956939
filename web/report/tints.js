// Letters and colours of the clips, on the dark stage and in plots; blue and orange are safe for colour-blind readers.
export const LETTERS = "ABCDEFGH";
export const TINTS = ["#7fb2ff", "#ffab5e", "#5fd3a4", "#d79bff", "#e8d35a", "#ff8a75", "#6fd6e8", "#c2c9d6"];
export const LINES = [..."abcdefgh"].map((letter) => `--line-${letter}`);
// Arrows: contact forces and pushes.
export const FORCE = "#ff7ac6", PUSH = "#ffe14d";
// Colours of the chosen joint and those beside it: plot lines and trails.
export const JOINT_LINES = ["--line-a", "--joint-2", "--joint-3", "--joint-4", "--joint-5"];
export const JOINT_TRAILS = ["#7fb2ff", "#4fd0a2", "#d79bff", "#e8d35a", "#ff8a75"];
