/* Inspects a BVH read with def.tolerant like kane check: findings are appended to bvh->findings. */
#ifndef KANE_TESTS_INSPECT_BVH_H
#define KANE_TESTS_INSPECT_BVH_H

#include "analysis/quality/take_findings.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_repair.h"

static inline Status inspect_bvh(Bvh *bvh, const ImportGuessDef *def, const Skeleton *family, Error *err)
{
    Take take;
    Status status = take_of_tolerant_bvh(bvh, &take, err);
    take.findings = bvh->findings;
    if (!status)
        status = take_inspect(&take, def, family, err);
    bvh->findings = take.findings;
    take.findings = (Findings){0};
    take_free(&take);
    return status;
}

#endif
