// Colours of two clips, on the dark stage and in plots; blue and orange differ with any colour vision.
export const TINTS = ["#7fb2ff", "#ffab5e"];
export const LINES = ["--line-a", "--line-b"];
// Of the chosen joint, then of those beside it, in plots; and of their ways on the stage.
export const JOINT_LINES = ["--line-a", "--joint-2", "--joint-3", "--joint-4", "--joint-5"];
export const JOINT_TRAILS = ["#7fb2ff", "#4fd0a2", "#d79bff", "#e8d35a", "#ff8a75"];
