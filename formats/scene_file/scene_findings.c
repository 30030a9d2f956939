/* See scene_findings.h. */
#include "formats/scene_file/scene_findings.h"

const FindingInfo scene_findings[SCENE_FINDING_COUNT] = {
    [SCENE_FINDING_TREES - FINDING_KIND_COUNT] =
        {.name = "skeletons", .meaning = "the file has several skeletons, of which one is read"},
    [SCENE_FINDING_KEYS - FINDING_KIND_COUNT] =
        {.name = "keys", .meaning = "keys are not at regular frames: the motion is sampled between them"},
};
