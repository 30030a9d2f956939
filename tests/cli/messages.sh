# Messages are helpful, exit codes show whether input or usage is wrong, and untrusted input is not read without limit.
. "$TESTS/show.sh"
cp "$TOP/data/walk.bvh" .
kane batch walk.bvh -o lib 2>messages
kane run walk.bvh -o walk.h5 2>messages

echo '## wrong questions end with 2, damaged indexes with 1'
show 'kane query lib/index.db --sql "SELECT * FROM pragma_database_list"'
show "kane query lib/index.db --sql \"SELECT load_extension('x')\""
sed 's/TABLE joint_stat(/TABLE joint_stax(/' lib/index.db >damaged.db
show 'kane query damaged.db @hardest'
python3 - <<'PY'
import shutil, sqlite3
shutil.copy("lib/index.db", "lacking.db")
db = sqlite3.connect("lacking.db")
db.execute("DROP TABLE clip_summary")
db.commit()
PY
show 'kane query lacking.db "duration_s > 0"'
show 'kane query lacking.db --sql "SELECT path FROM clip_summary"'
show 'kane query lib/index.db "durtion_s > 0"'

echo '## files that are not what they seem'
printf 'Kaydara FBX Binary  \000' >take.bvh
printf '; FBX 7.3.0 project file\n' >text.bvh
show 'kane run take.bvh'
show 'kane check text.bvh'
show 'kane run walk.h5'
printf ':version 1.10\n:name VICON\n' >walk.asf
printf '\002P' | cat - /dev/zero | head -c 515 >walk.c3d && printf T >>walk.c3d && head -c 600 /dev/zero >>walk.c3d
printf '{"asset": {"version": "2.0"}}\n' >walk.gltf
show 'kane run walk.asf'
show 'kane check walk.c3d'
show 'kane import walk.gltf'
show 'kane smooth walk.c3d -o no.h5'
show 'kane batch walk.c3d -o no'
sed 's/^Frame Time:.*/Frame Time: 0,0333/' walk.bvh >comma.bvh
show 'kane run comma.bvh -o no.h5'
show 'kane run walk.bvh --smooth-cutoff 6,5 -o no.h5'
printf 'role\ttorque_nm\nleft_knee\t0,5\n' >limits.tsv
show 'kane query lib/index.db @within limits.tsv'
awk '/CHANNELS/ && ++n == 3 {next} {print}' walk.bvh >still.bvh
show 'kane run still.bvh -o no.h5'
head -n 136 walk.bvh | sed 's/^Frames:.*/Frames: 3/' >short.bvh
kane run short.bvh -o short.h5 2>messages
show 'kane info short.h5 | grep contact'

echo '## options'
show 'kane run walk.bvh --mass 60 -o no.h5'
show 'kane run walk.c3d -o no.h5'
show 'kane run walk.bvh --import-fps 1e60 -o no.h5'
show 'kane import walk.bvh --fps 1e-60 -o no.h5'
show 'kane run walk.bvh --cutof=6 -o no.h5'
show 'kane body --zzzz walk.h5'
show 'kane query lib/index.db --order "--x" --limit 1 2>&1 | tail -n 1'
show 'kane query -h | head -n 1'

echo '## the group may write what the umask says'
(umask 002 && kane batch walk.bvh -o shared 2>messages)
show "stat -c '%a %n' shared/*"

echo '## reads that end'
# A build with AddressSanitizer requires more memory than any limit: it runs without one.
bounded() { (ulimit -v "$1"; kane --version >/dev/null 2>&1) || set -- unlimited "$2"; (ulimit -v "$1"; shift; show "$*"); }
bounded 700000 'kane query lib/index.db @within /dev/zero'
bounded 700000 'kane retarget --map /dev/zero --to walk.bvh walk.h5 -o no.h5 2>&1 | tail -n 1'
bounded 700000 'kane torque --springs /dev/zero walk.h5 -o no.h5'
bounded 3000000 'kane contact --external /dev/zero walk.h5 -o no.h5'
bounded 700000 'kane run /dev/zero -o no.h5'
bounded 700000 'yes | kane run - -o no.h5'
bounded 700000 '(cat walk.bvh; yes "1 2 3") | kane run - --max-frames 2000 -o no.h5'
bounded 700000 '(echo HIERARCHY; yes " ") | kane run - --max-joints 100 -o no.h5'
show 'cat walk.bvh | kane import - --max-frames 181 | kane info | head -n 1'
