/* analysis/uncertainty/torque_uncertainty: effect of each cause on the torques of a walk, compared with the mechanics
 * in closed form. */
#include "analysis/motion/smooth.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/kinematics.h"
#include "analysis/stats/joint_peaks.h"
#include "analysis/stats/joint_series.h"
#include "analysis/uncertainty/body_terms.h"
#include "analysis/uncertainty/ground_terms.h"
#include "analysis/uncertainty/residual_term.h"
#include "analysis/uncertainty/spread_terms.h"
#include "analysis/uncertainty/torque_covariance.h"
#include "analysis/uncertainty/torque_uncertainty.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/pipeline.h"
#include "tests/support/zeroed_dynamics.h"

typedef struct Walk {
    Clip clip;
    Loads loads;
    int left_hip, left_knee, left_ankle;
} Walk;

static Walk *walk_new(void)
{
    Walk *w = calloc(1, sizeof *w);
    Pipeline pipeline = pipeline_defaults();
    Error err;
    assert_int_equal(pipeline_open(&pipeline, "data/walk.bvh", &w->clip, NULL, &err), STATUS_OK);
    assert_int_equal(pipeline_run(&pipeline, &w->clip, NULL, &err), STATUS_OK);
    assert_int_equal(loads_from_contact(&w->clip.contact, &w->clip.kinematics, &w->loads, &err), STATUS_OK);
    w->left_hip = skeleton_find_role(&w->clip.skeleton, ROLE_LEFT_HIP);
    w->left_knee = skeleton_find_role(&w->clip.skeleton, ROLE_LEFT_KNEE);
    w->left_ankle = skeleton_find_role(&w->clip.skeleton, ROLE_LEFT_ANKLE);
    return w;
}

static int load_walk(void **state)
{
    *state = walk_new();
    return 0;
}

static int free_walk(void **state)
{
    Walk *w = *state;
    loads_free(&w->loads);
    clip_free(&w->clip);
    free(w);
    return 0;
}

static UncertaintyDef def_of(const Walk *w)
{
    UncertaintyDef def = uncertainty_default_def(SPREAD_FAST);
    def.ground = GROUND_ESTIMATED;
    def.ground_loads = &w->loads;
    def.filter.cutoff = 8;
    return def;
}

/* With a single cause of this size. */
static void spread_by(Walk *w, SpreadTerm term, double size)
{
    UncertaintyDef def = def_of(w);
    ClipView view = clip_view(&w->clip);
    memset(def.size, 0, sizeof def.size);
    def.size[term] = size;
    def.size[SPREAD_SCALE] = 1;
    assert_int_equal(torque_uncertainty(&view, &w->loads, &def, &w->clip.dynamics, NULL), STATUS_OK);
}

static size_t at(const Walk *w, int frame, int joint)
{
    return (size_t)frame * (size_t)w->clip.skeleton.joint_count + (size_t)joint;
}

/* A frame with single support of the left foot. */
static int stance(const Walk *w)
{
    for (int f = 0; f < w->clip.contact.frame_count; f++) {
        const Vec3 *foot = &w->clip.contact.foot_force[(size_t)f * FOOT_COUNT];
        if (foot[FOOT_LEFT].y > 500 && foot[FOOT_RIGHT].y == 0)
            return f;
    }
    fail();
    return 0;
}

TEST(sd_along_a_direction_follows_the_covariance)
{
    const Vec3 effect[2] = {{1, 2, -0.5}, {-0.3, 0.8, 2}}, along = {0.6, 0, 0.8};
    TorqueCovariance spread;
    Dynamics d = {0};
    (void)state;
    assert_int_equal(torque_covariance_init(&spread, 1, 2, NULL), STATUS_OK);
    assert_int_equal(zeroed_dynamics(&d, 1, 2), STATUS_OK);
    for (int i = 0; i < 2; i++)
        torque_covariance_add(&spread, 1, effect[i]);
    assert_int_equal(dynamics_add_spread(&d, NULL), STATUS_OK);
    torque_covariance_write(&spread, 0, 0, 1, &d);
    double a = vec3_dot(effect[0], along), b = vec3_dot(effect[1], along);
    assert_near(torque_sd_along(d.torque_sd[1], d.torque_correlation[1], along), sqrt(a * a + b * b), 1e-14);
    assert_near(d.torque_sd[1].y, sqrt(4 + 0.64), 1e-14);
    torque_covariance_free(&spread);
    dynamics_free(&d);
}

static const LaneWidth widths[] = {LANES_SCALAR, LANES_PAIR, LANES_AVX2, LANES_AVX512};
enum { WIDTHS = sizeof widths / sizeof *widths, TORQUES = 27 };

/* Against the formulas written out; 27 torques leave a partial block at every width above 1. */
TEST(all_lane_widths_give_same_covariance_bits)
{
    Vec3 a[TORQUES], b[TORQUES], sd[TORQUES], correlation[TORQUES];
    (void)state;
    for (int i = 0; i < TORQUES; i++) {
        a[i] = i % 9 == 4 ? vec3(0, 1, 0) : vec3(sin(i), cos(3.0 * i), 40 * sin(5.0 * i));
        b[i] = i % 9 == 4 ? vec3(0, 0, 0) : vec3(cos(i), sin(2.0 * i), 0.1 * i);
    }
    for (int max = 0; max < 4; max += 3)
        for (int w = 0; w < WIDTHS; w++) {
            TorqueCovariance spread, expected;
            Dynamics d = {0};
            LaneWidth width = lane_width_choose(widths[w]);
            assert_int_equal(torque_covariance_init(&spread, 1, TORQUES, NULL), STATUS_OK);
            assert_int_equal(torque_covariance_init(&expected, 1, TORQUES, NULL), STATUS_OK);
            assert_int_equal(zeroed_dynamics(&d, 1, TORQUES), STATUS_OK);
            assert_int_equal(dynamics_add_spread(&d, NULL), STATUS_OK);
            for (int round = 0; round < 2; round++) {
                size_t left = LANE_TWIN(covariance_differences, width)(1.3, max, a, b, TORQUES, spread.covariance);
                assert_int_equal(left, TORQUES - TORQUES % (int)width);
                covariance_differences_scalar(1.3, max, a + left, b + left, TORQUES - left, spread.covariance + left);
                for (size_t i = 0; i < TORQUES; i++) {
                    Vec3 effect = vec3_scale(vec3_sub(a[i], b[i]), 1.3);
                    double over = max > 0 ? vec3_dot(effect, effect) / (3.0 * max * max) : 0;
                    torque_covariance_add(&expected, i, vec3_scale(effect, 1 / sqrt(1 + over)));
                }
            }
            assert_memory_equal(spread.covariance, expected.covariance, TORQUES * sizeof(Sym3));
            expected.covariance[1].xx = -1e-30; /* a rounding error */
            expected.covariance[2].xy = 2 * expected.covariance[2].xx + 2 * expected.covariance[2].yy;
            expected.covariance[3].yz = -expected.covariance[2].xy - 9 * expected.covariance[3].zz;
            LANE_TWIN(covariance_spreads, width)(expected.covariance, 0.7, TORQUES, sd, correlation);
            torque_covariance_write(&expected, 0, 0, 0.7, &d);
            for (size_t i = 0; i < TORQUES; i++) {
                const Sym3 *c = &expected.covariance[i];
                Vec3 root = {sqrt(fmax(0, c->xx)), sqrt(c->yy), sqrt(fmax(0, c->zz))}, scaled = vec3_scale(root, 0.7);
                Vec3 of = {root.x > 0 ? fmax(-1, fmin(1, c->xy / (root.x * root.y))) : 0,
                           root.x > 0 && root.z > 0 ? fmax(-1, fmin(1, c->xz / (root.x * root.z))) : 0,
                           root.z > 0 ? fmax(-1, fmin(1, c->yz / (root.y * root.z))) : 0};
                assert_memory_equal(&sd[i], &scaled, sizeof scaled);
                assert_memory_equal(&correlation[i], &of, sizeof of);
                assert_memory_equal(&d.torque_sd[i], i > 0 ? &sd[i] : &(Vec3){0}, sizeof(Vec3));
                assert_memory_equal(&d.torque_correlation[i], i > 0 ? &of : &(Vec3){0}, sizeof(Vec3));
            }
            assert_true(sd[1].x == 0 && correlation[2].x == 1 && correlation[3].z == -1 && correlation[4].x == 0);
            torque_covariance_free(&spread);
            torque_covariance_free(&expected);
            dynamics_free(&d);
        }
}

/* 181 frames leave a partial block at every width above 1. */
TEST(all_lane_widths_give_same_body_term_bits)
{
    Walk *w = *state;
    UncertaintyDef def = def_of(w);
    ClipView view = clip_view(&w->clip);
    SpreadCase c = {&view, &w->loads, &w->clip.dynamics, def.size, def.filter};
    TorqueCovariance first = {0};
    size_t count = (size_t)w->clip.dynamics.frame_count * (size_t)w->clip.skeleton.joint_count;
    assert_int_equal(w->clip.dynamics.frame_count % 8, 5);
    for (int i = 0; i < WIDTHS; i++) {
        TorqueCovariance spread;
        c.filter.difference.lanes = widths[i];
        assert_int_equal(torque_covariance_init(&spread, w->clip.dynamics.frame_count, w->clip.skeleton.joint_count,
                                                NULL), STATUS_OK);
        for (size_t k = 0; k < count; k++)
            spread.covariance[k].xy = sin((double)k);
        assert_int_equal(body_terms_add(&c, &spread, NULL), STATUS_OK);
        if (i == 0) {
            first = spread;
            continue;
        }
        assert_memory_equal(spread.covariance, first.covariance, count * sizeof(Sym3));
        torque_covariance_free(&spread);
    }
    assert_true(first.covariance[at(w, 180, w->left_knee)].xx > 0);
    torque_covariance_free(&first);
}

/* An error d of the centre of pressure changes each torque above the foot by d x F. */
TEST(centre_of_pressure_error_affects_the_whole_leg)
{
    Walk *w = *state;
    int f = stance(w);
    spread_by(w, SPREAD_PRESSURE_SIDE, 0.01);
    Vec3 force = w->clip.contact.foot_force[(size_t)f * FOOT_COUNT + FOOT_LEFT];
    const int leg[3] = {w->left_ankle, w->left_knee, w->left_hip};
    Vec3 first = w->clip.dynamics.torque_sd[at(w, f, leg[0])];
    assert_near(vec3_dot(first, first), 1e-4 * (vec3_dot(force, force)), 1e-4 * 0.1 * vec3_dot(force, force));
    for (int i = 1; i < 3; i++)
        assert_vec3_near(w->clip.dynamics.torque_sd[at(w, f, leg[i])], first, 1e-12);
    int right = skeleton_find_role(&w->clip.skeleton, ROLE_RIGHT_KNEE);
    assert_vec3_near(w->clip.dynamics.torque_sd[at(w, f, right)], vec3(0, 0, 0), 0);
}

/* A force error acts by its lever arm: more at the hip than at the ankle. */
TEST(lean_error_is_proportional_to_its_lever)
{
    Walk *w = *state;
    int f = stance(w);
    const Contact *c = &w->clip.contact;
    spread_by(w, SPREAD_LEAN_ALONG, 0.02);
    double vertical = c->foot_force[(size_t)f * FOOT_COUNT + FOOT_LEFT].y;
    Vec3 hip = w->clip.kinematics.position[at(w, f, w->left_hip)];
    Vec3 sd = w->clip.dynamics.torque_sd[at(w, f, w->left_hip)];
    double arm = hip.y - w->clip.contact.ground_height;
    assert_near(sqrt(sd.x * sd.x + sd.z * sd.z), 0.02 * vertical * arm, 0.06 * 0.02 * vertical * arm);
    Vec3 ankle = w->clip.dynamics.torque_sd[at(w, f, w->left_ankle)];
    assert_true(vec3_norm(ankle) < 0.2 * vec3_norm(sd));
}

TEST(joint_centre_error_acts_across_the_force)
{
    Walk *w = *state;
    spread_by(w, SPREAD_JOINT_CENTRE, 0.01);
    for (int j = 0; j < w->clip.skeleton.joint_count; j++) {
        Vec3 force = w->clip.dynamics.force[at(w, 40, j)], sd = w->clip.dynamics.torque_sd[at(w, 40, j)];
        assert_near(vec3_dot(sd, sd), j > 0 ? 2e-4 * vec3_dot(force, force) : 0, 1e-9);
    }
}

/* A hand with its centre of mass off by 1 cm affects the whole arm equally, and no leg. */
TEST(hand_centre_error_affects_the_arm_and_no_leg)
{
    Walk *w = *state;
    const Skeleton *s = &w->clip.skeleton;
    int hand = skeleton_find_role(s, ROLE_LEFT_WRIST), elbow = skeleton_find_role(s, ROLE_LEFT_ELBOW);
    spread_by(w, SPREAD_SEGMENT_CENTRE, 0.01);
    Vec3 a = w->clip.dynamics.torque_sd[at(w, 40, hand)], b = w->clip.dynamics.torque_sd[at(w, 40, elbow)];
    double mass = w->clip.body.mass[hand];
    assert_true(vec3_norm(a) > 0.01 * mass * 9 && vec3_norm(a) < 0.01 * mass * 30);
    assert_true(b.x > a.x && b.y > a.y && b.z > a.z);
}

/* Heavier thighs affect the hip, not the joints below; the size is that of the published tables. */
TEST(thigh_mass_affects_hip_and_no_distal_joint)
{
    Walk *w = *state;
    const Dynamics *d = &w->clip.dynamics;
    double hip = 0, knee = 0, own = 0;
    spread_by(w, SPREAD_SEGMENT_MASS, 1);
    for (int f = 0; f < d->frame_count; f++) {
        hip += vec3_norm(d->torque_sd[at(w, f, w->left_hip)]);
        knee += vec3_norm(d->torque_sd[at(w, f, w->left_knee)]);
        own += vec3_norm(d->torque_sd[at(w, f, w->left_ankle)]);
    }
    assert_true(hip > 2 * knee && knee > 0);
    assert_near(own, 0, 1e-9); /* the foot's mass is a separate cause */
    spread_by(w, SPREAD_FOOT_MASS, 1);
    assert_true(d->torque_sd[at(w, 40, w->left_ankle)].x > 0);
}

/* The variance of each torque is that of inverse dynamics per group of masses, under the same loads. */
TEST(mass_variance_equals_inverse_dynamics)
{
    Walk *w = *state;
    double size[SPREAD_SIZE_COUNT] = {[SPREAD_SEGMENT_MASS] = 1, [SPREAD_FOOT_MASS] = 1};
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    UncertaintyDef def = def_of(w);
    Dynamics again = {0};
    ClipView view = clip_view(&w->clip);
    size_t count = (size_t)w->clip.dynamics.frame_count * (size_t)w->clip.skeleton.joint_count;
    Vec3 *square = calloc(count, sizeof *square);
    for (int group = 0; group < MASS_GROUPS; group++) {
        Body body;
        assert_int_equal(body_copy(&body, &w->clip.body, NULL), STATUS_OK);
        body_masses_change(&w->clip.skeleton, group, 1, size, &body);
        view.body = &body;
        assert_int_equal(inverse_dynamics(&view, &w->loads, &inverse, &again, NULL), STATUS_OK);
        for (size_t i = 0; i < count; i++) {
            Vec3 off = vec3_sub(again.torque[i], w->clip.dynamics.torque[i]);
            square[i] = vec3_add(square[i], (Vec3){off.x * off.x, off.y * off.y, off.z * off.z});
        }
        body_free(&body);
    }
    view.body = &w->clip.body;
    memset(def.size, 0, sizeof def.size);
    def.size[SPREAD_SEGMENT_MASS] = def.size[SPREAD_FOOT_MASS] = def.size[SPREAD_SCALE] = 1;
    assert_int_equal(torque_uncertainty(&view, &w->loads, &def, &w->clip.dynamics, NULL), STATUS_OK);
    for (int f = 0; f < w->clip.dynamics.frame_count; f++)
        for (int j = 1; j < w->clip.skeleton.joint_count; j++) {
            Vec3 sum = square[at(w, f, j)], sd = {sqrt(sum.x), sqrt(sum.y), sqrt(sum.z)};
            assert_vec3_near(w->clip.dynamics.torque_sd[at(w, f, j)], sd, 1e-6);
        }
    dynamics_free(&again);
    free(square);
}

/* The torques of the walk after a second filter pass, under the same loads. */
static Dynamics filtered_again(Walk *w, const UncertaintyDef *def)
{
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    SmoothDef smooth = smooth_default_def();
    Motion motion;
    Kinematics kinematics = {0};
    Dynamics out = {0};
    ClipView view = {&w->clip.skeleton, &w->clip.body, &motion, &kinematics};
    smooth.cutoff = def->filter.cutoff;
    assert_int_equal(motion_copy(&motion, &w->clip.motion, NULL), STATUS_OK);
    assert_int_equal(smooth_motion(&motion, &smooth, NULL, NULL), STATUS_OK);
    assert_int_equal(differentiate(&view, &def->filter.difference, &kinematics, NULL), STATUS_OK);
    assert_int_equal(inverse_dynamics(&view, &w->loads, &inverse, &out, NULL), STATUS_OK);
    kinematics_free(&kinematics);
    motion_free(&motion);
    return out;
}

/* The cutoff error is the effect of a second filter pass. In single support, the foot supports the change of the root
 * force at its centre of pressure, which reduces the torques along its leg by the moment of that force. Arms change
 * independently. */
TEST(cutoff_error_acts_through_the_stance_foot)
{
    Walk *w = *state;
    UncertaintyDef def = def_of(w);
    Arena arena = {0};
    LoadedLimbs limbs;
    ClipView view = clip_view(&w->clip);
    Dynamics again = filtered_again(w, &def);
    int f = stance(w), elbow = skeleton_find_role(&w->clip.skeleton, ROLE_LEFT_ELBOW), foot = 0;
    spread_by(w, SPREAD_CUTOFF, 0.5);
    assert_int_equal(loaded_limbs_find(&view, &w->loads, &limbs, &arena, NULL), STATUS_OK);
    while (limbs.limb[foot].joint != w->left_ankle)
        foot++;
    const Dynamics *d = &w->clip.dynamics;
    Vec3 lacking = vec3_sub(again.residual_force[f], d->residual_force[f]);
    const int joint[4] = {elbow, w->left_ankle, w->left_knee, w->left_hip};
    for (int i = 0; i < 4; i++) {
        size_t k = at(w, f, joint[i]);
        Vec3 arm = vec3_sub(limbs.limb[foot].place[f], w->clip.kinematics.position[k]);
        Vec3 change = vec3_sub(again.torque[k], d->torque[k]);
        change = i > 0 ? vec3_sub(change, vec3_cross(arm, lacking)) : change;
        assert_vec3_near(d->torque_sd[k], vec3_scale(vec3(fabs(change.x), fabs(change.y), fabs(change.z)), 0.5), 1e-9);
    }
    assert_true(vec3_norm(lacking) > 1);
    dynamics_free(&again);
    arena_free(&arena);
}

/* The load of a limb is the sum of its loads, at the point with their moment, except about the vertical. */
TEST(limb_load_is_the_sum_of_its_loads)
{
    Walk *w = *state;
    ClipView view = clip_view(&w->clip);
    Arena arena = {0};
    LoadedLimbs limbs;
    Loads loads;
    const Skeleton *s = &w->clip.skeleton;
    const int joint[3] = {w->left_ankle, skeleton_find_role(s, ROLE_LEFT_TOE), skeleton_find_role(s, ROLE_RIGHT_ANKLE)};
    char loaded[64] = {0};
    for (int i = 0; i < 3; i++)
        loaded[joint[i]] = 1;
    assert_int_equal(loads_init(&loads, w->clip.kinematics.frame_count, loaded, s->joint_count, NULL), STATUS_OK);
    assert_memory_equal(loads.joint, joint, sizeof joint);
    for (int i = 0; i < 3 * loads.frame_count; i++) {
        loads.force[i] = vec3(10 * (i % 3), 200 + i, -30);
        loads.moment[i] = vec3_cross(vec3(0.1 * (i % 3), 0.2, 0.001 * i), loads.force[i]);
    }
    assert_int_equal(loaded_limbs_find(&view, &loads, &limbs, &arena, NULL), STATUS_OK);
    assert_int_equal(limbs.count, 2);
    for (int f = 0; f < limbs.frame_count; f++) {
        const Vec3 *force = &loads.force[3 * f], *moment = &loads.moment[3 * f];
        const Vec3 sum[2] = {vec3_add(force[0], force[1]), force[2]};
        const Vec3 about[2] = {vec3_add(moment[0], moment[1]), moment[2]};
        for (int b = 0; b < 2; b++) {
            Vec3 own = vec3_cross(limbs.limb[b].place[f], sum[b]);
            assert_vec3_near(limbs.limb[b].force[f], sum[b], 1e-9);
            assert_near(own.x, about[b].x, 1e-9);
            assert_near(own.z, about[b].z, 1e-9);
        }
        assert_near(limbs.load[f], sum[0].y + sum[1].y, 1e-9);
    }
    loads_free(&loads);
    arena_free(&arena);
}

/* For any heading. */
TEST(forward_is_perpendicular_to_the_hip_line)
{
    Walk *w = *state;
    const Skeleton *s = &w->clip.skeleton;
    const Kinematics *k = &w->clip.kinematics;
    int left = w->left_hip, right = skeleton_find_role(s, ROLE_RIGHT_HIP);
    Vec3 *position = malloc((size_t)k->frame_count * (size_t)k->joint_count * sizeof *position);
    Kinematics turned = *k;
    ClipView view = clip_view(&w->clip);
    turned.position = position;
    view.kinematics = &turned;
    for (int i = 0; i < 8; i++) {
        Arena arena = {0};
        LoadedLimbs limbs;
        Vec3 ahead = {elementary_sin(i * PI / 4), 0, elementary_cos(i * PI / 4)};
        Vec3 side = vec3_cross(vec3(0, 1, 0), ahead);
        memcpy(position, k->position, (size_t)k->frame_count * (size_t)k->joint_count * sizeof *position);
        position[left] = vec3_scale(side, 0.1);
        position[right] = vec3_scale(side, -0.1);
        assert_int_equal(loaded_limbs_find(&view, &w->loads, &limbs, &arena, NULL), STATUS_OK);
        assert_vec3_near(limbs.forward[0], ahead, 1e-12);
        arena_free(&arena);
    }
    free(position);
}

/* White angle noise passes up to the filter's 8 Hz: (2 pi f)^4 times its density 2 dt over that band. The torque of a
 * hand is its inertia about the wrist times that acceleration. */
TEST(noise_error_is_proportional_to_inertia)
{
    Walk *w = *state;
    const Body *body = &w->clip.body;
    int hand = skeleton_find_role(&w->clip.skeleton, ROLE_LEFT_WRIST);
    for (int j = 0; j < w->clip.skeleton.joint_count; j++)
        assert_true(w->clip.skeleton.parent[j] != hand || body->mass[j] == 0);
    double reach = vec3_norm(body->com[hand]), own = fmax(body->inertia[hand].xx, body->inertia[hand].yy);
    double inertia = body->mass[hand] * reach * reach + fmax(own, body->inertia[hand].zz);
    double turn = 2 * PI, square = 0, step = 1e-3, dt = w->clip.motion.frame_time;
    for (double f = 0.5 * step; f < 8; f += step) /* the integral of the density */
        square += 2 * dt * turn * turn * f * f * turn * turn * f * f * step;
    spread_by(w, SPREAD_NOISE, 0.01);
    assert_near(w->clip.dynamics.torque_sd[at(w, 40, hand)].x, 0.01 * sqrt(square) * inertia, 1e-6);
}

/* Acts only in double support. */
static int is_of_two(int term)
{
    return term == SPREAD_SHARE || term == SPREAD_SHARE_ALONG || term == SPREAD_SHARE_SIDE ||
           term == SPREAD_STANCE_ALONG || term == SPREAD_STANCE_SIDE || term == SPREAD_STANCE_TWIST;
}

/* Causes are independent: variances add. */
TEST(variances_are_additive)
{
    Walk *w = *state;
    UncertaintyDef def = def_of(w);
    ClipView view = clip_view(&w->clip);
    int f = stance(w), joint = w->left_knee;
    double sum = 0;
    for (int i = 0; i < SPREAD_TERM_COUNT; i++) {
        spread_by(w, (SpreadTerm)i, def.size[i]);
        Vec3 sd = w->clip.dynamics.torque_sd[at(w, f, joint)];
        int acts = i != SPREAD_PLATE_PRESSURE && i != SPREAD_FILTER && !is_of_two(i);
        if (acts && !(vec3_norm(sd) > 0))
            fail_msg("%s does nothing", spread_term_name((SpreadTerm)i));
        sum += def.size[SPREAD_SCALE] * def.size[SPREAD_SCALE] * vec3_dot(sd, sd);
    }
    def.size[SPREAD_CUTOFF_MAX] = 0;
    assert_int_equal(torque_uncertainty(&view, &w->loads, &def, &w->clip.dynamics, NULL), STATUS_OK);
    Vec3 all = w->clip.dynamics.torque_sd[at(w, f, joint)];
    assert_near(vec3_dot(all, all), sum, 1e-9 * sum);
}

/* Fractions by source are those of single causes, at hips, knees and ankles over valid frames. */
TEST(source_fractions_are_sums_of_their_terms)
{
    static const struct {
        SpreadTerm term;
        ErrorSource source;
    } alone[] = {{SPREAD_SHARE, ERROR_CONTACT},      {SPREAD_RESIDUAL_SHARE, ERROR_CONTACT},
                 {SPREAD_CUTOFF, ERROR_FILTER},      {SPREAD_SEGMENT_MASS, ERROR_BODY},
                 {SPREAD_JOINT_CENTRE, ERROR_BODY},  {SPREAD_NOISE, ERROR_RECORDING}};
    Walk *w = *state;
    Dynamics *d = &w->clip.dynamics;
    ClipView view = clip_view(&w->clip);
    UncertaintyDef def = def_of(w);
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        spread_by(w, alone[i].term, 1);
        for (int s = 0; s < ERROR_SOURCE_COUNT; s++)
            assert_near(d->error_source[s], s == (int)alone[i].source, 1e-9);
    }
    assert_int_equal(torque_uncertainty(&view, &w->loads, &def, d, NULL), STATUS_OK);
    double sum = 0;
    for (int s = 0; s < ERROR_SOURCE_COUNT; s++) {
        assert_true(d->error_source[s] > 0.001 && d->error_source[s] < 0.95);
        sum += d->error_source[s];
    }
    assert_near(sum, 1, 1e-12);
}

/* The contribution of the cutoff is limited, however large the effect of a second filter pass. */
TEST(cutoff_error_is_bounded)
{
    Walk *w = *state;
    UncertaintyDef def = def_of(w);
    ClipView view = clip_view(&w->clip);
    const double limit = 0.1 * w->clip.body.total_mass;
    const double max[3] = {0, 0.1, 0.1}, size[3] = {3, 3, 3e4};
    double sum[3] = {0}, largest[3] = {0};
    for (int i = 0; i < 3; i++) {
        memset(def.size, 0, sizeof def.size);
        def.size[SPREAD_SCALE] = 1;
        def.size[SPREAD_CUTOFF] = size[i];
        def.size[SPREAD_CUTOFF_MAX] = max[i];
        assert_int_equal(torque_uncertainty(&view, &w->loads, &def, &w->clip.dynamics, NULL), STATUS_OK);
        for (int f = 0; f < w->clip.dynamics.frame_count; f++) {
            Vec3 sd = w->clip.dynamics.torque_sd[at(w, f, w->left_hip)];
            sum[i] += vec3_dot(sd, sd);
            largest[i] = fmax(largest[i], sqrt(vec3_dot(sd, sd) / 3));
        }
    }
    assert_true(largest[0] > limit);
    assert_true(sum[1] < sum[0] && largest[1] < limit);
    assert_near(largest[2], limit, 1e-3 * limit);
}

/* A residual moment of r times m g times half the height makes each torque uncertain by that fraction; only within half
 * a second of frames with a residual. */
TEST(residual_increases_torque_uncertainty)
{
    Walk *w = *state;
    Dynamics *d = &w->clip.dynamics;
    ClipView view = clip_view(&w->clip);
    size_t frames = (size_t)d->frame_count, reach = (size_t)(0.5 / w->clip.motion.frame_time);
    Vec3 *force = malloc(frames * sizeof *force), *torque = malloc(frames * sizeof *torque);
    double *ratio = malloc(frames * sizeof *ratio);
    double unit = 0.5 * w->clip.body.stature * w->clip.body.total_mass * 9.80665;
    memcpy(force, d->residual_force, frames * sizeof *force);
    memcpy(torque, d->residual_torque, frames * sizeof *torque);
    memset(d->residual_force, 0, frames * sizeof *force);
    memset(d->residual_torque, 0, frames * sizeof *torque);
    assert_true(frames > 2 * reach);
    for (size_t f = 0; f < reach; f++)
        d->residual_torque[f] = vec3(0, 0.2 * unit, 0);
    assert_int_equal(residual_ratio(&view, d, ratio, NULL), STATUS_OK);
    assert_near(ratio[0], 0.2 * sqrt((double)(reach - 2) / (double)(reach - 1)), 0.01);
    assert_near(ratio[2 * reach], 0, 0);
    spread_by(w, SPREAD_RESIDUAL_SHARE, 1.5);
    Vec3 knee = d->torque[at(w, 5, w->left_knee)], sd = d->torque_sd[at(w, 5, w->left_knee)];
    assert_near(sd.x, 1.5 * ratio[5] * vec3_norm(knee), 1e-9);
    assert_near(sd.z, sd.x, 1e-12);
    assert_vec3_near(d->torque_sd[at(w, (int)(2 * reach), w->left_knee)], vec3(0, 0, 0), 0);
    memcpy(d->residual_force, force, frames * sizeof *force);
    memcpy(d->residual_torque, torque, frames * sizeof *torque);
    free(force);
    free(torque);
    free(ratio);
}

/* The error of measured forces is their position on the plate. */
TEST(measured_forces_reduce_uncertainty)
{
    Walk *w = *state;
    UncertaintyDef def = def_of(w);
    ClipView view = clip_view(&w->clip);
    int f = stance(w);
    assert_int_equal(torque_uncertainty(&view, &w->loads, &def, &w->clip.dynamics, NULL), STATUS_OK);
    double estimated = vec3_norm(w->clip.dynamics.torque_sd[at(w, f, w->left_hip)]);
    def.ground = GROUND_MEASURED;
    assert_int_equal(torque_uncertainty(&view, &w->loads, &def, &w->clip.dynamics, NULL), STATUS_OK);
    double measured = vec3_norm(w->clip.dynamics.torque_sd[at(w, f, w->left_hip)]);
    assert_true(measured < 0.9 * estimated && measured > 0);
}

TEST(all_lane_widths_give_same_bits)
{
    Walk *w = *state;
    UncertaintyDef def = def_of(w);
    ClipView view = clip_view(&w->clip);
    size_t bytes = (size_t)w->clip.dynamics.frame_count * (size_t)w->clip.skeleton.joint_count * sizeof(Vec3);
    Vec3 *first = malloc(bytes);
    for (int i = 0; i < WIDTHS; i++) {
        def.filter.difference.lanes = widths[i];
        assert_int_equal(torque_uncertainty(&view, &w->loads, &def, &w->clip.dynamics, NULL), STATUS_OK);
        if (i == 0)
            memcpy(first, w->clip.dynamics.torque_sd, bytes);
        assert_memory_equal(first, w->clip.dynamics.torque_sd, bytes);
    }
    free(first);
}

/* The stage, the moments about axes, and the metric of the index. */
TEST(uncertainty_reaches_angles_and_index)
{
    Pipeline pipeline = pipeline_defaults();
    OptionGroup groups[PIPELINE_GROUPS];
    JointSeries series;
    JointPeaks peaks;
    Clip clip;
    Error err;
    (void)state;
    int count = pipeline_groups(&pipeline, groups);
    for (int i = 0; i < count; i++) {
        const char *name = groups[i].stage ? groups[i].stage->name : "";
        const Option *option = !strcmp(name, "torque") ? option_find(groups[i].options, "uncertainty")
                               : !strcmp(name, "angles") ? option_find(groups[i].options, "axes") : NULL;
        if (option)
            assert_int_equal(option->kind->parse(option, option->argument ? "fast" : "",
                                                 (char *)groups[i].values + option->offset, &err), STATUS_OK);
    }
    assert_int_equal(pipeline_open(&pipeline, "data/walk.bvh", &clip, NULL, &err), STATUS_OK);
    assert_int_equal(pipeline_run(&pipeline, &clip, NULL, &err), STATUS_OK);
    assert_non_null(strstr(clip.provenance.history, "torque --uncertainty fast"));
    const JointAngles *a = &clip.angles;
    int knee = joint_angles_find(a, COORDINATE_LEFT_KNEE_FLEXION), joint = a->joint[knee];
    size_t place = joint_angles_index(a, 70, knee);
    size_t row = (size_t)70 * (size_t)clip.skeleton.joint_count + (size_t)joint;
    const Dynamics *d = &clip.dynamics;
    assert_near(a->moment_sd[place], torque_sd_along(d->torque_sd[row], d->torque_correlation[row], a->axis[place]),
                1e-12);
    assert_true(a->moment_sd[place] > 0);
    assert_int_equal(joint_series_init(&series, &clip, FRAMES_TRUSTED, &err), STATUS_OK);
    double *scratch = malloc((size_t)series.count * sizeof *scratch);
    joint_peaks(&series, joint, clip.body.total_mass, scratch, &peaks);
    row = (size_t)peaks.torque_peak_frame * (size_t)clip.skeleton.joint_count + (size_t)joint;
    Vec3 along = vec3_normalize(d->torque[row]);
    assert_near(peaks.torque_peak_sd_nm_kg * clip.body.total_mass,
                torque_sd_along(d->torque_sd[row], d->torque_correlation[row], along), 1e-12);
    free(scratch);
    joint_series_free(&series);
    clip_free(&clip);
}

TEST_GROUP(load_walk, free_walk)
