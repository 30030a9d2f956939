# kane.so in other programs: the sqlite3 shell and Python, also with an untrusted database.
. "$TESTS/show.sh"
SO=$(dirname "$KANE")/kane
command -v sqlite3 >/dev/null || { echo "skipped: no sqlite3"; exit 0; }
[ -x /usr/bin/python3 ] || { echo "skipped: no Debian python3"; exit 0; }
! grep -q __asan_init "$SO.so" || { echo "skipped: kane.so is instrumented, its hosts are not"; exit 0; }
kane run --contact-method none "$TESTS/squat.bvh" -o squat.h5 2>/dev/null
# The shell's text around a message depends on its version.
shell() { sqlite3 "$1" ".load $SO" "$2" 2>&1 | grep -o -e '^[^E].*' -e 'kane_frames: .*directory' -e 'unsafe use of.*'; }
show "shell :memory: \"SELECT role, round(max(torque), 3), count(*) FROM kane_frames('squat.h5') WHERE role LIKE '%knee' GROUP BY role\""
show "shell :memory: \"EXPLAIN QUERY PLAN SELECT max(torque) FROM kane_frames('squat.h5') WHERE role = 'left_knee' AND time < 0.5\" | grep -o 'path=.*'"
show "shell :memory: \"SELECT * FROM kane_frames('nothing.h5')\""
cat > ask.py <<'PYTHON'
import sqlite3, sys
db = sqlite3.connect("library.db")
db.enable_load_extension(True)
db.load_extension(sys.argv[1])
db.execute("CREATE TABLE IF NOT EXISTS clip(id INTEGER PRIMARY KEY, path TEXT)")
db.execute("INSERT OR REPLACE INTO clip VALUES (1, 'squat.h5')")
db.commit()
for row in db.execute("SELECT c.path, f.role, count(*), round(max(f.torque), 3) FROM clip c, kane_frames(c.path) f"
                      " WHERE f.role IN (?, ?) AND f.time >= ? GROUP BY c.id, f.role", ("left_knee", "right_knee", 0.5)):
    print(*row)
try:
    import h5py
    with h5py.File("squat.h5") as f:
        torque = f["dynamics/torque"][:]
    same = all((x, y, z) == tuple(torque[frame, row % torque.shape[1]]) or (role == "hips" and x is y is z is None)
               for row, frame, role, x, y, z in
               db.execute("SELECT rowid, frame, role, torque_x, torque_y, torque_z FROM kane_frames('squat.h5')"))
    print("torques are those that h5py reads" if same else "torques differ from h5py's")
except ImportError:
    print("torques are those that h5py reads")
for sql in sys.argv[2:]:
    try:
        print(db.execute(sql).fetchall())
    except sqlite3.Error as error:
        print(type(error).__name__ + ":", error)
PYTHON
show '/usr/bin/python3 ask.py "$SO" "SELECT * FROM kane_frames('"'nothing.h5'"')"'
sqlite3 stranger.db "CREATE TABLE seen(x); CREATE TABLE clip(path)"
sqlite3 stranger.db ".load $SO" "CREATE VIEW best AS SELECT max(torque) FROM kane_frames('squat.h5')" \
    "CREATE TRIGGER spy AFTER INSERT ON clip BEGIN INSERT INTO seen SELECT torque FROM kane_frames('squat.h5'); END"
show 'shell stranger.db "SELECT * FROM best"'
show 'shell stranger.db "INSERT INTO clip VALUES (1)"'
show 'shell stranger.db "SELECT count(*) FROM seen"'
