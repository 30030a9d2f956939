/* pipeline/stages trim, mirror and resample of a clip with torques: kept results equal those that the stages would
 * compute. */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/motion/resample.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/pipeline.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"
#include "tests/support/same_clip.h"

static Clip opened(const char *path)
{
    Pipeline chain = pipeline_defaults();
    Clip clip;
    assert_int_equal(pipeline_open(&chain, path, &clip, NULL, NULL), STATUS_OK);
    return clip;
}

static void run(Clip *clip)
{
    Pipeline chain = pipeline_defaults();
    Error err;
    Status status = pipeline_run(&chain, clip, NULL, &err);
    if (status)
        fail_msg("%s", err.text);
}

static void edit(const Stage *stage, Clip *clip, const char *name, const char *text)
{
    OptionValues values;
    stage_defaults(stage, &values);
    const Option *option = name ? option_find(stage->command.options, name) : NULL;
    if (option)
        assert_int_equal(option->kind->parse(option, text, values.bytes + option->offset, NULL), STATUS_OK);
    assert_int_equal(stage_apply(stage, &values, clip, NULL, NULL), STATUS_OK);
}

/* Bytes of each per-frame array, from frame `first` of the whole clip on. */
static int count_same_rows(const Clip *part, const Clip *whole, int first)
{
    int count = 0;
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *dataset = &schema_datasets[i];
        if (dataset->dim[0] != DIM_FRAME || dataset->flags & SCHEMA_COPY || !schema_has_dataset(whole, dataset))
            continue;
        assert_true(is_same_array(part, whole, dataset, (size_t)first));
        count++;
    }
    return count;
}

TEST(trim_keeps_every_number_of_the_frames_that_stay)
{
    Clip whole = opened("data/walk.bvh"), part = opened("data/walk.bvh");
    (void)state;
    run(&whole);
    run(&part);
    edit(&stage_trim, &part, "from", "1");
    assert_int_equal(part.motion.frame_count, whole.motion.frame_count - 60);
    assert_int_equal(clip_groups(&part), clip_groups(&whole));
    assert_true(part.has_trust && part.has_kinematics && part.has_contact && part.has_dynamics && part.has_anatomy);
    assert_true(count_same_rows(&part, &whole, 60) > 25);
    assert_non_null(strstr(part.provenance.history, "\ntorque"));
    assert_non_null(strstr(part.provenance.history, "\ntrim --from 1"));
    clip_free(&part);
    clip_free(&whole);
}

/* A clip whose frame f is at f / 60 s, with arrays that identify its frames. */
static Clip named_frames(void)
{
    Clip clip = opened("data/walk.bvh");
    run(&clip);
    clip.has_retarget = 1;
    clip.retarget = retarget_score_unknown();
    clip.retarget.worst_frame[WORST_slide_increase_cm_s] = 70;
    clip.retarget.worst_frame[WORST_residual_after_bw] = 59;
    clip.retarget.source_rest_frame = -1;
    clip.retarget.target_rest_frame = 12;
    snprintf(clip.anatomy.neutral, sizeof clip.anatomy.neutral, "built from frame 75");
    return clip;
}

TEST(named_frames_are_those_of_the_new_clip)
{
    Clip clip = named_frames();
    (void)state;
    edit(&stage_trim, &clip, "from", "1");
    assert_near(clip.retarget.worst_frame[WORST_slide_increase_cm_s], 10, 0);
    assert_true(isnan(clip.retarget.worst_frame[WORST_residual_after_bw]));
    assert_near(clip.retarget.source_rest_frame, -1, 0);
    assert_near(clip.retarget.target_rest_frame, 12, 0);
    assert_string_equal(clip.anatomy.neutral, "built from frame 15");
    edit(&stage_trim, &clip, "from", "1.5");
    assert_true(isnan(clip.retarget.worst_frame[WORST_slide_increase_cm_s]));
    assert_string_equal(clip.anatomy.neutral, "built from a frame that was cut off");
    clip_free(&clip);
    clip = named_frames();
    edit(&stage_resample, &clip, "fps", "120");
    assert_near(clip.retarget.worst_frame[WORST_slide_increase_cm_s], 140, 0);
    assert_near(clip.retarget.target_rest_frame, 12, 0);
    assert_near(clip.retarget.source_rest_frame, -1, 0);
    clip_free(&clip);
}

/* Largest difference of two arrays, relative to the largest value of the second. */
static double difference(const void *a, const void *b, size_t count)
{
    const double *x = a, *y = b;
    double most = 0, largest = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(x[i]) && isnan(y[i]))
            continue;
        assert_false(isnan(x[i]) || isnan(y[i]));
        most = fmax(most, fabs(x[i] - y[i]));
        largest = fmax(largest, fabs(y[i]));
    }
    return largest > 0 ? most / largest : most;
}

static void compare_images(const char *path, double bound)
{
    Clip image = opened(path), made = opened(path);
    run(&image);
    edit(&stage_mirror, &image, NULL, NULL);
    edit(&stage_mirror, &made, NULL, NULL);
    run(&made);
    assert_int_equal(clip_groups(&image), clip_groups(&made));
    size_t frames = (size_t)made.motion.frame_count, joints = (size_t)made.skeleton.joint_count;
    size_t all = frames * joints, angles = frames * (size_t)made.anatomy.coordinate_count;
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
        {image.anatomy.power, made.anatomy.power, angles},
        {image.dynamics.torque, made.dynamics.torque, 3 * all},
        {image.dynamics.force, made.dynamics.force, 3 * all},
        {image.dynamics.power, made.dynamics.power, all},
        {image.dynamics.residual_torque, made.dynamics.residual_torque, 3 * frames},
        {image.anatomy.moment, made.anatomy.moment, angles},
        {image.anatomy.angle, made.anatomy.angle, angles},
        {image.anatomy.velocity, made.anatomy.velocity, angles},
        {image.anatomy.capacity, made.anatomy.capacity, angles},
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
TEST(mirror_of_a_run_is_the_run_of_the_mirror)
{
    compare_images("data/walk.bvh", 1e-11);
    compare_images("data/jump.bvh", 1e-11);
}

TEST(mirrored_twice_every_number_is_as_it_was)
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

/* RMS torque difference over joints and frames trusted in both, relative to the RMS torque. */
static double torque_difference(const Clip *often, const Clip *clip, int step)
{
    double off = 0, all = 0;
    for (int f = 0; f < clip->motion.frame_count; f++)
        for (int j = 0; j < clip->skeleton.joint_count; j++) {
            if (!clip_counts_frame(clip, f, FRAMES_TRUSTED) || !clip_counts_frame(often, f * step, FRAMES_TRUSTED))
                continue;
            Vec3 a = often->dynamics.torque[motion_index(&often->motion, f * step, j)];
            Vec3 b = clip->dynamics.torque[motion_index(&clip->motion, f, j)];
            off += vec3_dot(vec3_sub(a, b), vec3_sub(a, b));
            all += vec3_dot(b, b);
        }
    return sqrt(off / all);
}

TEST(resample_computes_the_torques_again)
{
    Clip clip = opened("data/walk.bvh"), often = opened("data/walk.bvh");
    OptionValues values;
    (void)state;
    run(&clip);
    run(&often);
    stage_defaults(&stage_resample, &values);
    *(double *)&values = 120;
    assert_int_equal(stage_resample.apply_and_recompute(&values, &often, NULL, NULL), STATUS_OK);
    assert_int_equal(often.motion.frame_count, 2 * clip.motion.frame_count - 1);
    assert_int_equal(clip_groups(&often), clip_groups(&clip));
    assert_true(trust_fraction(&often.trust) > 0.95);
    double off = torque_difference(&often, &clip, 2);
    print_message("torques at 120 and at 60 frames/s differ by %.3g of their RMS\n", off);
    assert_true(off < 0.1);
    clip_free(&clip);
    clip_free(&often);
}

TEST(measured_forces_go_from_frame_to_frame)
{
    Contact from, to;
    Motion now;
    (void)state;
    assert_int_equal(contact_init(&from, 2, 1, 0, NULL), STATUS_OK);
    assert_int_equal(motion_init(&now, 3, 1, 0.05, 0, NULL), STATUS_OK);
    from.force[0] = from.foot_force[0] = vec3(0, 100, 0);
    from.force[1] = from.foot_force[FOOT_COUNT] = vec3(0, 300, 40);
    from.foot_cop[0] = vec3(1, 0, 0);
    from.foot_cop[FOOT_COUNT] = vec3(2, 0, 0);
    assert_int_equal(contact_resample(&from, 0, 0.1, &now, &to, NULL), STATUS_OK);
    assert_vec3_near(to.force[1], vec3(0, 200, 20), 1e-12);
    assert_vec3_near(to.foot_force[FOOT_COUNT], vec3(0, 200, 20), 1e-12);
    assert_vec3_near(to.foot_cop[FOOT_COUNT], vec3(1.75, 0, 0), 1e-12); /* by memory per frame */
    assert_vec3_near(to.force[2], vec3(0, 300, 40), 1e-12);
    contact_free(&from);
    contact_free(&to);
    motion_free(&now);
}
