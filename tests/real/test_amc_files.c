/* Trials of the CMU library in AMC and as BVH of another exporter: the legs are at the same places. */
#include "tests/support/test.h"

#include "pipeline/stages/import.h"
#include "tests/support/manifest_clip.h"

static const Role legs[] = {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_LEFT_TOE,
                            ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE};

/* Reads a file of ../shared at 120 Hz; returns 0 if it is absent. */
static int read_file(const char *name, Clip *out)
{
    ImportOptions given = import_defaults();
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", shared_folder(), name);
    given.guess.fps = 120;
    return access(path, R_OK) == 0 && import_judge(&given, path, out, NULL, NULL) == STATUS_OK;
}

static Vec3 place(const Clip *clip, int frame, int joint)
{
    const Skeleton *s = &clip->skeleton;
    const Motion *m = &clip->motion;
    Vec3 at = vec3(0, 0, 0);
    for (int j = joint; j > 0; j = s->parent[j])
        at = quat_rotate(m->rotation[motion_index(m, frame, s->parent[j])], vec3_add(s->offset[j], at));
    return vec3_add(m->root_position[frame], at);
}

static void compare(const char *amc, const char *bvh, int frames)
{
    Clip one = {0}, two = {0};
    double largest = 0;
    if (!read_file(amc, &one) || !read_file(bvh, &two)) {
        clip_free(&one);
        skip();
    }
    assert_int_equal(one.motion.frame_count, frames);
    assert_int_equal(two.motion.frame_count, frames);
    for (size_t i = 0; i < sizeof legs / sizeof *legs; i++) {
        int a = skeleton_find_role(&one.skeleton, legs[i]), b = skeleton_find_role(&two.skeleton, legs[i]);
        assert_true(a > 0 && b > 0);
        for (int f = 0; f < frames; f++)
            largest = fmax(largest, vec3_distance(place(&one, f, a), place(&two, f, b)));
    }
    print_message("%s: legs within %.4f mm\n", amc, 1000 * largest);
    assert_true(largest < 1e-4);
    clip_free(&one);
    clip_free(&two);
}

TEST(legs_of_a_long_trial_are_those_of_its_bvh)
{
    (void)state;
    compare("doors/asfamc/01_01.amc", "mocap/cmu_cgspeed__01_01.bvh", 2751);
}

TEST(legs_of_a_walk_are_those_of_its_bvh)
{
    (void)state;
    compare("doors/asfamc/02_01.amc", "mocap/cmu_cgspeed__02_01.bvh", 343);
}
