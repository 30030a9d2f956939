/* Inverse dynamics against measured trials with reference moments (../shared/groundtruth): net joint moments from BVH,
 * segments and measured forces, without smoothing. Frames and measures as in its score.py. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/motion/kinematics.h"
#include "formats/base/table.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "formats/tables/external_table.h"
#include "formats/tables/body_table.h"
#include "tests/support/read_bvh.h"

enum { LEG_JOINTS = 6 };
static const char *const leg_joints[LEG_JOINTS] = {"RightUpLeg", "RightLeg", "RightFoot",
                                                   "LeftUpLeg",  "LeftLeg",  "LeftFoot"};

/* Path of a file of a trial, from a format with the variant; 0 if the shared data are absent. */
static int trial_path(char *path, size_t size, const char *trial, const char *format, const char *variant)
{
    const char *shared = getenv("KANE_SHARED");
    char file[128];
    snprintf(file, sizeof file, format, variant);
    snprintf(path, size, "%s/groundtruth/trials/%s/%s", shared ? shared : "../shared", trial, file);
    return access(path, R_OK) == 0;
}

static void read_table(Table *t, const char *trial, const char *format, const char *variant)
{
    char path[1024];
    assert_true(trial_path(path, sizeof path, trial, format, variant));
    assert_int_equal(table_read_path(path, t, NULL), STATUS_OK);
}

static double cell(const Table *t, int row, const char *name)
{
    double value;
    assert_true(table_find(t, name) >= 0);
    assert_int_equal(table_number(t, row, table_find(t, name), &value, NULL), STATUS_OK);
    return value;
}

/* Clip with motion, body and kinematics of a trial, and its loads. */
static void read_trial(Clip *c, Loads *loads, const char *trial, const char *filter, const char *skeleton,
                       DifferenceScheme scheme)
{
    char path[1024], variant[64];
    Bvh bvh;
    SourceDef limits = source_default_def();
    ImportGuessDef evidence = import_guess_default_def();
    ImportGuess decision;
    DifferenceDef difference = difference_default_def();
    ExternalRows rows;
    difference.scheme = scheme;
    evidence.meters_per_unit = 0.01;
    evidence.up = UP_Y;
    evidence.keep_first_frame = 1;
    snprintf(variant, sizeof variant, "%s_%s_%s", trial, filter, skeleton);
    assert_true(trial_path(path, sizeof path, trial, "%s.bvh", variant));
    assert_int_equal(read_bvh(path, &limits, &bvh, NULL), STATUS_OK);
    *c = (Clip){0};
    assert_int_equal(clip_from_bvh(&bvh, &evidence, c, &decision, NULL), STATUS_OK);
    bvh_free(&bvh);
    assert_true(trial_path(path, sizeof path, trial, "segments_%s.tsv", skeleton));
    assert_int_equal(segments_read(path, &c->skeleton, &c->body, NULL), STATUS_OK);
    assert_true(trial_path(path, sizeof path, trial, "external.tsv", ""));
    assert_int_equal(external_read(path, &c->skeleton, &rows, NULL), STATUS_OK);
    assert_int_equal(loads_from_external(&rows, &c->motion, loads, NULL), STATUS_OK);
    external_rows_free(&rows);
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(differentiate(&view, &difference, &c->kinematics, NULL), STATUS_OK);
}

/* Frames in which each contact is on a plate, except two at either end. */
static int first_and_last_valid(const char *trial, int *last)
{
    Table t;
    int first = -1;
    read_table(&t, trial, "grf.tsv", "");
    for (int f = 0; f < t.row_count; f++)
        if (cell(&t, f, "valid") > 0) {
            first = first < 0 ? f : first;
            *last = f;
        }
    assert_true(first >= 0);
    table_free(&t);
    *last -= 2;
    return first + 2 > 2 ? first + 2 : 2;
}

/* RMS over valid frames of the norm of a joint's moment error. */
static double moment_error(const Clip *c, const Table *reference, const Table *grf, const char *joint, int first,
                           int last)
{
    char name[3][64];
    double sum = 0;
    int frames = 0, j = skeleton_find(&c->skeleton, joint);
    assert_true(j >= 0);
    for (int i = 0; i < 3; i++)
        snprintf(name[i], sizeof name[i], "%s_M%c", joint, "xyz"[i]);
    for (int f = first; f <= last; f++) {
        if (!(cell(grf, f, "valid") > 0))
            continue;
        Vec3 expected = vec3(cell(reference, f, name[0]), cell(reference, f, name[1]), cell(reference, f, name[2]));
        Vec3 error = vec3_sub(c->dynamics.torque[motion_index(&c->motion, f, j)], expected);
        sum += vec3_dot(error, error);
        frames++;
    }
    assert_true(frames > 20);
    return sqrt(sum / frames);
}

/* Mean moment error over hips, knees and ankles, N m. */
static double leg_error(const Clip *c, const char *trial, const char *filter)
{
    Table reference, grf;
    double sum = 0;
    int last = 0, first = first_and_last_valid(trial, &last);
    read_table(&reference, trial, "moments_net_%s.tsv", filter);
    read_table(&grf, trial, "grf.tsv", "");
    assert_int_equal(reference.row_count, c->motion.frame_count);
    for (int i = 0; i < LEG_JOINTS; i++)
        sum += moment_error(c, &reference, &grf, leg_joints[i], first, last);
    table_free(&reference);
    table_free(&grf);
    return sum / LEG_JOINTS;
}

/* Mean error of a trial, N m, and its mass, kg; 0 if the trial is absent. */
static int trial_error(const char *trial, const char *filter, const char *skeleton, DifferenceScheme scheme,
                       double *error, double *mass)
{
    char path[1024];
    Clip c;
    Loads loads;
    InverseDynamicsDef def = inverse_dynamics_default_def();
    if (!trial_path(path, sizeof path, trial, "grf.tsv", "")) {
        print_message("%s: skipped, no shared data\n", trial);
        return 0;
    }
    read_trial(&c, &loads, trial, filter, skeleton, scheme);
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    assert_int_equal(inverse_dynamics(&view, &loads, &def, &c.dynamics, NULL), STATUS_OK);
    *error = leg_error(&c, trial, filter);
    *mass = c.body.total_mass;
    print_message("%s %s %s %s: %.3f N m, %.4f N m/kg\n", trial, filter, skeleton, difference_scheme_names[scheme],
                  *error, *error / *mass);
    loads_free(&loads);
    clip_free(&c);
    return 1;
}

/* Bounds in N m and N m/kg; 0: not checked. */
static void check_trial(const char *trial, const char *filter, const char *skeleton, double bound, double bound_per_kg)
{
    double error, mass;
    if (!trial_error(trial, filter, skeleton, DIFFERENCE_CENTRAL, &error, &mass))
        return;
    if (bound > 0)
        assert_near(error, 0, bound);
    if (bound_per_kg > 0)
        assert_near(error / mass, 0, bound_per_kg);
}

TEST(exact_joint_centres_recover_walk_torques)
{
    check_trial("walk_rajagopal", "lp6", "exact", 0.2, 0);
}

TEST(fixed_bone_lengths_recover_walk_torques)
{
    check_trial("walk_rajagopal", "lp6", "std", 0, 0.01);
}

TEST(run_and_squat_torques_are_within_bounds)
{
    check_trial("run_rajagopal_rra", "lp20", "exact", 0.2, 0);
    check_trial("run_rajagopal_rra", "lp20", "std", 0, 0.012);
    check_trial("squat_s4", "lp6", "exact", 0.2, 0);
    check_trial("squat_s4", "lp6", "std", 0, 0.01);
}

/* Error of central differences on fast motion with exact positions, compared with five-point differences. */
TEST(five_point_scheme_follows_fast_motions)
{
    static const struct {
        const char *trial, *filter;
        double bound; /* N m/kg */
    } fast[] = {{"run5_h01", "lp10", 0.003}, {"run5_h03", "lp10", 0.003}, {"dj1_ou", "lp10", 0.002}};
    (void)state;
    for (size_t i = 0; i < sizeof fast / sizeof *fast; i++) {
        double central, five, mass;
        if (!trial_error(fast[i].trial, fast[i].filter, "exact", DIFFERENCE_CENTRAL, &central, &mass) ||
            !trial_error(fast[i].trial, fast[i].filter, "exact", DIFFERENCE_FIVE_POINT, &five, &mass))
            continue;
        assert_near(five / mass, 0, fast[i].bound);
        assert_true(five < 0.3 * central);
    }
}
