# kane check of an index: rows against their checksums, and against the clip files.
. "$TESTS/show.sh"
mkdir in
cp "$TESTS/squat.bvh" in/squat.bvh
cp "$TOP/data/pendulum.bvh" in/pendulum.bvh
printf 'glob\ttag:actor\nsquat*\tAnna\n' >clips.tsv
kane batch in -o out --clips clips.tsv 2>/dev/null
show 'kane check out/index.db'
# a clip file of another run, beside the index
kane run in/squat.bvh --body-mass 90 -o out/squat.bvh.h5 -q 2>/dev/null
show 'kane check out/index.db -j 2'
kane index out/index.db out 2>/dev/null
show 'kane check out/index.db'
rm out/pendulum.bvh.h5
show 'kane check out/index.db'
show 'kane check out/index.db --ignore index-absent'
# a modified number
sqlite3 out/index.db "UPDATE joint_stat SET torque_rms_nm_kg = torque_rms_nm_kg + 1 WHERE role = 'left_knee'"
show 'kane check out/index.db'
sqlite3 out/index.db "UPDATE tag SET value = 'Ben'; INSERT INTO failure VALUES ('x.bvh', 'import', 'no', 1)"
show 'kane check out/index.db --json'
head -c 20000 out/index.db >cut.db
kane check cut.db | sed 's/: .*//' | sort -u
