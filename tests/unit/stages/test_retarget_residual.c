/* pipeline/stages/retarget_residual: uses the frames trusted before, whatever the flags of the result. */
#include <math.h>

#include "analysis/base/standard_gravity.h"
#include "pipeline/stages/retarget_residual.h"
#include "tests/support/test.h"

enum { FRAMES = 4, CULPRIT = 2 };
static const double mass = 80;

/* A body with a residual of a tenth of its weight in each frame, and half of it in one. */
static Clip made_clip(void)
{
    static Vec3 force[FRAMES];
    static uint8_t valid[FRAMES];
    for (int f = 0; f < FRAMES; f++) {
        force[f] = (Vec3){0, (f == CULPRIT ? 0.5 : 0.1) * mass * GRAVITY, 0};
        valid[f] = 1;
    }
    Clip clip = {.has_body = 1, .has_kinematics = 1, .has_dynamics = 1};
    clip.body.total_mass = mass;
    clip.motion.frame_count = FRAMES;
    clip.dynamics.residual_force = force;
    clip.kinematics.valid = valid;
    return clip;
}

TEST(frames_trusted_in_source_are_included)
{
    Clip clip = made_clip();
    Trust before;
    double worst = NAN;
    (void)state;
    assert_int_equal(trust_init(&before, FRAMES, 1, 0, NULL), STATUS_OK);
    assert_near(retarget_residual(&clip, &before, &worst), sqrt((3 * 0.01 + 0.25) / 4), 1e-15);
    assert_near(worst, CULPRIT, 0);
    before.reason[CULPRIT] = TRUST_UNEXPLAINED;
    trust_settle(&before);
    assert_near(retarget_residual(&clip, &before, NULL), 0.1, 1e-15);
    for (int f = 0; f < FRAMES; f++)
        before.reason[f] = TRUST_EDGE;
    trust_settle(&before);
    assert_true(isnan(retarget_residual(&clip, &before, NULL)));
    trust_free(&before);
}
