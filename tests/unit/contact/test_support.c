/* analysis/contact/seat, rail, support: a sitting body is supported by a seat and the feet, a hanging or leaning one
 * by a hand and the feet, a squat by the feet alone. */
#include "tests/support/test.h"

#include <stdlib.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/contact/support.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/kinematics.h"
#include "analysis/quality/trust_marks.h"
#include "formats/bvh/bvh.h"
#include "tests/support/read_bvh.h"

static void read_squat(Clip *c)
{
    assert_true(file_clip_with_body("data/squat.bvh", c));
}

static Quat *rotation(Clip *c, int frame, Role role)
{
    int joint = skeleton_find_role(&c->skeleton, role);
    assert_true(joint >= 0);
    return &c->motion.rotation[motion_index(&c->motion, frame, joint)];
}

static Quat pitch(double degrees) { return quat_from_axis_angle(vec3(1, 0, 0), degrees * PI / 180); }

/* Level thighs and upright shanks, feet as in the clip's first frame; the trunk sways by 3 degrees. The body faces +Z
 * and leans forward by an angle in degrees. */
static void sit_down(Clip *c, double lean)
{
    Motion *m = &c->motion;
    Vec3 stand = m->root_position[0];
    double thigh = -c->skeleton.offset[skeleton_find_role(&c->skeleton, ROLE_LEFT_KNEE)].y;
    for (int f = 0; f < m->frame_count; f++) {
        for (int j = 0; j < m->joint_count; j++)
            m->rotation[motion_index(m, f, j)] = (Quat){1, 0, 0, 0};
        m->root_position[f] = vec3_sub(stand, vec3(0, thigh, 0));
        *rotation(c, f, ROLE_SPINE) = pitch(lean + 3 * elementary_sin(PI * m->time[f]));
        *rotation(c, f, ROLE_LEFT_HIP) = *rotation(c, f, ROLE_RIGHT_HIP) = pitch(-90);
        *rotation(c, f, ROLE_LEFT_KNEE) = *rotation(c, f, ROLE_RIGHT_KNEE) = pitch(90);
    }
}

/* Straight, rigid about the ankles, leaning forward by an angle in degrees, arms stretched forward; the head nods. */
static void lean_over(Clip *c, double lean)
{
    Motion *m = &c->motion;
    Vec3 stand = m->root_position[0], root = {0, 0, 0};
    for (int j = skeleton_find_role(&c->skeleton, ROLE_LEFT_ANKLE); j > 0; j = c->skeleton.parent[j])
        root = vec3_sub(root, c->skeleton.offset[j]);
    root.x = 0; /* between the ankles */
    for (int f = 0; f < m->frame_count; f++) {
        for (int j = 0; j < m->joint_count; j++)
            m->rotation[motion_index(m, f, j)] = (Quat){1, 0, 0, 0};
        m->root_position[f] = vec3_add(vec3_sub(stand, root), quat_rotate(pitch(lean), root));
        *rotation(c, f, ROLE_HIPS) = pitch(lean);
        *rotation(c, f, ROLE_LEFT_ANKLE) = *rotation(c, f, ROLE_RIGHT_ANKLE) = pitch(-lean);
        *rotation(c, f, ROLE_LEFT_SHOULDER) = quat_from_axis_angle(vec3(0, 1, 0), -0.5 * PI);
        *rotation(c, f, ROLE_RIGHT_SHOULDER) = quat_from_axis_angle(vec3(0, 1, 0), 0.5 * PI);
        *rotation(c, f, ROLE_HEAD) = pitch(3 * elementary_sin(PI * m->time[f]));
    }
}

/* Mean load of seat, hands and feet over frames away from the ends, body weights; the force on the hands; the largest
 * residual moment, N m. */
typedef struct Borne {
    double seat, rail, feet, left;
    Vec3 hands;
} Borne;

static Borne bear(Clip *c, int no_support)
{
    ContactEstimateDef def = contact_estimate_default_def();
    DifferenceDef difference = difference_default_def();
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    Loads loads;
    Borne out = {0};
    int first = 20, last = c->motion.frame_count - 20;
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    def.ground.no_support = no_support;
    assert_int_equal(differentiate(&view, &difference, &c->kinematics, NULL), STATUS_OK);
    assert_int_equal(contact_estimate(&view, &def, &c->contact, NULL), STATUS_OK);
    assert_int_equal(loads_from_contact(&c->contact, &c->kinematics, &loads, NULL), STATUS_OK);
    assert_int_equal(inverse_dynamics(&view, &loads, &inverse, &c->dynamics, NULL), STATUS_OK);
    for (int f = first; f < last; f++) {
        const Vec3 *foot = c->contact.foot_force + (size_t)f * FOOT_COUNT;
        out.seat += support_load(&view, &c->contact, f, SUPPORT_OF_HIPS) / (last - first);
        out.rail += support_load(&view, &c->contact, f, SUPPORT_OF_HANDS) / (last - first);
        for (int i = 0; i < c->contact.point_count; i++) {
            Role role = c->skeleton.role[c->contact.point_joint[i]];
            Vec3 force = c->contact.force[f * c->contact.point_count + i];
            if (role == ROLE_LEFT_WRIST || role == ROLE_RIGHT_WRIST)
                out.hands = vec3_mad(out.hands, 1 / (c->body.total_mass * GRAVITY * (last - first)), force);
        }
        out.feet += (foot[0].y + foot[1].y) / (c->body.total_mass * GRAVITY * (last - first));
        out.left = fmax(out.left, vec3_norm(c->dynamics.residual_torque[f]));
    }
    loads_free(&loads);
    contact_free(&c->contact);
    return out;
}

/* Without a seat the feet support all, too far in front; with one the moments about the hips balance. */
TEST(sitting_body_has_a_seat)
{
    Clip c;
    (void)state;
    read_squat(&c);
    sit_down(&c, 0);
    Borne none = bear(&c, 1), seat = bear(&c, 0);
    assert_near(none.seat, 0, 0);
    assert_near(none.feet, 1, 0.02);
    assert_true(none.left > 100);
    assert_true(seat.seat > 0.35 && seat.seat < 0.85);
    assert_near(seat.seat + seat.feet, 1, 0.02);
    assert_true(seat.left < 0.25 * none.left);
    clip_free(&c);
}

TEST(squat_has_no_seat)
{
    Clip c;
    (void)state;
    read_squat(&c);
    Borne borne = bear(&c, 0);
    assert_near(borne.seat, 0, 0);
    assert_near(borne.feet, 1, 0.1);
    clip_free(&c);
}

/* Rotation about the vertical through the world origin. */
static void turn_body(Clip *c, double angle)
{
    Quat turn = quat_from_axis_angle(vec3(0, 1, 0), angle);
    for (int f = 0; f < c->motion.frame_count; f++) {
        Quat *root = rotation(c, f, ROLE_HIPS);
        c->motion.root_position[f] = quat_rotate(turn, c->motion.root_position[f]);
        *root = quat_mul(turn, *root);
    }
}

/* The seat force rotates with the body, and leaning forward unloads it. */
TEST(seat_rotates_with_the_body)
{
    Clip c;
    (void)state;
    read_squat(&c);
    sit_down(&c, 0);
    Borne straight = bear(&c, 0);
    turn_body(&c, 0.7);
    Borne turned = bear(&c, 0);
    assert_near(turned.seat, straight.seat, 1e-9);
    assert_near(turned.left, straight.left, 1e-6);
    sit_down(&c, 60);
    assert_true(bear(&c, 0).seat < straight.seat - 0.03);
    clip_free(&c);
}

/* Hands pull a body that leans back and push one that leans forward; feet alone leave a residual of 100 N m. */
TEST(leaning_body_has_a_handrail)
{
    Clip c;
    (void)state;
    read_squat(&c);
    for (int way = -1; way <= 1; way += 2) {
        lean_over(&c, way * 25);
        Borne none = bear(&c, 1), rail = bear(&c, 0);
        assert_near(rail.hands.x, 0, 1e-9); /* both hands alike */
        assert_near(none.rail, 0, 0);
        assert_true(none.left > 100 && rail.left < 0.25 * none.left);
        assert_true(rail.rail > 0.1 && rail.rail < 0.6 && rail.hands.z * way < -0.05);
        assert_near(rail.feet + rail.hands.y, 1, 0.02);
        assert_near(rail.seat, 0, 0);
        turn_body(&c, 0.5 * PI); /* the rail force rotates with the body */
        Borne turned = bear(&c, 0);
        assert_near(turned.rail, rail.rail, 1e-9);
        assert_near(turned.hands.x, rail.hands.z, 1e-9);
        turn_body(&c, -0.5 * PI);
    }
    clip_free(&c);
}

/* Static hands get no load if the feet support the body. */
TEST(static_hands_are_no_handrail)
{
    Clip c;
    (void)state;
    read_squat(&c);
    lean_over(&c, 0);
    Borne borne = bear(&c, 0);
    assert_near(borne.rail, 0, 0);
    assert_near(borne.feet, 1, 0.02);
    clip_free(&c);
}

/* A frame supported by an unrecorded object is reported. */
TEST(presumed_support_is_reported)
{
    Clip c;
    (void)state;
    read_squat(&c);
    lean_over(&c, -25);
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    DifferenceDef difference = difference_default_def();
    ContactEstimateDef def = contact_estimate_default_def();
    assert_int_equal(differentiate(&view, &difference, &c.kinematics, NULL), STATUS_OK);
    assert_int_equal(contact_estimate(&view, &def, &c.contact, NULL), STATUS_OK);
    c.has_kinematics = c.has_contact = c.has_body = 1;
    trust_free(&c.trust);
    assert_int_equal(trust_init(&c.trust, c.motion.frame_count, c.motion.joint_count, 0, NULL), STATUS_OK);
    c.has_trust = 1;
    for (int measured = 0; measured < 2; measured++) {
        c.contact.friction = measured ? 0 : def.friction;
        assert_int_equal(trust_judge(&c, CLIP_CONTACT, NULL), STATUS_OK);
        for (int f = 20; f < c.motion.frame_count - 20; f++)
            assert_int_equal((c.trust.reason[f] & TRUST_PRESUMED_SUPPORT) != 0, !measured);
    }
    assert_string_equal(support_name(SUPPORT_OF_HANDS), "rail");
    clip_free(&c);
}
