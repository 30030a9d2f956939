"""A clip in a notebook: a figure at its largest torque, and the joints with the largest peaks."""
import html
import math

HEIGHT = 180  # of the figure, pixels
ROWS = 6


def peaks(clip):
    """The largest torque of each joint below the root: [(N m/kg, its standard deviation or None, frame, joint)], the
    largest first. [] before the torque stage."""
    try:
        torque = clip.array("/dynamics/torque")
    except KeyError:
        return []
    try:
        spread = clip.array("/dynamics/torque_sd")
    except KeyError:
        spread = None
    mass, found = clip.total_mass or 1.0, []
    for joint, parent in enumerate(clip.parents):
        if parent < 0:
            continue  # its torque is the residual of the floating base
        sizes = [_length(torque, frame, joint) for frame in range(clip.frame_count)]
        size = max((s for s in sizes if not math.isnan(s)), default=math.nan)
        if math.isnan(size):
            continue
        frame = sizes.index(size)
        along = spread is not None and size > 0 and math.sqrt(sum(
            (torque[frame, joint, axis] / size * spread[frame, joint, axis]) ** 2 for axis in range(3)))
        found.append((size / mass, along / mass if along else None, frame, joint))
    return sorted(found, key=lambda row: -row[0])


def _length(array, frame, joint):
    return math.sqrt(sum(array[frame, joint, axis] ** 2 for axis in range(3)))


def figure(clip, frame, marked=None):
    """The skeleton in a frame, seen along the horizontal axis in which it is narrower, as SVG; one joint is marked."""
    position = clip.array("/kinematics/position")
    points = [[float(position[frame, joint, axis]) for axis in range(3)] for joint in range(len(clip.parents))]
    across = max((0, 2), key=lambda axis: max(p[axis] for p in points) - min(p[axis] for p in points))
    left, low = min(p[across] for p in points), min(p[1] for p in points)
    width, height = max(p[across] for p in points) - left, max(p[1] for p in points) - low
    scale = (HEIGHT - 20) / max(height, width, 1e-9)
    place = [(10 + (p[across] - left) * scale, HEIGHT - 10 - (p[1] - low) * scale) for p in points]
    lines = "".join(f'<path d="M{place[parent][0]:.1f} {place[parent][1]:.1f}L{x:.1f} {y:.1f}"/>'
                    for (x, y), parent in zip(place, clip.parents) if parent >= 0)
    dot = "" if marked is None else f'<circle cx="{place[marked][0]:.1f}" cy="{place[marked][1]:.1f}" r="5" fill="#d33" stroke="none"/>'
    return (f'<svg width="{20 + width * scale:.0f}" height="{HEIGHT}" role="img" aria-label="the body at its largest torque" '
            f'fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round">{lines}{dot}</svg>')


def as_html(clip):
    """What a notebook shows of a clip: figure, size and peaks."""
    rows = peaks(clip)[:ROWS]
    seconds = clip.frame_count * clip.frame_time
    head = f"<b>kane clip</b>: {clip.frame_count} frames, {seconds:.2f} s, {len(clip.parents)} joints, {clip.total_mass:.1f} kg"
    if not rows:
        return f"<div>{head}</div>"
    names = [role or joint for role, joint in zip(clip.roles, clip.joints)]
    cells = "".join(f"<tr><td>{html.escape(names[joint])}</td><td>{size:.2f}{f' ± {spread:.2f}' if spread else ''}</td>"
                    f"<td>{frame * clip.frame_time:.2f}</td></tr>" for size, spread, frame, joint in rows)
    return (f'<div>{head}<div style="display:flex;gap:1em;align-items:center">{figure(clip, rows[0][2], rows[0][3])}'
            f"<table><tr><th>joint</th><th>peak torque, N m/kg</th><th>at, s</th></tr>{cells}</table></div></div>")
