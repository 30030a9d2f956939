/* Trust in a clip as read: its capture artifacts, as flagged by `kane import`. */
#ifndef KANE_TESTS_SOURCE_TRUST_H
#define KANE_TESTS_SOURCE_TRUST_H

#include "analysis/quality/artifact_search.h"
#include "analysis/quality/artifacts.h"

/* On failure *trust is empty. */
static inline Status source_trust(const Skeleton *skeleton, const Motion *motion, Trust *trust, Error *err)
{
    Artifacts artifacts = {0};
    Status status = trust_init(trust, motion->frame_count, motion->joint_count, 0, err);
    if (!status)
        status = artifacts_find(skeleton, motion, &artifacts, err);
    if (!status)
        status = artifacts_mark(skeleton, &artifacts, trust, err);
    artifacts_free(&artifacts);
    if (status)
        trust_free(trust);
    return status;
}

#endif
