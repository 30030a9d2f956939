// Quantities of the plots: of a whole joint, and about one of its anatomical axes.
const DEGREES = 180 / Math.PI;

// min: smallest upper limit of the value axis, which keeps the rounding errors of a resting joint from filling the
// plot; spread: the channel of the standard deviation.
export const TORQUE = { name: "torque", title: "Torque", unit: "N m/kg", scale: 1, fromZero: true, min: 0.01, spread: "torque_sd" };

// Stacked parts of the torque magnitude, of the first clip, in the order of formats/report/torque_parts.h.
export const PARTS = [["weight", "#56b4e9"], ["inertia", "#e69f00"], ["ground", "#009e73"], ["tables", "#999999"]];
export const STACK = { name: "parts", title: "Torque from", unit: "N m/kg", scale: 1, min: 0.01 };

export const OF_JOINT = [
  TORQUE,
  { name: "power", title: "Power", unit: "W", scale: 1, min: 1 },
  { name: "speed", title: "Angular velocity", unit: "rad/s", scale: 1, fromZero: true, min: 0.1 },
  { name: "orientation_error", title: "Orientation error", unit: "degrees", scale: DEGREES, fromZero: true, min: 0.01 },
  { name: "position_error", title: "Position error", unit: "cm", scale: 100, fromZero: true, min: 0.01 },
  STACK,
];

// Signed: positive in the direction that names the coordinate.
export const OF_COORDINATE = [
  { name: "moment", title: "moment", unit: "N m/kg", scale: 1, min: 0.01, spread: "moment_sd", ofCoordinate: true },
  { name: "angle", title: "angle", unit: "degrees", scale: DEGREES, min: 1, ofCoordinate: true },
  { name: "coordinate_power", title: "power", unit: "W", scale: 1, min: 1, ofCoordinate: true },
  { name: "coordinate_utilization", title: "utilization", unit: "%", scale: 100, fromZero: true, min: 1, ofCoordinate: true },
];

// Title of a quantity, such as "Flexion moment", for a motion.
export function titleOf({ title, ofCoordinate }, motion) {
  return ofCoordinate ? `${motion[0].toUpperCase()}${motion.slice(1)} ${title}` : title;
}
