/* The simulator: a humanoid of 17 bodies at 0.01 s, its root driven along a path, a damper in every joint; the same
 * standing on eight points of the ground, its contacts pivoted and swept; what a body costs in trees of growing size.
 *
 * Rows `name value unit`; medians over the rounds, one core. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/math/elementary.h"
#include "analysis/sim/joint_tree.h"
#include "analysis/sim/world.h"
#include "tests/bench/stopwatch.h"

enum { BODIES = 17, STEPS = 200, ROUNDS = 11 };

#define DT 0.01 /* s */

/* Pelvis, spine, chest, neck, head; arm, forearm, hand and thigh, shank, foot on each side. */
static const int parent[BODIES] = {-1, 0, 1, 2, 3, 2, 5, 6, 2, 8, 9, 0, 11, 12, 0, 14, 15};
static const Vec3 offset[BODIES] = {{0, 0.95, 0},     {0, 0.1, 0},      {0, 0.2, 0},  {0, 0.25, 0},   {0, 0.1, 0},
                                    {0.18, 0.2, 0},   {0.28, 0, 0},     {0.25, 0, 0}, {-0.18, 0.2, 0}, {-0.28, 0, 0},
                                    {-0.25, 0, 0},    {0.09, -0.05, 0}, {0, -0.42, 0}, {0, -0.42, 0}, {-0.09, -0.05, 0},
                                    {0, -0.42, 0},    {0, -0.42, 0}};
static const double mass[BODIES] = {8, 9, 14, 1, 4.5, 2, 1.2, 0.5, 2, 1.2, 0.5, 9, 3.5, 1, 9, 3.5, 1};

static World *humanoid(JointKind root, double ground, FrictionModel model)
{
    Skeleton skeleton = {0};
    Body body = {0};
    World *w = NULL;
    WorldDef def = world_default_def();
    def.root = root;
    def.ground_height = ground;
    def.friction_model = model;
    if (skeleton_init(&skeleton, BODIES, 0, NULL) || body_init(&body, BODIES, NULL))
        goto done;
    for (int j = 0; j < BODIES; j++) {
        double i = mass[j] * 0.01;
        skeleton.parent[j] = parent[j];
        skeleton.offset[j] = offset[j];
        body.mass[j] = mass[j];
        body.com[j] = j < 5 ? vec3(0, 0.08, 0) : j < 11 ? vec3(j < 8 ? 0.1 : -0.1, 0, 0) : vec3(0, -0.15, 0);
        body.inertia[j] = (Sym3){i, 0.8 * i, 1.1 * i, 0, 0, 0};
    }
    if (world_create(&skeleton, &body, &def, &w, NULL))
        goto done;
    for (int i = 0; i < 8; i++)
        world_add_ground_point(w, i < 4 ? 13 : 16, vec3(i & 1 ? 0.04 : -0.04, -0.06, i & 2 ? 0.15 : -0.05), NULL);
done:
    skeleton_free(&skeleton);
    body_free(&body);
    return w;
}

/* Torques of dampers and weak springs towards the rest pose. */
static void brace(World *w, double stiffness)
{
    for (int j = 1; j < BODIES; j++) {
        Quat up = world_orientation(w, parent[j]), own = world_orientation(w, j);
        Vec3 bend = vec3_scale(quat_log(quat_mul(own, quat_conjugate(up))), -2 * stiffness);
        Vec3 spin = vec3_sub(world_angular_velocity(w, parent[j]), world_angular_velocity(w, j));
        world_apply_torque(w, j, vec3_mad(bend, 0.5, spin));
    }
}

/* Seconds of computing a simulated second; negative where a step fails. */
static double time_driven(void)
{
    World *w = humanoid(JOINT_SPHERICAL, -INFINITY, FRICTION_CONE);
    double start = wall_seconds(), result = -1;
    for (int i = 1; w && i <= STEPS; i++) {
        double t = DT * i;
        Vec3 path = vec3(0.2 * elementary_sin(4 * t), 0.95 + 0.1 * elementary_sin(9 * t), 0.8 * t);
        world_drive_root(w, path, QUAT_IDENTITY, vec3(0, 0, 0), vec3(0, 0, 0));
        brace(w, 4);
        if (world_step(w, DT, NULL))
            goto done;
    }
    result = w ? (wall_seconds() - start) / (STEPS * DT) : -1;
done:
    world_destroy(w);
    return result;
}

static double time_standing(FrictionModel model)
{
    World *w = humanoid(JOINT_FREE, 0, model);
    double start = wall_seconds(), result = -1;
    for (int i = 0; w && i < 50; i++) {
        brace(w, 60);
        if (world_step(w, DT, NULL))
            goto done;
    }
    result = w ? (wall_seconds() - start) / (50 * DT) : -1;
done:
    world_destroy(w);
    return result;
}

/* Microseconds a body to factor and solve a chain of spherical joints. */
static double time_tree(int bodies)
{
    JointTree t;
    double result = -1, *y = calloc((size_t)(9 * bodies), sizeof *y);
    if (!y || joint_tree_init(&t, bodies, NULL)) {
        free(y);
        return result;
    }
    for (int i = 0; i < bodies; i++) {
        t.body[i].parent = i - 1;
        t.body[i].row_count = i ? 3 : 0;
    }
    if (joint_tree_arrange(&t, NULL))
        goto done;
    int repeats = 20000 / bodies + 1;
    double spent = 0;
    for (int r = 0; r < repeats; r++) {
        for (int i = 0; i < bodies; i++)
            for (int k = 0; k < 6; k++) {
                for (int l = 0; l < 6; l++)
                    t.body[i].mass[6 * k + l] = k == l ? 1 + k : 0;
                for (int l = 0; l < 3; l++)
                    t.body[i].child_rows[6 * l + k] = k == l, t.body[i].parent_rows[6 * l + k] = -(k == l);
            }
        double start = wall_seconds();
        if (joint_tree_factor(&t, NULL))
            goto done;
        joint_tree_solve(&t, y);
        spent += wall_seconds() - start;
    }
    result = 1e6 * spent / repeats / bodies;
done:
    joint_tree_free(&t);
    free(y);
    return result;
}

int main(void)
{
    static const char *const model_name[] = {"cone", "box", "gauss_seidel"};
    const int size[] = {17, 170, 1700};
    double value[ROUNDS];
    for (int r = 0; r < ROUNDS; r++)
        value[r] = time_driven();
    double driven = median(value, ROUNDS);
    double standing[3];
    for (int model = FRICTION_CONE; model <= FRICTION_GAUSS_SEIDEL; model++) {
        for (int r = 0; r < ROUNDS; r++)
            value[r] = time_standing((FrictionModel)model);
        standing[model] = median(value, ROUNDS);
        if (!(driven > 0) || !(standing[model] > 0))
            return 1;
    }
    printf("world_humanoid_step %.4g us\n", 1e6 * driven * DT);
    printf("world_humanoid_faster_than_real_time %.4g x\n", 1 / driven);
    for (int model = FRICTION_CONE; model <= FRICTION_GAUSS_SEIDEL; model++)
        printf("world_standing_%s_step %.4g us\n", model_name[model], 1e6 * standing[model] * DT);
    printf("world_standing_faster_than_real_time %.4g x\n", 1 / standing[FRICTION_CONE]);
    for (int i = 0; i < 3; i++) {
        for (int r = 0; r < ROUNDS; r++)
            value[r] = time_tree(size[i]);
        printf("joint_tree_%d_bodies %.4g us_a_body\n", size[i], median(value, ROUNDS));
    }
    return 0;
}
