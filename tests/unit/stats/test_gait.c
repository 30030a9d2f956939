/* analysis/stats/gait: steps and strides of a walk with known foot placements. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/stats/gait.h"
#include "analysis/stats/gait_cycle.h"
#include "tests/support/walker.h"

enum { FRAMES = 560, PERIOD = 100, STANCE = 60, STRIKE = 40 }; /* frames at 100 Hz; the right strikes 45 later */
#define STRIDE 1.4 /* m along z; the feet are 0.2 m apart, the right lands 0.6 m before the left */

static int strike_of(int foot) { return STRIKE + (foot == FOOT_RIGHT ? 45 : 0); }

/* Current or last stance position of the foot; it is raised in swing. */
static Vec3 foot_at(int foot, int frame)
{
    int cycle = (frame - strike_of(foot) + PERIOD) / PERIOD - 1;
    return vec3(foot == FOOT_LEFT ? 0.1 : -0.1, 0, STRIDE * cycle + (foot == FOOT_RIGHT ? 0.6 : 0));
}

static void put(Clip *c, int frame, Role role, Vec3 at)
{
    c->kinematics.position[motion_index(&c->motion, frame, skeleton_find_role(&c->skeleton, role))] = at;
}

/* Two knees with moments that rise by 70 N m per period and angles of 0.5 rad. */
static Clip walk(void)
{
    Clip c = {.has_body = 1, .has_kinematics = 1, .has_contact = 1, .has_angles = 1};
    walker_skeleton(&c.skeleton);
    assert_int_equal(motion_init(&c.motion, FRAMES, WALKER_JOINTS, 0.01, 0, NULL), STATUS_OK);
    assert_int_equal(kinematics_init(&c.kinematics, FRAMES, WALKER_JOINTS, 0, NULL), STATUS_OK);
    assert_int_equal(contact_init(&c.contact, FRAMES, FOOT_COUNT, 0, NULL), STATUS_OK);
    assert_int_equal(body_init(&c.body, WALKER_JOINTS, NULL), STATUS_OK);
    assert_int_equal(joint_angles_init(&c.angles, FRAMES, 6, 0, NULL), STATUS_OK);
    assert_int_equal(joint_angles_add_spread(&c.angles, NULL), STATUS_OK);
    c.body.total_mass = 70;
    c.body.stature = 1.75;
    memset(c.kinematics.valid, 1, FRAMES);
    for (int i = 0; i < 6; i++)
        c.angles.coordinate[i] = (Coordinate)((i < 3 ? COORDINATE_LEFT_KNEE_FLEXION
                                                      : COORDINATE_RIGHT_KNEE_FLEXION - 3) + i);
    for (int f = 0; f < FRAMES; f++) {
        put(&c, f, ROLE_HIPS, vec3(0, 0.9, STRIDE * f / PERIOD));
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            int at = f * FOOT_COUNT + foot, since = f - strike_of(foot);
            put(&c, f, foot == FOOT_LEFT ? ROLE_LEFT_ANKLE : ROLE_RIGHT_ANKLE, foot_at(foot, f));
            c.contact.point_joint[foot] = skeleton_find_role(&c.skeleton, foot == FOOT_LEFT ? ROLE_LEFT_TOE
                                                                                           : ROLE_RIGHT_TOE);
            c.contact.state[at] = since >= 0 && since % PERIOD < STANCE;
            c.contact.force[at] = vec3(0, 700 * c.contact.state[at], 0);
        }
        for (int i = 0; i < 6; i++) {
            c.angles.angle[joint_angles_index(&c.angles, f, i)] = 0.5;
            c.angles.moment[joint_angles_index(&c.angles, f, i)] = 70.0 * f / PERIOD;
            c.angles.moment_sd[joint_angles_index(&c.angles, f, i)] = 0.25 * 70;
        }
    }
    return c;
}

TEST(strides_and_steps_follow_the_feet)
{
    Clip c = walk();
    Gait gait;
    assert_int_equal(gait_init(&gait, &c, &(GaitDef){0}, NULL), STATUS_OK);
    assert_int_equal(gait.stride_count, 5 + 4); /* left strikes at 40 ... 540, right at 85 ... 485 */
    for (int i = 0; i < gait.stride_count; i++) {
        const GaitStride *s = &gait.stride[i];
        int foot = i < 5 ? FOOT_LEFT : FOOT_RIGHT;
        assert_int_equal(s->foot, foot);
        assert_near(s->time, c.motion.time[strike_of(foot)] + (i < 5 ? i : i - 5), 1e-9);
        assert_near(s->duration, 1, 1e-9);
        assert_near(s->length, STRIDE, 1e-12);
        assert_near(s->speed, STRIDE, 1e-9);
        assert_near(s->cadence, 120, 1e-9);
        assert_near(s->stance, 0.6, 1e-9);
    }
    assert_int_equal(gait.step_count, 10);
    for (int i = 0; i < gait.step_count; i++) {
        int is_right = i % 2 == 0; /* no strike precedes the first of the left */
        assert_int_equal(gait.step[i].foot, is_right ? FOOT_RIGHT : FOOT_LEFT);
        assert_near(gait.step[i].duration, is_right ? 0.45 : 0.55, 1e-9);
        assert_near(gait.step[i].length, is_right ? 0.6 : 0.8, 1e-12);
        assert_near(gait.step[i].width, 0.2, 1e-12);
    }
    gait_free(&gait);
    clip_free(&c);
}

/* Strides of the same side: the ramp's cycles begin at the strikes of that foot, 45 frames apart. */
TEST(curves_use_strides_of_their_side)
{
    Clip c = walk();
    Gait gait;
    for (int normal = 0; normal < 2; normal++) {
        double unit = normal == GAIT_PER_MASS ? 1 : 1 / (9.80665 * 1.75);
        GaitDef def = {.normal = (GaitNormal)normal};
        assert_int_equal(gait_init(&gait, &c, &def, NULL), STATUS_OK);
        assert_int_equal(gait.curve_count, 6 * GAIT_QUANTITY_COUNT);
        for (int i = 0; i < gait.curve_count; i++) {
            const GaitCurve *curve = &gait.curve[i];
            int is_right = curve->coordinate >= COORDINATE_RIGHT_KNEE_FLEXION, count = is_right ? 4 : 5;
            double middle = (is_right ? 0.85 : 0.4) + (count - 1) / 2.0; /* of 0, 1, ... count - 1 periods */
            assert_int_equal(curve->strides, count);
            for (int p = 0; p < GAIT_POINTS; p++) {
                double moment = (middle + p / 100.0) * unit;
                assert_near(curve->mean[p], curve->quantity == GAIT_ANGLE ? 0.5 * 180 / PI
                                            : curve->quantity == GAIT_MOMENT ? moment : 0, 1e-9);
                double spread = sqrt((count * count - 1) * count / 12.0 / (count - 1)) * unit;
                assert_near(curve->deviation[p], curve->quantity == GAIT_MOMENT ? spread : 0, 1e-9);
                if (curve->quantity == GAIT_MOMENT) /* errors of strides are correlated: no division by the root of
                                                       their number */
                    assert_near(curve->error_sd[p], 0.25 * unit, 1e-9);
                else
                    assert_true(isnan(curve->error_sd[p]));
            }
        }
        gait_free(&gait);
    }
    clip_free(&c);
}

/* The trunk uses cycles of the left foot, or of the right one if only that has complete cycles. */
TEST(trunk_curves_use_strides_of_a_walking_foot)
{
    Clip c = walk();
    Gait gait;
    c.angles.coordinate[0] = coordinate_of_role(ROLE_CHEST);
    for (int lame = 0; lame < 2; lame++) {
        for (int f = 0; f < FRAMES && lame; f++)
            c.contact.state[FOOT_COUNT * f + FOOT_LEFT] = c.contact.force[FOOT_COUNT * f + FOOT_LEFT].y = 0;
        assert_int_equal(gait_init(&gait, &c, &(GaitDef){0}, NULL), STATUS_OK);
        assert_int_equal(gait.curve_count, (lame ? 4 : 6) * GAIT_QUANTITY_COUNT);
        const GaitCurve *moment = &gait.curve[GAIT_MOMENT];
        assert_int_equal(moment->coordinate, c.angles.coordinate[0]);
        assert_int_equal(moment->strides, lame ? 4 : 5);
        assert_near(moment->mean[0], lame ? 0.85 + 1.5 : 0.4 + 2, 1e-9);
        gait_free(&gait);
    }
    clip_free(&c);
}

/* On a treadmill feet slide back and hips stay: times are reported, lengths and speeds are not. */
TEST(treadmill_walk_has_no_step_lengths)
{
    Clip c = walk();
    Gait gait;
    for (int f = 0; f < FRAMES; f++)
        put(&c, f, ROLE_HIPS, vec3(0, 0.9, 0.1 * (f % 2)));
    assert_int_equal(gait_init(&gait, &c, &(GaitDef){0}, NULL), STATUS_OK);
    assert_int_equal(gait.stride_count, 5 + 4);
    for (int i = 0; i < gait.stride_count; i++) {
        assert_true(isnan(gait.stride[i].length) && isnan(gait.stride[i].speed));
        assert_near(gait.stride[i].cadence, 120, 1e-9);
        assert_near(gait.stride[i].stance, 0.6, 1e-9);
    }
    assert_true(gait.step_count > 0 && isnan(gait.step[0].length));
    gait_free(&gait);
    clip_free(&c);
}

TEST(walk_without_right_strides_has_left_only)
{
    Clip c = walk();
    Gait gait;
    Error err;
    for (int i = 0; i < FRAMES; i++)
        c.contact.state[2 * i + 1] = c.contact.force[2 * i + 1].y = 0; /* only the left foot walks */
    assert_int_equal(gait_init(&gait, &c, &(GaitDef){0}, &err), STATUS_OK);
    assert_int_equal(gait.stride_count, 5);
    assert_int_equal(gait.step_count, 0);
    assert_int_equal(gait.curve_count, 3 * GAIT_QUANTITY_COUNT);
    gait_free(&gait);
    memset(c.contact.state, 0, FRAMES * FOOT_COUNT * sizeof *c.contact.state);
    memset(c.contact.force, 0, FRAMES * FOOT_COUNT * sizeof *c.contact.force);
    assert_int_equal(gait_init(&gait, &c, &(GaitDef){0}, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "no complete gait cycle of the left foot"));
    assert_non_null(strstr(err.text, "0 contacts; at least 2 heel strikes are required; nor of the right foot"));
    clip_free(&c);
    c = walk();
    for (int f = 0; f < FRAMES; f += 50) /* each cycle has such a frame */
        c.kinematics.valid[f] = 0;
    assert_int_equal(gait_init(&gait, &c, &(GaitDef){0}, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "6 contacts, 5 excluded cycles; at least 2 heel strikes are required; "
                                     "nor of the right"));
    c.has_angles = 0;
    assert_int_equal(gait_init(&gait, &c, &(GaitDef){0}, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "has no /angles: run kane angles first");
    c.has_angles = 1;
    clip_free(&c);
}
