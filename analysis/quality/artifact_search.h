/* Detection of all artifacts of a recording, which import runs before anything is smoothed. */
#ifndef KANE_QUALITY_ARTIFACT_SEARCH_H
#define KANE_QUALITY_ARTIFACT_SEARCH_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/quality/artifacts.h"

/* Finds artifacts of all kinds, ordered by their first frame. *`artifacts` must be (Artifacts){0}. */
Status artifacts_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

#endif
