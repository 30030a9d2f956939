/* Torques follow from how a body moves, not from how its file draws it at rest. */
#include "tests/support/assert_near.h"

#include "tests/support/test_folder.h"
#include "tests/support/turned_rest.h"

static const char *const samples[] = {"data/walk.bvh", "data/squat.bvh", "data/jump.bvh"};

/* Degrees from 1 to 52, each joint by another turn. */
static const double turns[][2] = {{1, 10}, {11, 52}};
enum { SEEDS = 3 };

static void check(const Clip *plain, const char *path, unsigned seed, const double *turn)
{
    Clip turned = turned_rest_run(path);
    RestDifference d = turned_rest_compare(plain, &turned);
    if (!(d.torque < 1e-5))
        print_error("seed %u, turns of %g to %g degrees: mass %g, centre %g m, torque %g\n", seed, turn[0],
                    turn[1], d.mass, d.com, d.torque);
    /* what the digits of the file leave */
    assert_true(d.mass < 1e-6);
    assert_true(d.com < 1e-7);
    assert_true(d.torque < 1e-5);
    assert_near(turned.body.stature, plain->body.stature, 1e-6);
    clip_free(&turned);
}

static void another_rest_pose_gives_the_same_torques(void **state)
{
    (void)state;
    TestFolder folder = test_folder_make();
    char path[600];
    snprintf(path, sizeof path, "%s", test_folder_file(&folder, "clip.bvh"));
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        assert_true(turned_rest_write(samples[i], path, 1, 0, 0));
        Clip plain = turned_rest_run(path);
        assert_near(plain.body.total_mass, 70, 1e-12);
        for (unsigned seed = 1; seed <= SEEDS; seed++)
            for (size_t t = 0; t < sizeof turns / sizeof *turns; t++) {
                assert_true(turned_rest_write(samples[i], path, seed, turns[t][0], turns[t][1]));
                check(&plain, path, seed, turns[t]);
            }
        clip_free(&plain);
    }
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_rest_pose_gives_the_same_torques),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
