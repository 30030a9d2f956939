/* pipeline/stages/mirror: the mirror image of a run is the run of the mirror image. */
#include "tests/support/test.h"

#include <string.h>

#include "pipeline/stages/stage_list.h"
#include "tests/support/edited_clip.h"

static void compare_images(const char *path, double bound)
{
    Clip image = opened(path), made = opened(path);
    run(&image);
    edit(&stage_mirror, &image, NULL, NULL);
    edit(&stage_mirror, &made, NULL, NULL);
    run(&made);
    assert_int_equal(clip_groups(&image), clip_groups(&made));
    size_t frames = (size_t)made.motion.frame_count, joints = (size_t)made.skeleton.joint_count;
    size_t all = frames * joints, angles = frames * (size_t)made.angles.coordinate_count;
    const struct {
        const void *image, *made;
        size_t count;
    } pairs[] = {
        {image.body.mass, made.body.mass, joints},
        {image.body.com, made.body.com, 3 * joints},
        {image.body.inertia, made.body.inertia, 6 * joints},
        {image.kinematics.velocity, made.kinematics.velocity, 3 * all},
        {image.kinematics.angular_acceleration, made.kinematics.angular_acceleration, 3 * all},
        {image.kinematics.com, made.kinematics.com, 3 * frames},
        {image.kinematics.position, made.kinematics.position, 3 * all},
        {image.kinematics.acceleration, made.kinematics.acceleration, 3 * all},
        {image.kinematics.angular_velocity, made.kinematics.angular_velocity, 3 * all},
        {image.contact.foot_force, made.contact.foot_force, 6 * frames},
        {image.contact.foot_cop, made.contact.foot_cop, 6 * frames},
        {image.contact.foot_free_moment, made.contact.foot_free_moment, 6 * frames},
        {image.contact.confidence, made.contact.confidence, frames},
        {image.dynamics.residual_force, made.dynamics.residual_force, 3 * frames},
        {image.angles.power, made.angles.power, angles},
        {image.dynamics.torque, made.dynamics.torque, 3 * all},
        {image.dynamics.force, made.dynamics.force, 3 * all},
        {image.dynamics.power, made.dynamics.power, all},
        {image.dynamics.residual_torque, made.dynamics.residual_torque, 3 * frames},
        {image.angles.moment, made.angles.moment, angles},
        {image.angles.angle, made.angles.angle, angles},
        {image.angles.velocity, made.angles.velocity, angles},
        {image.angles.capacity, made.angles.capacity, angles},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        double off = difference(pairs[i].image, pairs[i].made, pairs[i].count);
        if (!(off <= bound))
            print_error("%s: pair %zu differs by %.3g\n", path, i, off);
        assert_true(off <= bound);
    }
    assert_memory_equal(image.trust.reason, made.trust.reason, frames * sizeof *made.trust.reason);
    clip_free(&image);
    clip_free(&made);
}

/* Mirroring commutes with torque computation, up to the tolerance of the contact solver. */
TEST(mirror_commutes_with_the_pipeline)
{
    compare_images("data/walk.bvh", 1e-11);
    compare_images("data/jump.bvh", 1e-11);
}

TEST(mirroring_twice_restores_all_values)
{
    Clip once = opened("data/walk.bvh"), twice = opened("data/walk.bvh");
    (void)state;
    run(&once);
    run(&twice);
    edit(&stage_mirror, &twice, NULL, NULL);
    assert_true(memcmp(twice.dynamics.torque, once.dynamics.torque,
                       (size_t)once.motion.frame_count * (size_t)once.skeleton.joint_count * sizeof(Vec3)) != 0);
    edit(&stage_mirror, &twice, NULL, NULL);
    assert_true(count_same_rows(&twice, &once, 0) > 25);
    clip_free(&once);
    clip_free(&twice);
}
