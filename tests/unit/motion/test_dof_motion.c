/* motion/dof_motion: positions, rates and forces of degrees of freedom from a clip's motion and torques, compared with
 * the model that made them. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/clip/clip_schema.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/dof_motion.h"
#include "analysis/model/model_motion.h"
#include "analysis/sim/scene_clip.h"
#include "formats/model/mjcf.h"
#include "tests/support/random_number.h"

enum { FRAMES = 5 };

/* All kinds of joints: a free trunk; an off-centre hinge with armature and angle offset; two hinges; a slide and a
 * ball. */
static const char every_kind[] =
    "<mujoco><compiler angle=\"radian\"/><option gravity=\"0 -9.81 0\"/><worldbody>"
    "<body name=\"trunk\" pos=\"0 1 0\"><freejoint/>"
    "<inertial pos=\"0.02 0.1 0\" mass=\"5\" diaginertia=\".1 .2 .15\"/>"
    "<body name=\"thigh\" pos=\"0.1 -0.1 0\" quat=\"0.8 0.6 0 0\">"
    "<joint name=\"hip\" pos=\"0.02 0.03 -0.01\" axis=\"1 2 0\" ref=\"0.3\" armature=\"0.05\" "
    "range=\"-1 2\" limited=\"true\"/>"
    "<inertial pos=\"0 -0.2 0\" mass=\"3\" diaginertia=\".05 .02 .05\"/>"
    "<body name=\"shank\" pos=\"0 -0.4 0\" quat=\"0.6 0 0.8 0\"><joint axis=\"0 0 1\"/>"
    "<joint axis=\"0 1 1\" pos=\"0 0.01 0\"/>"
    "<inertial pos=\"0 -0.2 0.03\" mass=\"2\" diaginertia=\".03 .01 .03\"/>"
    "<body name=\"foot\" pos=\"0 -0.4 0.1\"><joint name=\"spring\" type=\"slide\" axis=\"0 1 0\" armature=\"0.2\"/>"
    "<joint name=\"ankle\" type=\"ball\" pos=\"0 0.02 0\"/>"
    "<inertial pos=\"0 -0.02 0.1\" mass=\"1\" diaginertia=\".01 .02 .01\"/>"
    "</body></body></body></body></worldbody></mujoco>";

typedef struct Case {
    Model model;
    ModelMotion motion;
    Clip clip;
    double q[FRAMES][32], v[FRAMES][32], a[FRAMES][32], position[FRAMES][32], effort[FRAMES][32];
} Case;

/* Coordinates of a frame in the model's order, and in that of rows. */
static void draw_frame(Case *c, int f, unsigned *seed)
{
    for (int i = 0; i < c->model.joint_count; i++) {
        const ModelJoint *j = &c->model.joint[i];
        int turns = j->kind == MODEL_BALL || j->kind == MODEL_FREE;
        int places = model_joint_speeds(j->kind) - (turns ? 3 : 0);
        double *row = c->position[f] + j->v_start, *q = c->q[f] + j->q_start;
        for (int k = 0; k < model_joint_speeds(j->kind); k++)
            row[k] = random_number(seed);
        memcpy(q, row, (size_t)places * sizeof *q);
        Quat turn = quat_exp(vec3_scale(vec3(row[places], row[places + 1], row[places + 2]), 0.5));
        if (turns)
            memcpy(q + places, &turn, sizeof turn);
    }
    for (int i = 0; i < c->model.v_count; i++) {
        c->v[f][i] = 3 * random_number(seed);
        c->a[f][i] = 9 * random_number(seed);
    }
}

static void put_frame(Case *c, int f)
{
    Clip *clip = &c->clip;
    model_motion_set(&c->motion, &c->model, c->q[f], c->v[f], c->a[f]);
    model_inverse(&c->model, &c->motion, c->a[f], NULL, c->effort[f]);
    for (int b = 0; b < c->model.body_count; b++) {
        size_t at = motion_index(&clip->motion, f, b);
        int p = clip->skeleton.parent[b];
        Quat up = p < 0 ? QUAT_IDENTITY : c->motion.orientation[p];
        clip->kinematics.position[at] = c->motion.position[b];
        clip->kinematics.orientation[at] = c->motion.orientation[b];
        clip->kinematics.velocity[at] = c->motion.velocity[b];
        clip->kinematics.angular_velocity[at] = c->motion.angular_velocity[b];
        clip->kinematics.acceleration[at] = c->motion.acceleration[b];
        clip->kinematics.angular_acceleration[at] = c->motion.angular_acceleration[b];
        clip->motion.rotation[at] = quat_mul(quat_conjugate(up), c->motion.orientation[b]);
        if (p >= 0)
            clip->motion.translation[at] =
                quat_rotate_inverse(up, vec3_sub(c->motion.position[b], c->motion.position[p]));
    }
    clip->motion.root_position[f] = c->motion.position[0];
    clip->kinematics.valid[f] = 1;
}

static void open_case(Case *c, const char *text)
{
    MjcfDef def = mjcf_default_def();
    MjcfRemarks remarks = {0};
    Error err = {0};
    InverseDynamicsDef dynamics = inverse_dynamics_default_def();
    unsigned seed = 5;
    memset(c, 0, sizeof *c);
    if (mjcf_parse(text, strlen(text), &def, &c->model, &remarks, &err))
        fail_msg("%s", err.text);
    mjcf_remarks_free(&remarks);
    assert_int_equal(model_motion_init(&c->motion, &c->model, NULL), STATUS_OK);
    assert_int_equal(scene_clip_bodies(&c->model, &c->clip, NULL), STATUS_OK);
    int joints = c->model.body_count;
    assert_int_equal(motion_init(&c->clip.motion, FRAMES, joints, 0.01, 1, NULL), STATUS_OK);
    assert_int_equal(kinematics_init(&c->clip.kinematics, FRAMES, joints, 0, NULL), STATUS_OK);
    assert_int_equal(scene_clip_dofs(&c->model, FRAMES, &c->clip, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        draw_frame(c, f, &seed);
        put_frame(c, f);
    }
    ClipView view = clip_view(&c->clip);
    view.kinematics = &c->clip.kinematics;
    dynamics.gravity = c->model.gravity;
    assert_int_equal(inverse_dynamics(&view, NULL, &dynamics, &c->clip.dynamics, NULL), STATUS_OK);
    c->clip.has_kinematics = c->clip.has_dynamics = 1;
}

static void close_case(Case *c)
{
    clip_free(&c->clip);
    model_motion_free(&c->motion);
    model_free(&c->model);
}

static void assert_rows(const Case *c, const double *got, const double (*wanted)[32], double tolerance)
{
    for (int f = 0; f < FRAMES; f++)
        for (int i = 0; i < c->model.v_count; i++)
            assert_near(got[dofs_index(&c->clip.dof, f, i)], wanted[f][i], tolerance);
}

TEST(rows_are_named_and_limited)
{
    static const char *const names[] = {"trunk_tx", "trunk_ty", "trunk_tz", "trunk_rx", "trunk_ry", "trunk_rz", "hip",
                                        "shank1",   "shank2",   "spring",   "ankle_x",  "ankle_y",  "ankle_z"};
    Case c;
    open_case(&c, every_kind);
    const Dofs *d = &c.clip.dof;
    assert_int_equal(d->count, 13);
    for (int i = 0; i < d->count; i++)
        assert_string_equal(d->name[i], names[i]);
    int hip = 6;
    assert_int_equal(d->kind[hip], DOF_HINGE);
    assert_near(d->range[2 * hip], -1, 0);
    assert_near(d->range[2 * hip + 1], 2, 0);
    assert_near(d->armature[hip], 0.05, 0);
    assert_near(d->zero[hip], 0.3, 0);
    assert_near(d->rest_rotation[hip].x, 0.6, 1e-15);
    assert_true(isnan(d->range[0]) && isnan(d->speed_limit[hip]) && isnan(d->effort_limit[2 * hip]));
    assert_int_equal(dofs_is_rotation(d, 2), 0);
    assert_int_equal(dofs_is_rotation(d, 3), 1);
    assert_int_equal(dofs_is_rotation(d, 9), 0);
    assert_int_equal(dofs_check(d, c.clip.skeleton.joint_count, NULL), STATUS_OK);
    close_case(&c);
}

TEST(positions_and_rates_equal_the_models)
{
    Case c;
    DofMisfit misfit;
    open_case(&c, every_kind);
    assert_int_equal(dofs_follow(&c.clip, &misfit, NULL), STATUS_OK);
    assert_rows(&c, c.clip.dof.position, c.position, 1e-10);
    assert_rows(&c, c.clip.dof.velocity, c.v, 1e-9);
    assert_rows(&c, c.clip.dof.acceleration, c.a, 1e-8);
    assert_near(misfit.angle, 0, 1e-11);
    assert_near(misfit.distance, 0, 1e-11);
    close_case(&c);
}

/* Projected joint torques equal the generalised forces of Kane's recursion. */
TEST(efforts_are_generalised_forces)
{
    Case c;
    open_case(&c, every_kind);
    assert_int_equal(dofs_follow(&c.clip, NULL, NULL), STATUS_OK);
    assert_rows(&c, c.clip.dof.effort, c.effort, 1e-8);
    close_case(&c);
}

static const char pair[] =
    "<mujoco><compiler angle=\"radian\"/><option gravity=\"0 -9.81 0\"/><worldbody>"
    "<body name=\"a\"><joint name=\"a\" axis=\"0 0 1\"/>"
    "<inertial pos=\"0.2 0 0\" mass=\"1\" diaginertia=\".01 .01 .01\"/></body>"
    "<body name=\"b\" pos=\"1 0 0\"><joint name=\"b\" axis=\"0 0 1\" ref=\"0.1\" armature=\"0.3\"/>"
    "<inertial pos=\"0.3 0 0\" mass=\"2\" diaginertia=\".02 .02 .02\"/></body>"
    "</worldbody><equality><joint joint1=\"b\" joint2=\"a\" polycoef=\"0.5 2 -1 0 0.25\"/></equality></mujoco>";

/* The independent row does the work of both. */
TEST(coupled_dof_has_effort_in_its_independent_dof)
{
    Case c;
    open_case(&c, pair);
    assert_int_equal(c.clip.dof.coupled_to[1], 0);
    assert_int_equal(c.clip.dof.coupled_to[0], -1);
    assert_int_equal(dofs_follow(&c.clip, NULL, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        double x = c.position[f][0], slope = 2 - 2 * x + x * x * x;
        assert_near(c.clip.dof.effort[2 * f + 1], 0, 0);
        assert_near(c.clip.dof.effort[2 * f], c.effort[f][0] + slope * c.effort[f][1], 1e-10);
    }
    close_case(&c);
}

/* An axis given per frame, that of the first hinge, gives the same result as the hinge. */
TEST(custom_row_has_the_effort_of_its_axis)
{
    Case c;
    open_case(&c, pair);
    Dofs *d = &c.clip.dof;
    d->kind[0] = DOF_CUSTOM;
    assert_int_equal(group_add(GROUP_DOF, d, "moving_axis", NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        d->moving_axis[2 * f] = vec3(0, 0, 1);
        d->position[2 * f] = 40 + f;
    }
    d->coupled_to[1] = -1;
    assert_int_equal(dofs_follow(&c.clip, NULL, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        assert_near(d->position[2 * f], 40 + f, 0);
        assert_near(d->velocity[2 * f], c.v[f][0], 1e-10);
        assert_near(d->effort[2 * f], c.effort[f][0], 1e-10);
    }
    assert_near(d->acceleration[2], (c.v[2][0] - c.v[0][0]) / 0.02, 1e-8);
    close_case(&c);
}

/* The angle of a wheel, from its initial value. */
TEST(hinge_angle_continues_beyond_a_full_turn)
{
    Case c;
    open_case(&c, pair);
    Dofs *d = &c.clip.dof;
    for (int f = 0; f < FRAMES; f++)
        c.clip.motion.rotation[motion_index(&c.clip.motion, f, 1)] = quat_from_axis_angle(vec3(0, 0, 1), 13 + 2.5 * f);
    d->position[0] = 12.5;
    assert_int_equal(dofs_follow(&c.clip, NULL, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++)
        assert_near(d->position[2 * f], 13 + 2.5 * f, 1e-10);
    close_case(&c);
}

TEST(rotation_off_the_axis_is_reported)
{
    Case c;
    DofMisfit misfit;
    open_case(&c, pair);
    size_t at = motion_index(&c.clip.motion, 3, 2);
    Quat off = quat_from_axis_angle(vec3(1, 0, 0), 0.02);
    c.clip.motion.rotation[at] = quat_mul(c.clip.motion.rotation[at], off);
    assert_int_equal(dofs_follow(&c.clip, &misfit, NULL), STATUS_OK);
    assert_near(misfit.angle, 0.02, 1e-6);
    assert_int_equal(misfit.row, 1);
    assert_int_equal(misfit.frame, 3);
    close_case(&c);
}

/* Rows of clip files of earlier versions are in /simulation. */
TEST(unknown_dof_kinds_remain_in_simulation)
{
    Case c;
    open_case(&c, pair);
    Dofs *d = &c.clip.dof;
    d->kind[0] = d->kind[1] = DOF_UNKNOWN;
    d->coupled_to[1] = -1;
    d->position[4] = 7;
    assert_int_equal(simulation_init(&c.clip.simulation, (SimulationSize){FRAMES, 0, 0}, NULL), STATUS_OK);
    c.clip.has_simulation = 1;
    assert_int_equal(dofs_follow(&c.clip, NULL, NULL), STATUS_OK);
    assert_near(d->position[4], 7, 0);
    assert_true(isnan(d->effort[4]));
    clip_drop(&c.clip, CLIP_SIMULATION);
    assert_int_equal(dofs_follow(&c.clip, NULL, NULL), STATUS_OK);
    assert_int_equal(c.clip.has_dof, 0);
    close_case(&c);
}
