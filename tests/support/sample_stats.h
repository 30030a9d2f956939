/* Statistics of a sample clip for the index. */
#ifndef KANE_TESTS_SAMPLE_STATS_H
#define KANE_TESTS_SAMPLE_STATS_H

#include "analysis/stats/clip_stats.h"
#include "tests/support/sample_clip.h"

/* The caller frees it. */
static inline ClipStats sample_stats(int frames, int joints)
{
    Clip clip;
    ClipStats stats;
    assert_int_equal(sample_clip(&clip, frames, joints, 0), 0);
    assert_int_equal(clip_stats_init(&stats, &clip, FRAMES_TRUSTED, NULL), STATUS_OK);
    clip_free(&clip);
    return stats;
}

#endif
