/* pipeline/stages/resample: torques are computed again, measured forces interpolated. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/motion/resample.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/smooth_options.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"
#include "tests/support/edited_clip.h"

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

/* At a cutoff far below half of both rates. */
static void run_at_8_hz(Clip *clip)
{
    Pipeline pipeline = pipeline_defaults();
    for (int i = 0; i < PIPELINE_LENGTH; i++)
        if (pipeline_stages[i] == &stage_smooth)
            ((SmoothOptions *)&pipeline.stage[i])->def.cutoff = 8;
    assert_int_equal(pipeline_run(&pipeline, clip, NULL, NULL), STATUS_OK);
}

TEST(resample_recomputes_torques)
{
    Clip clip = opened("data/walk.bvh"), often = opened("data/walk.bvh");
    OptionValues values;
    (void)state;
    run_at_8_hz(&clip);
    run_at_8_hz(&often);
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

TEST(measured_forces_are_resampled)
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
