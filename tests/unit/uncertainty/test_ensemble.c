/* analysis/uncertainty/ensemble: ensemble design, noise, and the full method compared with the fast one. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/uncertainty/body_terms.h"
#include "analysis/uncertainty/ensemble.h"
#include "analysis/uncertainty/recording_noise.h"
#include "analysis/uncertainty/spread_terms.h"
#include "analysis/uncertainty/torque_uncertainty.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/pipeline.h"
#include "pipeline/stages/uncertainty.h"
#include "tests/support/single_term.h"

static Clip *walk_with(const char *how)
{
    Pipeline pipeline = pipeline_defaults();
    OptionGroup groups[PIPELINE_GROUPS];
    Clip *clip = calloc(1, sizeof *clip);
    Error err;
    int count = pipeline_groups(&pipeline, groups);
    for (int i = 0; i < count; i++)
        if (groups[i].stage && !strcmp(groups[i].stage->name, "torque")) {
            const Option *option = option_find(groups[i].options, "uncertainty");
            void *value = (char *)groups[i].values + option->offset;
            assert_int_equal(option->kind->parse(option, how, value, &err), STATUS_OK);
        }
    assert_int_equal(pipeline_open(&pipeline, "data/walk.bvh", clip, NULL, &err), STATUS_OK);
    assert_int_equal(pipeline_run(&pipeline, clip, NULL, &err), STATUS_OK);
    return clip;
}

static void clip_destroy(Clip *clip)
{
    clip_free(clip);
    free(clip);
}

/* Balanced and orthogonal design: the variance over members is the sum of squares of the effects. */
TEST(columns_are_orthogonal)
{
    for (int a = 0; a < ENSEMBLE_COLUMNS; a++)
        for (int b = 0; b <= a; b++) {
            int sum = 0, both = 0;
            for (int m = 0; m < ENSEMBLE_MEMBERS; m++) {
                sum += ensemble_level(m, a);
                both += ensemble_level(m, a) * ensemble_level(m, b);
            }
            assert_int_equal(sum, 0);
            assert_int_equal(both, a == b ? ENSEMBLE_MEMBERS : 0);
        }
}

/* Without a filter: of the given size, zero mean, and reproducible. */
TEST(noise_has_its_standard_deviation)
{
    enum { FRAMES = 4000 };
    Motion a = {0}, b = {0};
    double sum = 0, square = 0;
    (void)state;
    assert_int_equal(motion_init(&a, FRAMES, 1, 0.01, 0, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++)
        a.rotation[f] = (Quat){1, 0, 0, 0};
    assert_int_equal(motion_copy(&b, &a, NULL), STATUS_OK);
    assert_int_equal(recording_noise_add(0.01, 8, 3, &a, NULL), STATUS_OK);
    assert_int_equal(recording_noise_add(0.01, 8, 3, &b, NULL), STATUS_OK);
    assert_memory_equal(a.rotation, b.rotation, FRAMES * sizeof *a.rotation);
    for (int f = 0; f < FRAMES; f++) {
        sum += 2 * a.rotation[f].y;
        square += 4 * a.rotation[f].y * a.rotation[f].y;
    }
    assert_near(sum / FRAMES, 0, 0.001);
    /* fraction of white noise up to 50 Hz that passes an 8 Hz filter: its noise bandwidth is slightly larger */
    assert_near(sqrt(square / FRAMES), 0.01 * sqrt(8.0 / 50), 0.0008);
    assert_int_equal(recording_noise_add(0.01, 8, 4, &b, NULL), STATUS_OK);
    assert_true(memcmp(a.rotation, b.rotation, FRAMES * sizeof *a.rotation) != 0);
    motion_free(&a);
    motion_free(&b);
}

/* Each joint in each frame has noise, and the root path that of a lever arm of half a metre. */
TEST(noise_reaches_every_joint)
{
    enum { FRAMES = 2000, JOINTS = 3 };
    Motion m = {0};
    double square[JOINTS + 1] = {0}, expected = 0.01 * sqrt(8.0 / 50);
    (void)state;
    assert_int_equal(motion_init(&m, FRAMES, JOINTS, 0.01, 0, NULL), STATUS_OK);
    for (int i = 0; i < FRAMES * JOINTS; i++)
        m.rotation[i] = QUAT_IDENTITY;
    assert_int_equal(recording_noise_add(0.01, 8, 5, &m, NULL), STATUS_OK);
    for (int f = FRAMES / 2; f < FRAMES; f++) {
        for (int j = 0; j < JOINTS; j++)
            square[j] += 4 * m.rotation[JOINTS * f + j].y * m.rotation[JOINTS * f + j].y;
        square[JOINTS] += 4 * m.root_position[f].y * m.root_position[f].y;
    }
    for (int i = 0; i <= JOINTS; i++)
        assert_near(sqrt(square[i] / (FRAMES / 2)), expected, 0.15 * expected);
    motion_free(&m);
}

TEST(varied_masses_keep_their_sum)
{
    const Clip *clip = *state;
    double size[SPREAD_SIZE_COUNT] = {0}, before = 0, after = 0;
    Body body;
    size[SPREAD_SEGMENT_MASS] = size[SPREAD_FOOT_MASS] = 1;
    for (int group = 0; group < MASS_GROUPS; group++) {
        int changed = 0;
        before = after = 0;
        assert_int_equal(body_copy(&body, &clip->body, NULL), STATUS_OK);
        body_masses_change(&clip->skeleton, group, -1, size, &body);
        for (int j = 0; j < body.joint_count; j++) {
            before += clip->body.mass[j];
            after += body.mass[j];
            changed += body.mass[j] < clip->body.mass[j];
        }
        assert_near(after, before, 1e-9);
        assert_true(changed >= 1);
        body_free(&body);
    }
}

/* RMS standard deviation of a joint over the valid frames. */
static double level(const Clip *clip, Role role)
{
    const Dynamics *d = &clip->dynamics;
    size_t joint = (size_t)skeleton_find_role(&clip->skeleton, role), joints = (size_t)d->joint_count;
    double sum = 0;
    int count = 0;
    for (int f = 0; f < d->frame_count; f++)
        if (clip->kinematics.valid[f]) {
            Vec3 sd = d->torque_sd[(size_t)f * joints + joint];
            sum += vec3_dot(sd, sd);
            count++;
        }
    return sqrt(sum / count);
}

/* The linearised result is of the size of the re-estimated one for loaded joints; the full method does not change the
 * torques. */
TEST(fast_uncertainty_agrees_with_full)
{
    const Clip *full = *state;
    Clip *fast = walk_with("fast");
    const Role role[] = {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE,
                         ROLE_RIGHT_ANKLE};
    for (size_t i = 0; i < sizeof role / sizeof *role; i++) {
        double ratio = level(fast, role[i]) / level(full, role[i]);
        if (!(ratio > 0.7 && ratio < 1.6))
            fail_msg("%s: fast is %.2f of full", role_name(role[i]), ratio);
    }
    size_t values = (size_t)full->dynamics.frame_count * (size_t)full->dynamics.joint_count;
    assert_memory_equal(fast->dynamics.torque, full->dynamics.torque, values * sizeof(Vec3));
    assert_non_null(strstr(full->provenance.history, "torque --uncertainty full"));
    clip_destroy(fast);
}

/* The causes that research/fit_uncertainty.py sums are those of the program, including the cutoff. */
TEST(full_variance_is_the_sum_of_its_terms)
{
    const Clip *full = *state;
    Clip *parts = walk_with("full");
    Loads loads = {0};
    UncertaintyDef def;
    uint8_t *bridged = NULL;
    ClipView view = clip_view(parts);
    size_t values = (size_t)full->dynamics.frame_count * (size_t)full->dynamics.joint_count;
    Vec3 *sum = calloc(values, sizeof *sum), *alone = calloc(SPREAD_TERM_COUNT, sizeof *alone);
    assert_int_equal(loads_from_contact(&parts->contact, &parts->kinematics, &loads, NULL), STATUS_OK);
    assert_int_equal(uncertainty_def(UNCERTAINTY_FULL, parts, 0, &def, NULL), STATUS_OK);
    assert_int_equal(uncertainty_contact(parts, &def, &bridged, NULL), STATUS_OK);
    def.ground_loads = &loads;
    for (int i = 0; i < SPREAD_TERM_COUNT; i++) {
        UncertaintyDef one = single_term(&def, (SpreadTerm)i);
        assert_int_equal(torque_uncertainty(&view, &loads, &one, &parts->dynamics, NULL), STATUS_OK);
        for (size_t k = 0; k < values; k++) {
            Vec3 sd = parts->dynamics.torque_sd[k], square = {sd.x * sd.x, sd.y * sd.y, sd.z * sd.z};
            sum[k] = vec3_add(sum[k], square);
            alone[i] = vec3_add(alone[i], square);
        }
    }
    for (size_t k = 0; k < values; k++)
        assert_near(sqrt(sum[k].z), full->dynamics.torque_sd[k].z, 1e-6 + 1e-6 * sqrt(sum[k].z));
    assert_true(alone[SPREAD_CUTOFF].z > 0 && alone[SPREAD_FILTER].z > 0);
    free(sum);
    free(alone);
    free(bridged);
    loads_free(&loads);
    clip_destroy(parts);
}

TEST(all_lane_widths_give_same_ensemble)
{
    const Clip *full = *state;
    size_t bytes = (size_t)full->dynamics.frame_count * (size_t)full->dynamics.joint_count * sizeof(Vec3);
    setenv("KANE_LANES", "1", 1);
    Clip *scalar = walk_with("full");
    unsetenv("KANE_LANES");
    assert_memory_equal(scalar->dynamics.torque_sd, full->dynamics.torque_sd, bytes);
    assert_memory_equal(scalar->dynamics.torque_correlation, full->dynamics.torque_correlation, bytes);
    clip_destroy(scalar);
}

static int load_full(void **state)
{
    *state = walk_with("full");
    return 0;
}

static int free_full(void **state)
{
    clip_destroy(*state);
    return 0;
}

TEST_GROUP(load_full, free_full)
