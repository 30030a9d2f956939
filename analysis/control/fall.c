/* See fall.h. */
#include "analysis/control/fall.h"

#include <math.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

#define DEGREE (PI / 180)
#define STIFFNESS 80.0  /* 1/s2, towards the protective pose */
#define DAMPING 12.0    /* 1/s */
#define LIMP_DAMPING 6.0
#define FADE 0.3        /* s, in which the stiffness fades on the ground */

typedef struct ProtectedJoint {
    Role role; /* on the left or in the midline */
    double angle[3][3]; /* degrees: forwards, backwards, sideways; flexion, abduction, rotation */
} ProtectedJoint;

/* Abduction of an upper arm from 45 degrees on. */
static const ProtectedJoint protected_joints[] = {
    {ROLE_SPINE, {{0, 0, 0}, {-30, 0, 0}, {-10, 0, 0}}},
    {ROLE_CHEST, {{0, 0, 0}, {-20, 0, 0}, {-5, 0, 0}}},
    {ROLE_NECK, {{20, 0, 0}, {-25, 0, 0}, {0, 0, 0}}},
    {ROLE_HEAD, {{15, 0, 0}, {-20, 0, 0}, {0, 0, 0}}},
    {ROLE_LEFT_SHOULDER, {{80, -25, 0}, {-30, 0, 0}, {30, 20, 0}}},
    {ROLE_LEFT_ELBOW, {{35, 0, 0}, {20, 0, 0}, {30, 0, 0}}},
    {ROLE_LEFT_WRIST, {{-40, 0, 0}, {-40, 0, 0}, {-30, 0, 0}}},
    {ROLE_LEFT_HIP, {{15, 5, 0}, {60, 5, 0}, {35, 5, 0}}},
    {ROLE_LEFT_KNEE, {{-35, 0, 0}, {-65, 0, 0}, {-50, 0, 0}}},
    {ROLE_LEFT_ANKLE, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}},
};

Status fall_init(Fall *f, const AnatomicalFrames *frames, int joint_count, Error *err)
{
    size_t joints = (size_t)joint_count;
    PdDef pd = pd_default_def();
    *f = (Fall){.frames = frames};
    f->goal = arena_array(&f->memory, joints, 1, sizeof *f->goal);
    f->from = arena_array(&f->memory, joints, 1, sizeof *f->from);
    f->orientation = arena_array(&f->memory, joints, 1, sizeof *f->orientation);
    f->none = arena_array(&f->memory, joints, 1, sizeof *f->none);
    f->chain = arena_array(&f->memory, joints, 1, sizeof *f->chain);
    if (f->memory.failed)
        return error_no_memory(err);
    return stable_pd_init(&f->pd, joint_count, &pd, err);
}

void fall_free(Fall *f)
{
    stable_pd_free(&f->pd);
    arena_free(&f->memory);
    *f = (Fall){0};
}

/* Direction of a velocity for the body as its legs and trunk face; forwards if it has none. */
static FallDirection find_direction(const Fall *f, const ControlPlant *plant, Vec3 velocity)
{
    Vec3 forward = {0, 0, 1}, right = {-1, 0, 0};
    for (int j = 1; j < f->frames->joint_count; j++)
        if (plant->skeleton->parent[j] == 0 && f->frames->role[j] != ROLE_NONE) {
            Quat axes = quat_mul(plant->kinematics.orientation[0], f->frames->parent[j]);
            forward = quat_rotate(axes, vec3(0, 1, 0));
            right = quat_rotate(axes, vec3(0, 0, 1));
            break;
        }
    double ahead = vec3_dot(velocity, forward), aside = vec3_dot(velocity, right);
    if (fabs(aside) > fabs(ahead))
        return aside > 0 ? FALL_RIGHT : FALL_LEFT;
    return ahead < 0 ? FALL_BACK : FALL_FORWARD;
}

static const ProtectedJoint *find_protected(Role role)
{
    Role own = role >= ROLE_RIGHT_CLAVICLE ? role_mirror(role) : role;
    for (size_t i = 0; i < sizeof protected_joints / sizeof *protected_joints; i++)
        if (protected_joints[i].role == own)
            return &protected_joints[i];
    return NULL;
}

/* Joint rotation of a body in its parent. */
static Quat relative_rotation(const ControlPlant *plant, int joint)
{
    int parent = plant->skeleton->parent[joint];
    Quat own = plant->kinematics.orientation[joint];
    return parent < 0 ? own : quat_mul(quat_conjugate(plant->kinematics.orientation[parent]), own);
}

void fall_begin(Fall *f, const ControlPlant *plant, Vec3 velocity, const Vec3 *torque)
{
    f->direction = find_direction(f, plant, velocity);
    f->time = 0;
    f->stiffness = STIFFNESS;
    int column = f->direction == FALL_FORWARD ? 0 : f->direction == FALL_BACK ? 1 : 2;
    for (int j = 0; j < plant->skeleton->joint_count; j++) {
        int parent = plant->skeleton->parent[j];
        const ProtectedJoint *p = find_protected(f->frames->role[j]);
        f->goal[j] = relative_rotation(plant, j);
        f->from[j] = parent < 0 ? vec3(0, 0, 0) : quat_rotate_inverse(plant->kinematics.orientation[parent], torque[j]);
        if (parent < 0 || !p)
            continue;
        const double *degrees = p->angle[column];
        f->goal[j] = anatomical_rotation(f->frames, j, (AnatomicalAngles){degrees[0] * DEGREE, degrees[1] * DEGREE,
                                                                         degrees[2] * DEGREE});
    }
}

/* The protective pose on the root as it is, at rest. */
static Desired find_goal(Fall *f, const ControlPlant *plant)
{
    const Skeleton *s = plant->skeleton;
    for (int j = 0; j < s->joint_count; j++)
        f->orientation[j] = s->parent[j] < 0 ? plant->kinematics.orientation[j]
                                             : quat_mul(f->orientation[s->parent[j]], f->goal[j]);
    return (Desired){.orientation = f->orientation, .angular_velocity = f->none, .angular_acceleration = f->none};
}

Status fall_torques(Fall *f, const ControlPlant *plant, int lies, Vec3 *torque, Error *err)
{
    Desired goal = find_goal(f, plant);
    PdDef *def = &f->pd.def;
    f->stiffness = f->is_limp ? 0 : lies ? fmax(0, f->stiffness - STIFFNESS / FADE * plant->dt) : f->stiffness;
    def->gains.stiffness = f->stiffness;
    def->gains.damping = f->stiffness > 0 ? DAMPING : LIMP_DAMPING;
    f->pd.feedforward = f->none;
    f->pd.root_is_free = 1;
    chains_find(plant, f->chain);
    Status status = stable_pd_torques(&f->pd, plant, f->chain, &goal, torque, err);
    double share = fmin(1, f->time / FALL_BLEND);
    for (int j = 0; !status && j < plant->skeleton->joint_count; j++) {
        int parent = plant->skeleton->parent[j];
        Vec3 before = parent < 0 ? vec3(0, 0, 0) : quat_rotate(plant->kinematics.orientation[parent], f->from[j]);
        torque[j] = parent < 0 ? before : vec3_mad(vec3_scale(before, 1 - share), share, torque[j]);
    }
    f->time += plant->dt;
    return status;
}
