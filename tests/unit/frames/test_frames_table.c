/* kane_frames in SQL: values equal the clip file's, constraints reduce what is read, an untrusted database reads
 * nothing. */
#include "tests/support/test.h"

#include <hdf5.h>
#include <sqlite3.h>
#include <string.h>

#include "formats/container/container_store.h"
#include "formats/frames/frames_scan.h"
#include "formats/frames/frames_table.h"
#include "tests/support/sample_clip.h"
#include "tests/support/altered_image.h"
#include "tests/support/test_folder.h"

enum { FRAMES = 300, JOINTS = 25, POINTS = 30 }; /* more rows than a block; contact points of two kinds on some
                                                    joints */

typedef struct Fixture {
    TestFolder folder;
    Clip clip;
    sqlite3 *db; /* a file in the folder */
} Fixture;

static int set_up(void **state)
{
    static Fixture fixture;
    Fixture *f = &fixture;
    ContainerDef def = container_default_def();
    *f = (Fixture){.folder = test_folder_make()};
    assert_int_equal(sample_clip(&f->clip, FRAMES, JOINTS, POINTS), 0);
    assert_int_equal(trust_init(&f->clip.trust, FRAMES, JOINTS, 1, NULL), STATUS_OK);
    f->clip.trust.reason[7] = TRUST_TELEPORT;
    f->clip.trust.joint_reason[9 * JOINTS + 4] = TRUST_FLIP;
    trust_settle(&f->clip.trust);
    f->clip.has_trust = 1;
    assert_int_equal(container_store(&f->clip, &def, test_folder_file(&f->folder, "a.h5"), NULL), STATUS_OK);
    assert_int_equal(sqlite3_open(test_folder_file(&f->folder, "index.db"), &f->db), SQLITE_OK);
    assert_int_equal(frames_table_register(f->db), SQLITE_OK);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    sqlite3_close(f->db);
    clip_free(&f->clip);
    test_folder_remove(&f->folder);
    return 0;
}

static double number(const Fixture *f, const char *sql)
{
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(f->db, sql, -1, &row, NULL) != SQLITE_OK || sqlite3_step(row) != SQLITE_ROW)
        fail_msg("%s: %s", sql, sqlite3_errmsg(f->db));
    double value = sqlite3_column_type(row, 0) == SQLITE_NULL ? NAN : sqlite3_column_double(row, 0);
    sqlite3_finalize(row);
    return value;
}

static void assert_fails(const Fixture *f, const char *sql, const char *reason)
{
    char *text = NULL;
    assert_int_not_equal(sqlite3_exec(f->db, sql, NULL, NULL, &text), SQLITE_OK);
    if (!text || !strstr(text, reason))
        fail_msg("%s: \"%s\" does not say \"%s\"", sql, text ? text : "", reason);
    sqlite3_free(text);
}

static void assert_vector(sqlite3_stmt *row, int column, Vec3 v)
{
    assert_true(sqlite3_column_double(row, column) == v.x && sqlite3_column_double(row, column + 1) == v.y &&
                sqlite3_column_double(row, column + 2) == v.z);
    assert_near(sqlite3_column_double(row, column + 3), vec3_norm(v), 1e-15);
}

static Vec3 force_on(const Contact *c, int frame, int joint)
{
    Vec3 sum = {0};
    for (int p = 0; p < c->point_count; p++)
        if (c->point_joint[p] == joint)
            sum = vec3_add(sum, c->force[frame * c->point_count + p]);
    return sum;
}

TEST(rows_equal_the_clip_file)
{
    const Fixture *f = *state;
    sqlite3_stmt *row;
    int count = 0;
    assert_int_equal(sqlite3_prepare_v2(f->db, "SELECT *, rowid FROM kane_frames('a.h5')", -1, &row, NULL), SQLITE_OK);
    for (; sqlite3_step(row) == SQLITE_ROW; count++) {
        int frame = count / JOINTS, joint = count % JOINTS;
        assert_true(sqlite3_column_double(row, FRAME_TIME) == f->clip.motion.time[frame]);
        assert_int_equal(sqlite3_column_int(row, FRAME_NUMBER), frame);
        assert_string_equal(sqlite3_column_text(row, FRAME_JOINT), f->clip.skeleton.name[joint]);
        const char *role = (const char *)sqlite3_column_text(row, FRAME_ROLE);
        assert_string_equal(role ? role : "", role_name(f->clip.skeleton.role[joint]));
        if (joint == 0) { /* the floating base */
            assert_int_equal(sqlite3_column_type(row, FRAME_TORQUE_X), SQLITE_NULL);
            assert_int_equal(sqlite3_column_type(row, FRAME_TORQUE), SQLITE_NULL);
            assert_int_equal(sqlite3_column_type(row, FRAME_POWER), SQLITE_NULL);
            assert_near(sqlite3_column_double(row, FRAME_RESIDUAL), vec3_norm(f->clip.dynamics.residual_torque[frame]),
                        1e-15);
        } else {
            assert_vector(row, FRAME_TORQUE_X, f->clip.dynamics.torque[count]);
            assert_true(sqlite3_column_double(row, FRAME_POWER) == f->clip.dynamics.power[count]);
            assert_int_equal(sqlite3_column_type(row, FRAME_RESIDUAL), SQLITE_NULL);
        }
        assert_int_equal(sqlite3_column_int(row, FRAME_TRUSTED), frame != 7 && !(frame == 9 && joint == 4));
        assert_vector(row, FRAME_ANGULAR_X, f->clip.kinematics.angular_velocity[count]);
        assert_vector(row, FRAME_CONTACT_X, force_on(&f->clip.contact, frame, joint));
        assert_int_equal(sqlite3_column_int(row, FRAME_VALID), f->clip.kinematics.valid[frame]);
        assert_int_equal(sqlite3_column_int(row, FRAME_COLUMN_COUNT - 1), count); /* the path is hidden */
    }
    sqlite3_finalize(row);
    assert_int_equal(count, FRAMES * JOINTS);
}

/* The sample's second joint has the coordinates of the left knee, at indices 3 to 5. */
TEST(coordinates_belong_to_the_joint)
{
    const Fixture *f = *state;
    const JointAngles *a = &f->clip.angles;
    char sql[200];
    for (int frame = 0; frame < FRAMES; frame += 43)
        for (int k = 0; k < COORDINATES_PER_JOINT; k++) {
            static const char *const column[] = {"angle", "moment", "utilization"};
            const double *array[] = {a->angle, a->moment, a->utilization};
            for (int c = 0; c < 3; c++) {
                snprintf(sql, sizeof sql, "SELECT %s_%d FROM kane_frames('a.h5') WHERE frame = %d AND joint = '%s'",
                         column[c], k + 1, frame, f->clip.skeleton.name[1]);
                assert_true(number(f, sql) == array[c][joint_angles_index(a, frame, 3 + k)]);
            }
        }
    assert_near(number(f, "SELECT count(angle_1) FROM kane_frames('a.h5')"), 2 * FRAMES - 1, 0); /* one is unknown */
    assert_near(number(f, "SELECT count(moment_3) FROM kane_frames('a.h5') WHERE role = 'chest'"), 0, 0);
    /* coordinates are named by the joint's role: the second is the spine here */
    assert_near(number(f, "SELECT count(*) FROM kane_frames('a.h5') WHERE coordinate_2 = 'spine_bending'"), FRAMES, 0);
}

/* A WHERE clause selects the same rows as filtering all of them. */
TEST(conditions_filter_rows)
{
    static const char *const conditions[] = {
        "role = 'left_knee'", "joint = 'J \xc3\xa9 c.a'", "role = 'left_knee' AND joint = 'J \xc3\xa9 c.a'",
        "role IN ('left_knee', 'right_knee', 'tail')", "role = NULL", "role IS NULL", "role = ''", "role = 5",
        "role = 'LEFT_KNEE' COLLATE NOCASE", "joint > 'J \xc3\xa9 f.a'",
        "time > 1 AND time <= 1.5", "time = 2.0 / 120 * 60", "time >= '1.25'", "time < 'a'", "time < x'00'",
        "time > NULL",
        "frame = 17", "frame > 17 AND frame <= 21", "frame >= 17.5 AND frame < 20.5", "frame < -1", "frame > 1e300",
        "frame BETWEEN 250 AND 9223372036854775807", "frame = 17.5", "frame IN (3, 5, 299, 300)", "frame = '17'",
        "frame < 5 OR role = 'head'", "time < 1 AND frame > 100 AND role = 'head' AND valid",
        "frame > (SELECT 290)", "frame = 3 AND frame = 4", "frame > 5 AND frame > 280",
    };
    const Fixture *f = *state;
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        char direct[512], copied[512];
        snprintf(direct, sizeof direct, "SELECT count(*) + total(rowid) FROM kane_frames('a.h5') WHERE %s",
                 conditions[i]);
        snprintf(copied, sizeof copied,
                 "WITH t AS MATERIALIZED (SELECT *, rowid AS id FROM kane_frames('a.h5')) "
                 "SELECT count(*) + total(id) FROM t"
                 " WHERE %s", conditions[i]);
        if (number(f, direct) != number(f, copied))
            fail_msg("%s: %g, not %g", conditions[i], number(f, direct), number(f, copied));
    }
}

static void assert_plan(const Fixture *f, const char *where, const char *pushed)
{
    sqlite3_stmt *row;
    char sql[512];
    snprintf(sql, sizeof sql, "EXPLAIN QUERY PLAN SELECT torque FROM kane_frames('a.h5') WHERE %s", where);
    assert_int_equal(sqlite3_prepare_v2(f->db, sql, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    const char *plan = (const char *)sqlite3_column_text(row, 3), *colon = strrchr(plan, ':');
    assert_string_equal(colon ? colon + 1 : plan, pushed);
    sqlite3_finalize(row);
}

TEST(conditions_restrict_the_scan)
{
    const Fixture *f = *state;
    assert_plan(f, "1", "path=");
    assert_plan(f, "role = 'head' AND time > 1 AND time < 2", "path= role= time>= time<=");
    assert_plan(f, "joint = 'a' AND frame BETWEEN 1 AND 2", "path= joint= frame>= frame<=");
    assert_plan(f, "role IN ('head', 'neck') AND frame = 3", "path= role= frame=");
    assert_plan(f, "role = 'head' COLLATE NOCASE", "path=");
}

/* The scan reads only rows of the selected joints and frames, and arrays of the selected columns. */
TEST(scan_reads_only_selected_rows_and_columns)
{
    const Fixture *f = *state;
    FramesSource *source;
    FramesScan scan;
    FramesScanDef def = frames_scan_default_def();
    char path[512];
    snprintf(path, sizeof path, "%s/a.h5", f->folder.path);
    assert_int_equal(frames_source_open(path, &source, NULL), STATUS_OK);
    def.columns = 1u << FRAME_TORQUE;
    def.role = "left_knee";
    def.time_from = f->clip.motion.time[100];
    def.time_to = f->clip.motion.time[110];
    def.frame_to = 107.5;
    assert_int_equal(frames_scan_init(&scan, source, &def, NULL), STATUS_OK);
    assert_int_equal(frames_scan_next(&scan, NULL), STATUS_OK);
    assert_int_equal(scan.first, 100);
    assert_int_equal(scan.row_count, 8);
    for (int c = 0; c < FRAME_COLUMN_COUNT; c++)
        assert_int_equal(scan.column[c] != NULL, c == FRAME_TORQUE);
    assert_near(scan.column[FRAME_TORQUE][7], vec3_norm(f->clip.dynamics.torque[107 * JOINTS + scan.joint[0]]), 1e-15);
    assert_int_equal(frames_scan_next(&scan, NULL), STATUS_OK);
    assert_int_equal(scan.row_count, 0);
    frames_scan_free(&scan);
    frames_source_release(source);
}

/* A numeric column does not read preceding vector columns: one number per row is read. */
TEST(single_value_is_read_without_its_neighbours)
{
    static const FrameColumn alone[] = {FRAME_POWER, FRAME_VALID};
    const Fixture *f = *state;
    FramesSource *source;
    char path[512];
    snprintf(path, sizeof path, "%s/a.h5", f->folder.path);
    assert_int_equal(frames_source_open(path, &source, NULL), STATUS_OK);
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        FramesScan scan;
        FramesScanDef def = frames_scan_default_def();
        def.columns = 1u << alone[i];
        assert_int_equal(frames_scan_init(&scan, source, &def, NULL), STATUS_OK);
        double *behind = scan.raw + (size_t)scan.capacity * JOINTS;
        *behind = -17;
        assert_int_equal(frames_scan_next(&scan, NULL), STATUS_OK);
        assert_int_equal(scan.row_count, scan.capacity * JOINTS);
        assert_true(*behind == -17);
        frames_scan_free(&scan);
    }
    frames_source_release(source);
}

TEST(joins_follow_paths_from_the_database)
{
    const Fixture *f = *state;
    double largest = 0;
    int joint = skeleton_find_role(&f->clip.skeleton, ROLE_LEFT_KNEE);
    for (int i = 0; i < FRAMES; i++)
        largest = fmax(largest, vec3_norm(f->clip.dynamics.torque[i * JOINTS + joint]));
    assert_int_equal(sqlite3_exec(f->db,
                                  "CREATE TABLE clip(id, path); INSERT INTO clip VALUES (1, 'a.h5'), (2, './a.h5')",
                                  NULL, NULL, NULL), SQLITE_OK);
    assert_near(number(f, "SELECT total(peak) FROM (SELECT max(f.torque) AS peak FROM clip c, kane_frames(c.path) f"
                          " WHERE f.role = 'left_knee' GROUP BY c.id)"), 2 * largest, 1e-15);
    assert_near(number(f, "SELECT count(*) FROM kane_frames('a.h5') a JOIN kane_frames('a.h5') b USING (frame, joint)"
                          " WHERE a.frame < 10 AND b.frame < 10 AND a.torque_x = b.torque_x"), 10 * (JOINTS - 1), 0);
    assert_near(number(f, "SELECT count(*) FROM clip LEFT JOIN kane_frames(NULL) f"), 2, 0);
    /* a known path that must also equal that of another table with a known path */
    assert_near(number(f, "SELECT count(*) FROM kane_frames('a.h5') a JOIN kane_frames((SELECT path FROM clip)) b"
                          " ON a.path = b.path AND a.frame = b.frame AND a.joint = b.joint"), FRAMES * JOINTS, 0);
    /* a name that an aggregate keeps while the next file is read */
    assert_near(number(f, "SELECT length(f.joint) FROM clip c, kane_frames(c.path) f ORDER BY f.torque DESC LIMIT 1"),
                number(f, "SELECT length(joint) FROM "
                          "(SELECT f.joint, max(f.torque) FROM clip c, kane_frames(c.path) f)"), 0);
}

TEST(order_of_frames_needs_no_sorting)
{
    const Fixture *f = *state;
    assert_near(number(f, "SELECT count(*) FROM (SELECT frame, lag(frame) OVER (ORDER BY frame) AS before"
                          " FROM kane_frames('a.h5')) WHERE frame < before"), 0, 0);
    assert_near(number(f, "SELECT frame FROM kane_frames('a.h5') ORDER BY time LIMIT 1"), 0, 0);
    assert_near(number(f, "SELECT frame FROM kane_frames('a.h5') ORDER BY time DESC LIMIT 1"), FRAMES - 1, 0);
    assert_near(number(f, "SELECT frame FROM kane_frames('a.h5') WHERE joint IN ('J \xc3\xa9 a.a', 'J \xc3\xa9 b.a')"
                          " ORDER BY frame LIMIT 1 OFFSET 3"), 1, 0);
}

TEST(errors_state_the_file)
{
    const Fixture *f = *state;
    assert_fails(f, "SELECT * FROM kane_frames('nothing.h5')", "kane_frames: nothing.h5: cannot read: No such file");
    assert_fails(f, "SELECT * FROM kane_frames('index.db')", "kane_frames: index.db: ");
    assert_fails(f, "SELECT * FROM kane_frames('/dev/zero')", "/dev/zero: not a file");
    assert_fails(f, "SELECT * FROM kane_frames", "expected the path");
    assert_fails(f, "SELECT * FROM kane_frames('')", "expected the path"); /* not the folder of the database */
    assert_fails(f, "SELECT * FROM kane_frames(1)", "expected the path");  /* such as clip.id */
    assert_fails(f, "SELECT * FROM kane_frames(x'612e6835')", "expected the path");
    assert_near(number(f, "SELECT count(*) FROM kane_frames('a.h5')"), FRAMES * JOINTS, 0); /* the next query works */
}

/* Stores the sample with one change. */
typedef void Change(Clip *clip);
static void time_stands_still(Clip *c) { c->motion.time[3] = c->motion.time[2]; }
static void parent_follows(Clip *c) { c->skeleton.parent[2] = 3; }
static void point_of_nobody(Clip *c) { c->contact.point_joint[1] = JOINTS; }
static void coordinate_of_nobody(Clip *c) { c->angles.joint[3] = JOINTS; }

static const char *store_changed(const Fixture *f, Change *change)
{
    static char path[512];
    Clip clip, sound;
    ContainerDef def = container_default_def();
    snprintf(path, sizeof path, "%s/changed.h5", f->folder.path);
    assert_int_equal(sample_clip(&clip, FRAMES, JOINTS, POINTS), 0);
    assert_int_equal(sample_clip(&sound, FRAMES, JOINTS, POINTS), 0);
    if (change) {
        change(&clip);
        altered_file(&sound, &clip, path);
    } else {
        assert_int_equal(container_store(&clip, &def, path, NULL), STATUS_OK);
    }
    clip_free(&sound);
    clip_free(&clip);
    return path;
}

TEST(inconsistent_clip_files_are_refused)
{
    static const struct { Change *change; const char *words; } cases[] = {
        {time_stands_still, "/time does not grow at frame 3"},
        {parent_follows, "/skeleton/parent is not a tree"},
        {point_of_nobody, "/contact/point_joint: unknown joint"},
        {coordinate_of_nobody, "/angles/joint_index: unknown joint"},
    };
    const Fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        store_changed(f, cases[i].change);
        assert_fails(f, "SELECT * FROM kane_frames('changed.h5')", cases[i].words);
    }
}

/* A dataset removed, as another program may do. */
TEST(clip_files_without_required_datasets_are_refused)
{
    static const char *const cases[][2] = {{"/time", "/time is missing"},
                                           {"/joint", "/joint is missing"},
                                           {"/skeleton/role", "/skeleton/role is missing"}};
    const Fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hid_t file = H5Fopen(store_changed(f, NULL), H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(file >= 0);
        assert_true(H5Ldelete(file, cases[i][0], H5P_DEFAULT) >= 0);
        assert_true(H5Fclose(file) >= 0);
        assert_fails(f, "SELECT * FROM kane_frames('changed.h5')", cases[i][1]);
    }
}

/* Nothing in a database can make an application's statement read a clip file. */
TEST(views_and_triggers_cannot_read_clip_files)
{
    static const char *const planted[] = {
        "CREATE VIEW evil AS SELECT max(torque) AS t FROM kane_frames('a.h5')",
        "CREATE TABLE seen(x); CREATE TABLE bait(x); CREATE TRIGGER evil AFTER INSERT ON bait BEGIN INSERT INTO seen"
        " SELECT torque FROM kane_frames('a.h5'); END",
    };
    const Fixture *f = *state;
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++)
        assert_int_equal(sqlite3_exec(f->db, planted[i], NULL, NULL, NULL), SQLITE_OK);
    assert_fails(f, "SELECT * FROM evil", "unsafe use of virtual table");
    assert_fails(f, "INSERT INTO bait VALUES (1)", "unsafe use of virtual table");
    assert_fails(f, "CREATE VIRTUAL TABLE evil USING kane_frames('a.h5')", "evil");
    assert_fails(f, "CREATE VIRTUAL TABLE other USING kane_frames", "no such module");
    assert_fails(f, "DELETE FROM kane_frames WHERE path = 'a.h5'", "may not be modified");
}

TEST_GROUP(set_up, tear_down)
