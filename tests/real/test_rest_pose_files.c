/* Real clips with other rest poses have the same masses and torques. */
#include "tests/support/test.h"

#include "tests/support/manifest_clip.h"
#include "tests/support/test_folder.h"
#include "tests/support/rotated_rest.h"

/* From different origins, including a dog, a recording without feet, and skeletons of 15 to 75 joints. */
static const char *const clips[] = {
    "mass__mass_walk", "mass__mass_run", "cmu_cgspeed__02_01", "rokoko__jesse_dance",
    "games105__walk60", "kinect_mae__ah_cut_01", "animdraw__dab", "cmu_daz__10_01", "dog__dog_walk",
    "xsens_style__mova_A_test",
};

static const double turns[][2] = {{1, 10}, {11, 52}};
enum { SEEDS = 3 };

/* Segment masses within 1 % of their own, joint torques within 1 % of the clip's largest. */
static void check_clip(const Clip *plain, const char *path, const char *name, unsigned seed, const double *turn)
{
    Clip turned = rotated_rest_run(path);
    RestDifference d = rotated_rest_compare(plain, &turned);
    if (!(d.mass < 0.01 && d.torque < 0.01))
        print_error("%s, seed %u, turns of %g to %g degrees: mass %g, torque %g\n", name, seed, turn[0], turn[1],
                    d.mass, d.torque);
    assert_true(d.mass < 0.01);
    assert_true(d.torque < 0.01);
    clip_free(&turned);
}

TEST(real_clip_torques_do_not_depend_on_rest_pose)
{
    TestFolder folder = test_folder_make();
    char path[600], from[1100];
    int count = 0;
    snprintf(path, sizeof path, "%s", test_folder_file(&folder, "clip.bvh"));
    for (size_t i = 0; i < sizeof clips / sizeof *clips; i++) {
        snprintf(from, sizeof from, "%s/mocap/%s.bvh", shared_folder(), clips[i]);
        if (access(from, R_OK) || !rotated_rest_write(from, path, 1, 0, 0))
            continue;
        Clip plain = rotated_rest_run(path);
        for (unsigned seed = 1; seed <= SEEDS; seed++)
            for (size_t t = 0; t < sizeof turns / sizeof *turns; t++) {
                assert_true(rotated_rest_write(from, path, seed, turns[t][0], turns[t][1]));
                check_clip(&plain, path, clips[i], seed, turns[t]);
            }
        clip_free(&plain);
        count++;
    }
    test_folder_remove(&folder);
    print_message("%d clips under %d other rest poses each\n", count, 2 * SEEDS);
    if (!count)
        skip();
    assert_int_equal(count, sizeof clips / sizeof *clips);
}
