/* formats/tables/scene_tables: forces, controllers, limits and other tables beside a scene; results and errors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/model/mjcf.h"
#include "formats/tables/scene_tables.h"
#include "tests/support/test.h"
#include "tests/support/test_folder.h"

static const char *write_table(TestFolder *folder, const char *text)
{
    const char *path = test_folder_file(folder, "table.tsv");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

#define PENDULUM "data/scenes/double_pendulum.xml"

typedef Status ReadScene(const char *path, const Model *model, SceneTables *tables, Error *err);

/* Reads a table for a scene: a file, or its text. */
static Status read_said(const char *scene, ReadScene *read, const char *text, SceneTables *tables, Error *err)
{
    TestFolder folder = test_folder_make();
    MjcfDef limits = mjcf_default_def();
    MjcfRemarks remarks = {0};
    Model model;
    if (strchr(scene, '<'))
        assert_int_equal(mjcf_parse(scene, strlen(scene), &limits, &model, &remarks, err), STATUS_OK);
    else
        assert_int_equal(mjcf_read(scene, &limits, &model, &remarks, err), STATUS_OK);
    Status status = read(write_table(&folder, text), &model, tables, err);
    mjcf_remarks_free(&remarks);
    model_free(&model);
    test_folder_remove(&folder);
    return status;
}

static Status read_for(const char *scene, ReadScene *read, const char *text, SceneTables *tables)
{
    Error err = {0};
    Status status = read_said(scene, read, text, tables, &err);
    if (status)
        assert_true(strlen(err.text) > 10);
    return status;
}

static Status read_scene(ReadScene *read, const char *text, SceneTables *tables)
{
    return read_for(PENDULUM, read, text, tables);
}

#define BALL_SCENE "<mujoco><worldbody><body quat=\"0.6 0.8 0 0\"><joint name=\"hip\" type=\"ball\"/>" \
    "<geom size=\"0.1\"/></body></worldbody></mujoco>"
#define ANGLES "joint\troll_min\troll_max\tpitch_min\tpitch_max\tyaw_min\tyaw_max\n"
#define DRIVES "joint\tangle\tstiffness\tdamping\ttarget\n"

TEST(limits_and_drives_of_balls_are_read)
{
    SceneTables t = {0};
    (void)state;
    assert_int_equal(read_for(BALL_SCENE, scene_limits_read, ANGLES "hip\t-180\t90\t-30\t90\t-10\t180\n", &t),
                     STATUS_OK);
    assert_int_equal(t.angle_limit_count, 1);
    const AngleLimits *a = &t.angle_limit[0].limits;
    assert_true(isinf(a->min.roll) && isinf(a->max.pitch) && isinf(a->max.yaw));
    assert_near(a->max.roll, acos(0), 1e-15);
    assert_near(a->min.yaw, -acos(0) / 9, 1e-15);
    assert_near(a->parent.x, 0.8, 1e-15);
    assert_int_equal(read_for(BALL_SCENE, scene_controllers_read, DRIVES "hip\tpitch\t60\t2\t-0.5\n"
                              "hip\trotation\t60\t2\t0.6 0 -0.8 0\n", &t), STATUS_OK);
    assert_int_equal(t.controller_count, 2);
    assert_int_equal(t.controller[0].driven, DRIVEN_PITCH);
    assert_near(t.controller[1].rotation.y, -0.8, 1e-15);
    const char *const bad[] = {DRIVES "hip\t\t60\t2\t0\n", DRIVES "hip\ttilt\t60\t2\t0\n",
                               DRIVES "hip\trotation\t60\t2\t0.5\n", DRIVES "hip\trotation\t60\t2\t1 1 0 0\n",
                               DRIVES "knee\troll\t60\t2\t0\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(read_for(BALL_SCENE, scene_controllers_read, bad[i], &t), STATUS_BAD_INPUT);
    assert_int_equal(read_for(BALL_SCENE, scene_limits_read, ANGLES "hip\t20\t10\t0\t0\t0\t0\n", &t),
                     STATUS_BAD_INPUT);
    assert_int_equal(read_scene(scene_limits_read, ANGLES "elbow\t-20\t20\t0\t0\t0\t0\n", &t), STATUS_BAD_INPUT);
    scene_tables_free(&t);
}

TEST(drives_and_torques_are_read)
{
    SceneTables tables = {0};
    (void)state;
    assert_int_equal(read_scene(scene_controllers_read, "joint\tstiffness\tdamping\ttarget\nelbow\t60\t2\t-0.5\n",
                                &tables), STATUS_OK);
    assert_int_equal(tables.controller_count, 1);
    assert_int_equal(read_scene(scene_torques_read, "time\tjoint\ttorque\n0\telbow\t0\n1\telbow\t0.5\n", &tables),
                     STATUS_OK);
    assert_true(tables.drive_count > 0);
    scene_tables_free(&tables);
}

/* Tables without effect: no rows, or a force at a single time. */
TEST(tables_without_effect_are_refused)
{
    SceneTables tables = {0};
    (void)state;
    assert_int_equal(read_scene(scene_controllers_read, "joint\tstiffness\tdamping\ttarget\n", &tables),
                     STATUS_BAD_INPUT);
    assert_int_equal(read_scene(scene_torques_read, "time\tjoint\ttorque\n", &tables), STATUS_BAD_INPUT);
    assert_int_equal(read_scene(scene_torques_read, "time\tjoint\ttorque\n0\telbow\t1\n", &tables),
                     STATUS_BAD_INPUT);
    scene_tables_free(&tables);
}

TEST(particle_grids_are_read)
{
    SceneTables tables = {0};
    (void)state;
    assert_int_equal(read_scene(scene_particles_read,
                                "nx\tny\tnz\tx\ty\tz\tspacing\tmass\tstiffness\tdamping\tbody\tface\n"
                                "3\t2\t4\t0\t0\t5\t0.05\t0.002\t40\t0.01\t\t\n", &tables), STATUS_OK);
    assert_int_equal(tables.grid_count, 1);
    scene_tables_free(&tables);
}

TEST(invalid_drives_and_torques_are_refused)
{
    SceneTables tables = {0};
    (void)state;
    assert_int_not_equal(read_scene(scene_controllers_read, "joint\tstiffness\tdamping\ttarget\nhip\t60\t2\t0\n",
                                    &tables), STATUS_OK);
    assert_int_not_equal(read_scene(scene_torques_read, "time\tjoint\ttorque\n1\telbow\t0\n1\telbow\t1\n", &tables),
                         STATUS_OK);
    assert_int_not_equal(read_scene(scene_torques_read, "time\tjoint\n0\telbow\n", &tables), STATUS_OK);
    assert_int_not_equal(read_scene(scene_torques_read, "time\tjoint\ttorque\n0\t\t0\n", &tables), STATUS_OK);
    assert_int_not_equal(read_scene(scene_controllers_read,
                                    "joint\tstiffness\tdamping\ttarget\nelbow\t-1\t2\t0\n", &tables), STATUS_OK);
    scene_tables_free(&tables);
}

TEST(invalid_grids_are_refused)
{
    static const char *const wrong[] = {
        "3\t2\t4\t0\t0\t5\t0.05\t0.002\t40\t0.01\tnobody\t+z\n", "0\t2\t4\t0\t0\t5\t0.05\t0.002\t40\t0.01\t\t\n",
        "3\t2.5\t4\t0\t0\t5\t0.05\t0.002\t40\t0.01\t\t\n", "3\t2\t4\t0\t0\t5\t0\t0.002\t40\t0.01\t\t\n",
        "3\t2\t4\t0\t0\t5\t0.05\t0\t40\t0.01\t\t\n", "3\t2\t4\t0\t0\t5\t0.05\t0.002\t-1\t0.01\t\t\n",
        "3\t2\t4\t0\t0\t5\t0.05\t0.002\t40\t0.01\tworld\tz\n", "3\t2\t4\t0\t0\t5\tx\t0.002\t40\t0.01\t\t\n",
    };
    SceneTables tables = {0};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[256];
        snprintf(text, sizeof text, "nx\tny\tnz\tx\ty\tz\tspacing\tmass\tstiffness\tdamping\tbody\tface\n%s", wrong[i]);
        assert_int_equal(read_scene(scene_particles_read, text, &tables), STATUS_BAD_INPUT);
    }
    assert_int_equal(tables.grid_count, 0);
    scene_tables_free(&tables);
}

/* Forces of a body in order, each with its moment about the origin: its couple plus that of the force at its point. */
TEST(forces_on_bodies_are_read)
{
    TestFolder folder = test_folder_make();
    Skeleton s;
    SceneTables tables = {0};
    (void)state;
    assert_int_equal(skeleton_init(&s, 2, 0, NULL), STATUS_OK);
    skeleton_set_name(&s, 0, "a", NULL);
    skeleton_set_name(&s, 1, "b", NULL);
    s.parent[1] = 0;
    const char *path = write_table(&folder, "time\tjoint\tfx\tfy\tfz\tpx\tpy\tpz\ttx\tty\ttz\n"
                                            "0\tb\t0\t2\t0\t3\t0\t0\t0\t0\t1\n1\tb\t4\t0\t0\t0\t0\t0\t0\t0\t0\n");
    assert_int_equal(scene_forces_read(path, &s, &tables, NULL), STATUS_OK);
    assert_int_equal(tables.drive_count, 1);
    assert_int_equal(tables.drive[0].body, 1);
    assert_int_equal(tables.drive[0].joint, -1);
    assert_int_equal(tables.drive[0].row_count, 2);
    assert_vec3_near(tables.drive[0].force[1], vec3(4, 0, 0), 0);
    assert_vec3_near(tables.drive[0].moment[0], vec3(0, 0, 7), 1e-15);
    scene_tables_free(&tables);
    skeleton_free(&s);
    test_folder_remove(&folder);
}

#define GRID "nx\tny\tnz\tx\ty\tz\tspacing\tmass\tstiffness\tdamping\tbody\tface\n1\t1\t1\t0\t0\t1\t0.1\t1\t0\t0\t\t\n"
#define TORQUE "joint\ttime\ttorque\n"
#define DRIVE "joint\tstiffness\tdamping\ttarget\n"
#define HOLD "body\tto\tkind\n"

/* Errors of a table, with line, column and column name. */
TEST(invalid_cell_is_reported)
{
    static const struct {
        ReadScene *read;
        const char *text, *words;
        int line, column;
    } cases[] = {
        {scene_particles_read, GRID "1\t0\t1\t0\t0\t1\t.1\t1\t0\t0\t\t\n", "1 particle or more", 3, 3},
        {scene_particles_read, GRID "1\t1\t1.5\t0\t0\t1\t.1\t1\t0\t0\t\t\n", "1 particle or more", 3, 5},
        {scene_particles_read, GRID "100001\t1\t1\t0\t0\t1\t.1\t1\t0\t0\t\t\n", "1 particle or more", 3, 1},
        {scene_particles_read, GRID "1\t1\t1\t0\t0\t1\t0\t1\t0\t0\t\t\n", "spacing and mass must be above 0", 3, 13},
        {scene_particles_read, GRID "1\t1\t1\t0\t0\t1\t.1\t1\t0\t0\tlower\t\n", "face: expected -x, +x", 3, 28},
        {scene_particles_read, GRID "1\t1\t1\t0\t0\t1\t.1\t1\t0\t0\tfoot\t+x\n", "unknown body \"foot\"", 3, 22},
        {scene_particles_read, GRID "1\t1\t1\t0\t?\t1\t.1\t1\t0\t0\t\t\n", "\"y\": expected a number, found \"?\"",
         3, 9},
        {scene_torques_read, TORQUE "elbow\t0\t1\nelbow\t0\t2\n", "time 0 of joint elbow comes after 0", 3, 7},
        {scene_torques_read, TORQUE "elbow\t0\t1\nelbov\t1\t2\n", "elbov", 3, 1},
        {scene_torques_read, "joint\ttorque\nelbow\t1\n", "missing column \"time\"", 0, 0},
        {scene_torques_read, TORQUE, "no rows", 0, 0},
        {scene_controllers_read, DRIVE "elbow\t1\t-1\t0\n", "a drive has a stiffness or damping below 0", 2, 7},
        {scene_controllers_read, DRIVE "elbow\t1\tx\t0\n", "\"damping\": expected a number, found \"x\"", 2, 9},
        {scene_attachments_read, HOLD "world\tupper\trigid\n", "the world cannot be attached", 2, 1},
        {scene_attachments_read, HOLD "lower\tupper\tsoft\n", "kind: expected rigid or point", 2, 13},
        {scene_attachments_read, HOLD "lower\thand\tpoint\n", "unknown body \"hand\"", 2, 7},
        {scene_attachments_read, HOLD "\tworld\tpoint\n", "unknown body \"\"", 2, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SceneTables tables = {0};
        Error err = {0};
        assert_int_equal(read_said(PENDULUM, cases[i].read, cases[i].text, &tables, &err), STATUS_BAD_INPUT);
        if (!strstr(err.text, cases[i].words) || err.line != cases[i].line || err.column != cases[i].column)
            fail_msg("%s\n-> %d:%d: %s", cases[i].text, err.line, err.column, err.text);
        scene_tables_free(&tables);
    }
}

TEST(static_body_is_refused_by_name)
{
    SceneTables tables = {0};
    Error err = {0};
    const char *post = "<mujoco><worldbody><body name=\"post\"><geom size=\"0.1\"/></body></worldbody></mujoco>";
    const char *edge = "kind\tbody\tx\ty\tz\tax\tay\taz\nedge\tpost\t0\t0\t0\t0\t1\t0\n";
    assert_int_equal(read_said(post, scene_rolling_read, edge, &tables, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "body \"post\" does not move"));
    scene_tables_free(&tables);
}

/* Compliance of contacts, for a geom that can collide and for one that cannot. */
TEST(contact_compliance_needs_a_colliding_geom)
{
    const char *scene = "<mujoco><worldbody><geom name=\"floor\" type=\"plane\" size=\"1 1 1\"/>"
                        "<body name=\"ball\" pos=\"0 0 1\"><freejoint/><geom name=\"skin\" size=\"0.1\"/>"
                        "<geom name=\"core\" size=\"0.05\" contype=\"0\" conaffinity=\"0\"/>"
                        "</body></worldbody></mujoco>";
    const char *core = "kind\tname\tcompliance\ttime_constant\ngeom\tcore\t1e-3\t0\n";
    static const struct { const char *row; SceneSoftPart part; int index; } kept[] = {
        {"geom\tskin\t1e-3\t0.02\n", SOFT_GEOM, 1}, {"body\tball\t1e-3\t0.02\n", SOFT_BODY, 1}};
    for (int i = 0; i < 2; i++) {
        SceneTables tables = {0};
        char text[128];
        snprintf(text, sizeof text, "kind\tname\tcompliance\ttime_constant\n%s", kept[i].row);
        assert_int_equal(read_for(scene, scene_compliance_read, text, &tables), STATUS_OK);
        assert_int_equal(tables.compliance_count, 1);
        assert_int_equal(tables.compliance[0].part, kept[i].part);
        assert_int_equal(tables.compliance[0].index, kept[i].index);
        assert_near(tables.compliance[0].compliance, 1e-3, 0);
        assert_near(tables.compliance[0].time, 0.02, 0);
        scene_tables_free(&tables);
    }
    SceneTables tables = {0};
    Error err = {0};
    assert_int_equal(read_said(scene, scene_compliance_read, core, &tables, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "\"core\" has no contacts"));
    scene_tables_free(&tables);
}

TEST(table_cells_are_stored_in_their_fields)
{
    SceneTables t = {0};
    (void)state;
    assert_int_equal(read_scene(scene_particles_read, GRID "3\t2\t4\t5\t6\t7\t8\t9\t10\t11\tlower\t+y\n", &t),
                     STATUS_OK);
    assert_int_equal(t.grid_count, 2);
    assert_int_equal(t.grid[0].body, -1);
    const ParticleGrid *g = &t.grid[1];
    assert_int_equal(g->size[0] * 100 + g->size[1] * 10 + g->size[2], 324);
    assert_vec3_near(g->corner, vec3(5, 6, 7), 0);
    assert_near(g->spacing, 8, 0);
    assert_near(g->mass, 9, 0);
    assert_near(g->stiffness, 10, 0);
    assert_near(g->damping, 11, 0);
    assert_int_equal(g->face, 3);
    assert_true(g->body > 0);
    assert_int_equal(read_scene(scene_controllers_read, DRIVE "elbow\t60\t2\t-0.5\nelbow\t0\t0\t1\n", &t), STATUS_OK);
    assert_int_equal(t.controller_count, 2);
    assert_near(t.controller[0].stiffness, 60, 0);
    assert_near(t.controller[0].damping, 2, 0);
    assert_near(t.controller[0].target, -0.5, 0);
    assert_int_equal(read_scene(scene_torques_read, TORQUE "elbow\t0\t4\nelbow\t2\t5\n", &t), STATUS_OK);
    assert_int_equal(t.drive_count, 1);
    assert_int_equal(t.drive[0].row_count, 2);
    assert_near(t.drive[0].time[1], 2, 0);
    assert_vec3_near(t.drive[0].force[1], vec3(5, 0, 0), 0);
    assert_int_equal(read_scene(scene_attachments_read, HOLD "lower\tworld\tpoint\nlower\tupper\trigid\n", &t),
                     STATUS_OK);
    assert_int_equal(t.attachment_count, 2);
    assert_true(t.attachment[0].turns && !t.attachment[1].turns);
    assert_int_equal(t.attachment[0].to, 0);
    assert_int_equal(t.attachment[0].body, g->body);
    scene_tables_free(&t);
}
