/* pipeline/stages/trim: kept frames have the values that they had. */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/stages/stage_list.h"
#include "tests/support/edited_clip.h"

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
    snprintf(clip.angles.neutral, sizeof clip.angles.neutral, "built from frame 75");
    return clip;
}

TEST(trim_keeps_all_values_of_kept_frames)
{
    Clip whole = opened("data/walk.bvh"), part = opened("data/walk.bvh");
    (void)state;
    run(&whole);
    run(&part);
    edit(&stage_trim, &part, "from", "1");
    assert_int_equal(part.motion.frame_count, whole.motion.frame_count - 60);
    assert_int_equal(clip_groups(&part), clip_groups(&whole));
    assert_true(part.has_trust && part.has_kinematics && part.has_contact && part.has_dynamics && part.has_angles);
    assert_true(count_same_rows(&part, &whole, 60) > 25);
    assert_non_null(strstr(part.provenance.history, "\ntorque"));
    assert_non_null(strstr(part.provenance.history, "\ntrim --from 1"));
    clip_free(&part);
    clip_free(&whole);
}

TEST(reported_frames_are_those_of_the_new_clip)
{
    Clip clip = named_frames();
    (void)state;
    edit(&stage_trim, &clip, "from", "1");
    assert_near(clip.retarget.worst_frame[WORST_slide_increase_cm_s], 10, 0);
    assert_true(isnan(clip.retarget.worst_frame[WORST_residual_after_bw]));
    assert_near(clip.retarget.source_rest_frame, -1, 0);
    assert_near(clip.retarget.target_rest_frame, 12, 0);
    assert_string_equal(clip.angles.neutral, "built from frame 15");
    edit(&stage_trim, &clip, "from", "1.5");
    assert_true(isnan(clip.retarget.worst_frame[WORST_slide_increase_cm_s]));
    assert_string_equal(clip.angles.neutral, "built from a frame that was cut off");
    clip_free(&clip);
    clip = named_frames();
    edit(&stage_resample, &clip, "fps", "120");
    assert_near(clip.retarget.worst_frame[WORST_slide_increase_cm_s], 140, 0);
    assert_near(clip.retarget.target_rest_frame, 12, 0);
    assert_near(clip.retarget.source_rest_frame, -1, 0);
    clip_free(&clip);
}
