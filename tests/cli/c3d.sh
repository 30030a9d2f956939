# C3D: six codings and plates of types 1 to 4 against forces from which an independent writer made the channels.
. "$TESTS/show.sh"

python() { PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$TESTS/../support" /usr/bin/python3 "$@"; }

# Arguments: name, coding, case. Plates of each type, level or tilted, in random places; the forces in truth.npz.
cat >write.py <<'PYTHON'
import sys
import numpy, c3d_writer
name, coding, case = sys.argv[1:4]
random = numpy.random.default_rng(7)
frames, per_frame, samples = 40, 5, 200
time = numpy.arange(samples) / samples
plates = []
for i, kind in enumerate({"types": [1, 2, 3, 4], "level": [1, 2, 3, 4]}.get(case, [2, 2])):
    half, centre = numpy.array([250., 300, 0]), numpy.array([700. * i - 900, 400, 10 * i])
    corners = numpy.array([[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]]) * half * [1, -1, 1]
    turn, tilt = random.uniform(-3, 3), 0.02 * (case == "types")
    Z = numpy.array([[numpy.cos(turn), -numpy.sin(turn), 0], [numpy.sin(turn), numpy.cos(turn), 0], [0, 0, 1]])
    X = numpy.array([[1, 0, 0], [0, numpy.cos(tilt), -numpy.sin(tilt)], [0, numpy.sin(tilt), numpy.cos(tilt)]])
    corners = corners @ (Z @ X).T + centre
    up = 900 * numpy.sin(numpy.pi * time) ** 2 + 60
    normal = (Z @ X)[:, 2]
    force = up[:, None] * normal + numpy.column_stack([80 * numpy.cos(5 * time), 40 * numpy.sin(7 * time), 0 * time])
    point = corners.mean(0) + (Z @ X @ numpy.column_stack([90 * numpy.cos(4 * time), 120 * numpy.sin(3 * time), 0 * time]).T).T
    moment = numpy.cross(point, force) + (2000 * numpy.sin(9 * time))[:, None] * normal
    origin = [[0, 0, 0], [1.5, -2, 38 - 76 * i], [120, 200, -50], [2, 1, -45]][kind - 1]
    plates.append(dict(type=kind, corners=corners, origin=origin, force=force, moment=moment,
                       matrix=numpy.eye(6) * [2, 3, 4, 900, 800, 700] + random.normal(0, 0.05, (6, 6))))
points = random.normal(0, 800, (frames, 3, 3))
points[5:9, 1] = numpy.nan
unit = "m" if case == "metres" else "mm"
if case == "metres":
    points /= 1000
    for plate in plates:
        plate["corners"] = plate["corners"] / 1000
        plate["origin"] = numpy.array(plate["origin"]) / 1000
        plate["moment"] = plate["moment"] / 1000
c3d_writer.write(name, coding, points, ["A", "B", "C"], 100, per_frame, plates, unit=unit,
                 moment_unit="Nm" if case == "metres" else "Nmm", type_word=5 if case == "five" else None)
scale = 1 if case == "metres" else 1000
numpy.savez("truth.npz", points=points / scale, force=numpy.array([p["force"] for p in plates]),
            moment=numpy.array([p["moment"] for p in plates]) / scale, corners=numpy.array([p["corners"] for p in plates]) / scale)
PYTHON

# Largest differences of exported forces, pressures, moments and markers from the truth.
cat >compare.py <<'PYTHON'
import numpy
truth = numpy.load("truth.npz")
text = open("forces.mot").read().split("endheader\n")[1]
rows = numpy.array([line.split("\t") for line in text.splitlines()[1:]], float)
worst = numpy.zeros(3)
for p, (force, moment, corners) in enumerate(zip(truth["force"], truth["moment"], truth["corners"])):
    F, P, T = (rows[:, 1 + 9 * p + 3 * i:][:, :3] for i in range(3))
    n = numpy.cross(corners[1] - corners[0], corners[0] - corners[3])
    n /= numpy.linalg.norm(n)
    centre = corners.mean(0)
    about = moment - numpy.cross(centre, force)
    point = centre + numpy.cross(n, about) / (force @ n)[:, None]
    free = about - numpy.cross(point - centre, force)
    worst = numpy.maximum(worst, [abs(F - force).max(), 1000 * abs(P - point).max(), abs(T - free).max()])
print("force within 0.1 N" if worst[0] < 0.1 else f"FORCE {worst[0]:.3g} N",
      "pressure within 0.1 mm" if worst[1] < 0.1 else f"PRESSURE {worst[1]:.3g} mm",
      "moment within 0.05 N m" if worst[2] < 0.05 else f"MOMENT {worst[2]:.3g} N m", sep=", ", end="; ")
lines = open("markers.trc").read().splitlines()
markers = numpy.array([line.split("\t")[2:] for line in lines[6:]], float).reshape(truth["points"].shape) / 1000
gaps = numpy.isnan(markers) == numpy.isnan(truth["points"])
off = 1000 * numpy.nanmax(abs(markers - truth["points"]))
print("gaps kept" if gaps.all() else "GAPS", "markers within 0.1 mm" if off < 0.1 else f"MARKERS {off:.3g} mm", sep=", ")
PYTHON

check() {
    python write.py x.c3d "$1" "$2"
    kane export x.c3d --keep-axes --plate-zero none -o forces.mot --force -q && kane export x.c3d --keep-axes -o markers.trc --force -q && python compare.py
}
echo '# six codings, types 1 to 4, tilted plates'
for coding in pc_int pc_real dec_int dec_real sgi_int sgi_real; do show "check $coding types"; done
show 'check pc_real level'
show 'check pc_real metres'
show 'kane info x.c3d'
show 'kane info x.c3d --json'

echo '# refused'
python write.py five.c3d pc_real five
show 'kane export five.c3d -o five.mot'
python write.py x.c3d pc_real level
head -c 6000 x.c3d >cut.c3d
show 'kane info cut.c3d'
head -c 700 x.c3d >short.c3d
show 'kane info short.c3d'
show 'kane export x.c3d -o x.npz'
cp "$TOP/data/walk.bvh" .
show 'kane run x.c3d -o x.h5 2>&1 | sed "s/expected .*, found/expected a motion, found/"'
show 'kane run walk.bvh --contact-external five.c3d -o x.h5 -q'
