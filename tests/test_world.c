/* sim/world: long runs against conserved quantities, known motions, contacts. */
#include "tests/assert_near.h"

#include <stdio.h>
#include <time.h>
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/sim/world.h"
#include "tests/random_clip.h"

/* A random tree on the joint of the given kind, in the pose of its only frame with angular velocities of up to
 * `speed`. */
static World *random_world(Clip *clip, int joints, uint64_t seed, const WorldDef *def, double speed)
{
    World *w = NULL;
    Random r = {seed + 1};
    assert_true(random_clip_init(clip, joints, 1, seed));
    assert_int_equal(world_create(&clip->skeleton, &clip->body, def, &w, NULL), STATUS_OK);
    for (int j = 0; j < joints; j++)
        clip->kinematics.angular_velocity[j] = random_vec3(&r, speed);
    world_set_pose(w, vec3(0, 1, 0), clip->motion.rotation, vec3(0, 0, 0), clip->kinematics.angular_velocity);
    return w;
}

static void a_free_tree_keeps_momentum_and_energy(void **state)
{
    (void)state;
    Clip clip;
    WorldDef def = world_default_def();
    def.gravity = vec3(0, 0, 0);
    World *w = random_world(&clip, 17, 3, &def, 2);
    Vec3 p = world_momentum(w), l = world_angular_momentum(w);
    assert_int_equal(world_step(w, 0.002, NULL), STATUS_OK);
    double e = world_energy(w), least = e, most = e, drift = 0;
    clock_t t = clock();
    for (int i = 0; i < 5000; i++) {
        assert_int_equal(world_step(w, 0.002, NULL), STATUS_OK);
        least = fmin(least, world_energy(w));
        most = fmax(most, world_energy(w));
        drift = fmax(drift, world_joint_drift(w));
    }
    printf("%g s energy %g %g..%g drift %g\n", (double)(clock() - t) / CLOCKS_PER_SEC, e, least, most, drift);
    assert_vec3_near(world_momentum(w), p, 1e-9);
    assert_vec3_near(world_angular_momentum(w), l, 1e-6);
    world_destroy(w);
    clip_free(&clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_tree_keeps_momentum_and_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
