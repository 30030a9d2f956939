/* springs/springs and formats/tables/spring_tables: how springs reduce joint torques, and invalid tables. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "formats/tables/spring_tables.h"
#include "tests/support/random_clip.h"

enum { JOINTS = 6, FRAMES = 4 };

static Clip clip;

static int make_clip(void **state)
{
    (void)state;
    if (!random_clip_init(&clip, JOINTS, FRAMES, 11))
        return -1;
    for (int j = 0; j < JOINTS; j++) {
        char name[16];
        snprintf(name, sizeof name, "j%d", j);
        if (skeleton_set_name(&clip.skeleton, j, name, NULL))
            return -1;
    }
    return 0;
}

static int drop_clip(void **state)
{
    (void)state;
    clip_free(&clip);
    return 0;
}

static void write_text(char *path, const char *text)
{
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static Status read_texts(const char *text, const char *laws, Springs *springs, Error *err)
{
    char path[] = "/tmp/kane_springs_XXXXXX", law_path[] = "/tmp/kane_laws_XXXXXX";
    write_text(path, text);
    if (laws)
        write_text(law_path, laws);
    SpringFiles files = {.springs = path, .laws = laws ? law_path : NULL};
    Status status = springs_read(&files, &clip.skeleton, springs, err);
    unlink(path);
    unlink(law_path);
    return status;
}

static Status read_text(const char *text, Springs *springs, Error *err)
{
    return read_texts(text, NULL, springs, err);
}

#define HEADER "name\tkind\tjoint_a\tax\tay\taz\tjoint_b\tbx\tby\tbz\tstiffness\tdamping\trest\n"

static void solve(const Springs *springs, Dynamics *out)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    Loads loads = {0};
    *out = (Dynamics){0};
    if (springs)
        assert_int_equal(springs_loads(springs, &clip.kinematics, NULL, &loads, NULL), STATUS_OK);
    ClipView view = {&clip.skeleton, &clip.body, &clip.motion, &clip.kinematics};
    assert_int_equal(inverse_dynamics(&view, &loads, &def, out, NULL), STATUS_OK);
    loads_free(&loads);
}

/* A bushing that resists rotation reduces the torque of its joint by its own moment, and no other torque. */
TEST(rotational_bushing_reduces_its_joint_torque)
{
    Springs s;
    Dynamics bare, held;
    char text[512];
    snprintf(text, sizeof text, HEADER "disc\tturning\tj%d\t0\t0\t0\tj5\t0\t0\t0\t40\t3\t0\n", clip.skeleton.parent[5]);
    assert_int_equal(read_text(text, &s, NULL), STATUS_OK);
    solve(NULL, &bare);
    solve(&s, &held);
    for (int f = 0; f < FRAMES; f++) {
        size_t row = (size_t)f * JOINTS, child = row + 5, parent = row + (size_t)clip.skeleton.parent[5];
        const Kinematics *k = &clip.kinematics;
        Vec3 turn = quat_rotate(k->orientation[parent], quat_log(clip.motion.rotation[child]));
        Vec3 spin = vec3_sub(k->angular_velocity[child], k->angular_velocity[parent]);
        Vec3 moment = vec3_mad(vec3_scale(turn, -80), -3, spin);
        assert_vec3_near(vec3_add(held.torque[child], moment), bare.torque[child], 1e-9);
        for (int j = 0; j < 5; j++)
            assert_vec3_near(held.torque[row + (size_t)j], bare.torque[row + (size_t)j], 1e-9);
    }
    dynamics_free(&bare);
    dynamics_free(&held);
    springs_free(&s);
}

static const char every_kind[] =
    HEADER
    "cruciate\tligament\tj1\t0.1\t0\t0\tj3\t0\t0.1\t0\t500\t10\t0.01\n"
    "rod\taxial\tj0\t0\t0\t0.1\tj4\t0\t0\t0\t300\t5\t0.4\n"
    "truss\tstress\tj2\t0\t0\t0\tj5\t0.1\t0\t0\t90\t0\t0.2\n"
    "achilles\tpath\tj0\t0\t0\t0\tj2\t0.1\t0\t0\t900\t20\t0.1\n"
    "achilles\tpassive\tj2\t0.1\t0\t0\tj2\t0\t0.1\t0\t0\t0\t0\n"
    "achilles\tpath\tj2\t0\t0.1\t0\tj5\t0\t0\t0\t0\t0\t0\n"
    "disc\ttranslation\tj3\t0\t0.1\t0\tj1\t0\t0\t0\t800\t9\t0\n";

/* Springs between bodies are internal: the root residual is unchanged; with one to the world it changes. */
TEST(internal_springs_do_not_change_the_residual)
{
    Springs s;
    Dynamics bare, held;
    assert_int_equal(read_text(every_kind, &s, NULL), STATUS_OK);
    assert_int_equal(s.count, 7);
    solve(NULL, &bare);
    solve(&s, &held);
    for (int f = 0; f < FRAMES; f++) {
        double change = 0;
        for (int j = 1; j < JOINTS; j++)
            change += vec3_distance(held.torque[f * JOINTS + j], bare.torque[f * JOINTS + j]);
        assert_true(change > 1);
        assert_vec3_near(held.residual_force[f], bare.residual_force[f], 1e-8);
    }
    dynamics_free(&held);
    springs_free(&s);
    assert_int_equal(read_text(HEADER "rope\taxial\tworld\t0\t0\t0\tj4\t0\t0\t0\t300\t0\t0\n", &s, NULL), STATUS_OK);
    solve(&s, &held);
    for (int f = 0; f < FRAMES; f++)
        assert_vec3_near(vec3_mad(held.residual_force[f], -300, clip.kinematics.position[f * JOINTS + 4]),
                         bare.residual_force[f], 1e-8);
    dynamics_free(&held);
    dynamics_free(&bare);
    springs_free(&s);
}

/* World position and velocity of a spring's attachment point on a joint. */
typedef struct End {
    Vec3 x, v;
} End;

static End end_of(int frame, int joint, Vec3 point)
{
    const Kinematics *k = &clip.kinematics;
    int at = frame * JOINTS + joint;
    Vec3 arm = quat_rotate(k->orientation[at], point);
    return (End){vec3_add(k->position[at], arm), vec3_add(k->velocity[at], vec3_cross(k->angular_velocity[at], arm))};
}

/* Power of a spring on the bodies, from its length and rate, W. */
static double expected_power(const SpringElement *e, int count, int frame)
{
    double length = 0, rate = 0;
    End a = {{0, 0, 0}, {0, 0, 0}}, b = a;
    for (int i = 0; i < count; i++) {
        a = end_of(frame, e[i].joint_a, e[i].a);
        b = end_of(frame, e[i].joint_b, e[i].b);
        double own = vec3_distance(a.x, b.x);
        length += e[i].kind == SPRING_PASSIVE ? 0 : own;
        rate += e[i].kind == SPRING_PASSIVE ? 0 : vec3_dot(vec3_sub(b.x, a.x), vec3_sub(b.v, a.v)) / own;
    }
    double stretch = length / e->rest, pull = e->stiffness * (length - e->rest) + e->damping * rate;
    if (e->kind == SPRING_STRESS)
        return -e->stiffness * 0.5 * (stretch * stretch - 1) * length * rate;
    if (e->kind == SPRING_TRANSLATION) { /* damping relative to a frame that rotates with the mean of both */
        const Vec3 *omega = clip.kinematics.angular_velocity + frame * JOINTS;
        Vec3 mean = vec3_scale(vec3_add(omega[e->joint_a], omega[e->joint_b]), 0.5);
        Vec3 v = vec3_sub(vec3_sub(b.v, a.v), vec3_cross(mean, vec3_sub(b.x, a.x)));
        return -e->stiffness * length * rate - e->damping * vec3_dot(v, v);
    }
    return -(e->kind == SPRING_AXIAL ? pull : fmax(pull, 0)) * rate;
}

/* For any motion, a damped bushing with separate ends has zero net force and moment, and dissipates energy. */
TEST(damped_bushing_has_no_net_force_or_moment)
{
    Springs s;
    assert_int_equal(read_text(HEADER "pad\ttranslation\tj2\t0.2\t0.1\t0\tj5\t0\t-0.3\t0.1\t0\t500\t0\n", &s, NULL),
                     STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        const Kinematics *k = &clip.kinematics;
        size_t row = (size_t)f * JOINTS;
        Vec3 force[JOINTS] = {{0, 0, 0}}, moment[JOINTS] = {{0, 0, 0}};
        SpringPose pose = {k->position + row, k->orientation + row, k->velocity + row, k->angular_velocity + row};
        springs_add(&s, &pose, force, moment);
        assert_true(vec3_norm(force[2]) > 1);
        assert_vec3_near(vec3_add(force[2], force[5]), vec3(0, 0, 0), 1e-9);
        assert_vec3_near(vec3_add(moment[2], moment[5]), vec3(0, 0, 0), 1e-9);
        double power = 0;
        for (int j = 2; j < JOINTS; j += 3) {
            Vec3 about = vec3_sub(moment[j], vec3_cross(pose.position[j], force[j]));
            power += vec3_dot(force[j], pose.velocity[j]) + vec3_dot(about, pose.angular_velocity[j]);
        }
        assert_true(power < 0);
    }
    springs_free(&s);
}

TEST(spring_power_reduces_joint_power)
{
    Springs s;
    Dynamics bare, held;
    const int first[] = {0, 1, 2, 3, 6}, count[] = {1, 1, 1, 3, 1};
    assert_int_equal(read_text(every_kind, &s, NULL), STATUS_OK);
    solve(NULL, &bare);
    for (int i = 0; i < 5; i++) {
        Springs one = {count[i], s.element + first[i]};
        double max = 0;
        solve(&one, &held);
        for (int f = 0; f < FRAMES; f++) {
            double saved = 0, expected = expected_power(one.element, one.count, f);
            for (int j = 0; j < JOINTS; j++)
                saved += bare.power[f * JOINTS + j] - held.power[f * JOINTS + j];
            assert_near(saved, expected, 1e-8 * (1 + fabs(expected)));
            max = fmax(max, fabs(expected));
        }
        assert_true(max > 1);  /* nonzero work */
        dynamics_free(&held);
    }
    dynamics_free(&bare);
    springs_free(&s);
}

/* Loads are additive: two tables give twice the force. */
TEST(spring_loads_add_to_other_loads)
{
    Springs s;
    Loads once, twice;
    assert_int_equal(read_text(every_kind, &s, NULL), STATUS_OK);
    assert_int_equal(springs_loads(&s, &clip.kinematics, NULL, &once, NULL), STATUS_OK);
    assert_int_equal(springs_loads(&s, &clip.kinematics, &once, &twice, NULL), STATUS_OK);
    assert_int_equal(twice.load_count, once.load_count);
    for (int i = 0; i < FRAMES * once.load_count; i++)
        assert_vec3_near(twice.force[i], vec3_scale(once.force[i], 2), 1e-10);
    loads_free(&once);
    loads_free(&twice);
    springs_free(&s);
}

static void assert_refused(const char *text, int line, const char *words)
{
    Springs s;
    Error err = {0};
    char place[16] = ": "; /* of a file as a whole */
    if (line)
        snprintf(place, sizeof place, ":%d:", line);
    assert_int_equal(read_text(text, &s, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, place));
    assert_non_null(strstr(err.text, words));
    assert_null(s.element);
}

/* Role names make one table valid for skeletons with different joint names. */
TEST(joint_is_found_by_role)
{
    Springs s;
    clip.skeleton.role[3] = ROLE_LEFT_KNEE;
    const char text[] = HEADER "a\taxial\tj1\t0\t0\t0\tleft_knee\t0\t0\t0\t1\t0\t0\n";
    assert_int_equal(read_text(text, &s, NULL), STATUS_OK);
    assert_int_equal(s.element[0].joint_a, 1);
    assert_int_equal(s.element[0].joint_b, 3);
    springs_free(&s);
    clip.skeleton.role[3] = ROLE_NONE;
    assert_refused(text, 2, "left_knee");
}

/* The pose of frame 0 advanced by its velocities for h; arrays of JOINTS. */
static SpringPose pose_after(double h, Vec3 *x, Quat *q)
{
    const Kinematics *k = &clip.kinematics;
    for (int j = 0; j < JOINTS; j++) {
        x[j] = vec3_mad(k->position[j], h, k->velocity[j]);
        q[j] = quat_mul(quat_exp(vec3_scale(k->angular_velocity[j], 0.5 * h)), k->orientation[j]);
    }
    return (SpringPose){x, q, k->velocity, k->angular_velocity};
}

/* The work of undamped springs on the bodies equals the loss of spring energy, for each kind, including slack ones. A
 * passive segment is on one body: between two the sheath would do work. */
TEST(spring_energy_equals_work_of_the_bodies)
{
    static const char *const rows[] = {
        "a\taxial\tj0\t.1\t0\t0\tj4\t0\t.2\t0\t300\t0\t.1\n",
        "a\tligament\tj1\t.1\t0\t0\tj5\t0\t.2\t0\t300\t0\t.01\n",
        "a\tligament\tj1\t.1\t0\t0\tj5\t0\t.2\t0\t300\t0\t50\n",
        "a\tstress\tj2\t.1\t0\t0\tj3\t0\t.2\t0\t300\t0\t.4\n",
        "a\tpath\tj0\t.1\t0\t0\tj1\t0\t.2\t0\t300\t0\t.2\na\tpassive\tj1\t0\t.2\t0\tj1\t0\t.3\t0\t0\t0\t0\n"
        "a\tpath\tj1\t0\t.3\t0\tj5\t0\t0\t.1\t0\t0\t0\n",
        "a\ttranslation\tworld\t.1\t0\t0\tj4\t0\t.2\t0\t300\t0\t0\n",
        "a\tturning\tj3\t0\t0\t0\tj4\t0\t0\t0\t300\t0\t0\n",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        Springs s;
        Vec3 x[JOINTS], force[JOINTS] = {{0, 0, 0}}, moment[JOINTS] = {{0, 0, 0}};
        Quat q[JOINTS];
        double h = 1e-5, power = 0;
        snprintf(text, sizeof text, "%s%s", HEADER, rows[i]);
        assert_int_equal(read_text(text, &s, NULL), STATUS_OK);
        SpringPose pose = pose_after(h, x, q);
        double later = springs_energy(&s, &pose);
        pose = pose_after(-h, x, q);
        double rate = (later - springs_energy(&s, &pose)) / (2 * h);
        pose = pose_after(0, x, q);
        springs_add(&s, &pose, force, moment);
        for (int j = 0; j < JOINTS; j++)
            power += vec3_dot(force[j], pose.velocity[j]) +
                     vec3_dot(vec3_sub(moment[j], vec3_cross(x[j], force[j])), pose.angular_velocity[j]);
        assert_near(rate, -power, 1e-6 * (1 + fabs(power)));
        assert_true(i == 2 ? springs_energy(&s, &pose) == 0 : springs_energy(&s, &pose) > 0);
        springs_free(&s);
    }
}

#define WITH_LAW "name\tkind\tjoint_a\tax\tay\taz\tjoint_b\tbx\tby\tbz\tstiffness\tdamping\trest\tlaw\n"
#define TURNED "name\tkind\tjoint_a\tax\tay\taz\tjoint_b\tbx\tby\tbz\tstiffness\tdamping\trest" \
               "\trotation_ax\trotation_bz\n"

static SpringPose first_pose(void)
{
    const Kinematics *k = &clip.kinematics;
    return (SpringPose){k->position, k->orientation, k->velocity, k->angular_velocity};
}

TEST(law_is_read_in_any_order_of_its_rows)
{
    Springs s;
    assert_int_equal(read_texts(WITH_LAW "a\taxial\tj0\t0\t0\t0\tj1\t0\t0\t0\t0\t0\t0\tband\n",
                                "law\tlength\trate\tforce\nband\t0.3\t1\t8\nother\t1\t1\t1\nband\t0.1\t-1\t1\n"
                                "band\t0.3\t-1\t4\nband\t0.1\t1\t2\n", &s, NULL), STATUS_OK);
    const SpringLaw *law = s.element->law;
    const double force[] = {1, 2, 4, 8};
    assert_int_equal(law->length_count, 2);
    assert_int_equal(law->rate_count, 2);
    assert_near(law->length[1], 0.3, 0);
    assert_near(law->rate[0], -1, 0);
    for (int i = 0; i < 4; i++)
        assert_near(law->force[i], force[i], 0);
    springs_free(&s);
}

TEST(invalid_force_laws_are_reported)
{
    const char *rows[][2] = {
        {"law\tlength\trate\tforce\nband\t0.3\t1\t8\nband\t0.1\t-1\t1\n", "2 rows of 2 lengths and 2 rates"},
        {"law\tlength\trate\tforce\nband\t0.3\t0\t8\nband\t0.3\t0\t8\nband\t0.1\t0\t1\n", "3 rows of 2 lengths"},
        {"law\tlength\trate\tforce\nband\t0.3\t0\t8\nband\t0.3\t0\t8\nband\t0.1\t1\t1\nband\t0.1\t0\t1\n",
         "two rows of length 0.3 and rate 0"},
        {"law\tlength\trate\tforce\nrope\t0.3\t0\t8\nrope\t0.1\t0\t8\n", "unknown law \"band\""},
        {"law\tlength\tforce\n", "rate"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Springs s;
        Error err = {0};
        assert_int_not_equal(read_texts(WITH_LAW "a\taxial\tj0\t0\t0\t0\tj1\t0\t0\t0\t0\t0\t0\tband\n", rows[i][0], &s,
                                        &err), STATUS_OK);
        assert_non_null(strstr(err.text, rows[i][1]));
    }
    assert_refused(WITH_LAW "a\taxial\tj0\t0\t0\t0\tj1\t0\t0\t0\t0\t0\t0\tband\n", 2, "requires --spring-laws");
}

/* Each kind of spring has zero force in its initial rest pose, and a nonzero one later. */
TEST(spring_at_initial_rest_has_no_force)
{
    static const char *const kinds[] = {"axial", "ligament", "quadratic", "path", "translation", "rotational"};
    SpringPose start = first_pose(), later = start;
    later.position += JOINTS * (FRAMES - 1);
    later.orientation += JOINTS * (FRAMES - 1);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        Springs s;
        char text[512];
        Vec3 force[JOINTS] = {{0}}, moment[JOINTS] = {{0}};
        snprintf(text, sizeof text, HEADER "a\t%s\tj1\t0.1\t0.2\t0\tj4\t0\t0.1\t0\t700\t0\tstart\n", kinds[i]);
        assert_int_equal(read_text(text, &s, NULL), STATUS_OK);
        springs_settle(&s, &start);
        springs_add(&s, &start, force, moment);
        for (int j = 0; j < JOINTS; j++) {
            assert_near(vec3_norm(force[j]), 0, 1e-9);
            assert_near(vec3_norm(moment[j]), 0, 1e-9);
        }
        assert_near(springs_energy(&s, &start), 0, 1e-12);
        double min = springs_energy(&s, &later);
        assert_true(!strcmp(kinds[i], "ligament") || !strcmp(kinds[i], "path") || min > 1e-3);
        springs_free(&s);
    }
}

/* A frame rotated by the rotation vector of its body is at rest in the body's orientation. */
TEST(rotated_frame_rests_at_its_rotation_vector)
{
    Springs s;
    SpringPose pose = first_pose();
    Quat turn[JOINTS];
    memcpy(turn, pose.orientation, sizeof turn);
    turn[3] = quat_mul(turn[2], quat_mul(quat_from_axis_angle(vec3(1, 0, 0), 0.4),
                                         quat_from_axis_angle(vec3(0, 0, 1), -0.9)));
    pose.orientation = turn;
    Vec3 force[JOINTS] = {{0}}, moment[JOINTS] = {{0}};
    assert_int_equal(read_text(TURNED "a\trotational\tj2\t0\t0\t0\tj3\t0\t0\t0\t50\t0\t0\t0.4\t0.9\n", &s, NULL),
                     STATUS_OK);
    springs_add(&s, &pose, force, moment);
    assert_near(vec3_norm(moment[3]), 0, 1e-12);
    turn[3] = quat_mul(turn[3], quat_from_axis_angle(vec3(0, 0, 1), 0.2));
    springs_add(&s, &pose, force, moment);
    assert_vec3_near(moment[3], vec3_scale(quat_rotate(turn[3], vec3(0, 0, 1)), -10), 1e-11);
    springs_free(&s);
    assert_refused(TURNED "a\taxial\tj2\t0\t0\t0\tj3\t0\t0\t0\t50\t0\t0\t\t0.9\n", 2, "no frames to rotate");
    assert_refused(TURNED "a\trotational\tj2\t0\t0\t0\tj3\t0\t0\t0\t50\t0\tstart\t\t0.9\n", 2, "rests at the start");
}

TEST(invalid_rows_report_line)
{
    assert_refused(HEADER "a\trope\tj0\t0\t0\t0\tj1\t0\t0\t0\t1\t0\t0\n", 2, "unknown kind \"rope\"");
    assert_refused(HEADER "a\taxial\tj0\t0\t0\t0\tj1\t0\t0\t0\t1\t0\t0\n"
                          "a\taxial\tj9\t0\t0\t0\tj1\t0\t0\t0\t1\t0\t0\n", 3,
                   "unknown joint or role \"j9\"");
    assert_refused(HEADER "a\taxial\tj0\t0\t0\t0\tj1\t0\t0\t0\t-1\t0\t0\n", 2, "negative");
    assert_refused(HEADER "a\taxial\tj0\t0\t0\t0\tj1\t0\t0\t0\tstiff\t0\t0\n", 2, "stiffness");
    assert_refused(HEADER "a\tturning\tj0\t0\t0\t0\tj1\t0\t0\t0\t1\t0\t0.1\n", 2, "rest must be 0");
    assert_refused(HEADER "a\tstress\tj0\t0\t0\t0\tj1\t0\t0\t0\t1\t0\t0\n", 2, "rest above 0");
    assert_refused(HEADER "a\tpath\tj0\t0\t0\t0\tj1\t0\t0\t0\t1\t0\t0\na\tpath\tj1\t1\t0\t0\tj2\t0\t0\t0\t0\t0\t0\n", 3,
                   "where its last segment ended");
    assert_refused("name\tkind\n", 0, "joint_a");
}

TEST_GROUP(make_clip, drop_clip)
