# SQL over frames in kane query.
. "$TESTS/show.sh"
mkdir takes
cp "$TESTS/squat.bvh" "$TOP/data/walk.bvh" takes
kane batch --contact-method none takes -o out 2>/dev/null
show "kane query out/index.db --sql \"SELECT c.path, max(f.torque) FROM clip c, kane_frames(c.path) f WHERE f.role='left_knee' GROUP BY c.id ORDER BY c.path\""
show 'kane query out/index.db --columns path,left_knee_torque_peak_nm --order path'
show "kane query out/index.db --sql \"SELECT f.role, count(*) AS frames, max(f.time) AS until, max(f.torque) AS peak FROM kane_frames('walk.bvh.h5') f WHERE f.role IN ('left_knee', 'right_knee') AND f.time BETWEEN 0.2 AND 0.4 GROUP BY f.role\""
show "kane query out/index.db --format tsv --sql \"SELECT *, 1 AS one FROM kane_frames('walk.bvh.h5') WHERE frame = 20 AND joint = 'LeftLeg'\""
show "kane query out/index.db --sql \"SELECT sum(power) / count(*) AS watt FROM kane_frames('\$PWD/out/squat.bvh.h5') WHERE valid\" --format csv"
# the floating base has a residual but no torque or power; frames near an end are not trusted
show "kane query out/index.db --sql \"SELECT joint, count(torque) AS torques, count(power) AS powers, count(residual_torque) AS residuals, sum(trusted) AS trusted, count(*) AS frames FROM kane_frames('squat.bvh.h5') WHERE joint < 'M' GROUP BY joint\""
show "kane query out/index.db --sql \"SELECT * FROM kane_frames('walk.h5')\""
show "kane query out/index.db --sql \"SELECT * FROM kane_frames('../takes/walk.bvh')\""
show "kane query out/index.db --sql \"SELECT * FROM kane_frames('..')\""
show "kane query out/index.db --sql \"SELECT * FROM kane_frames\""
show "kane query out/index.db --sql \"SELECT max(f.torque) FROM clip c, kane_frames(c.id) f\""
show "kane query out/index.db --sql \"SELECT torqe FROM kane_frames('walk.bvh.h5')\""
show "kane query out/index.db --sql \"SELECT * FROM kane_frames('walk.bvh.h5') WHERE role = 'tail'\" --format tsv"
show "kane query out/index.db --sql \"DELETE FROM kane_frames\""
head -c 30000 out/walk.bvh.h5 > out/cut.h5
show "kane query out/index.db --sql \"SELECT max(torque) FROM kane_frames('cut.h5')\" 2>&1 | sed 's/of [0-9]* bytes/of ... bytes/'"
