/* Kinds of findings in animation files. */
#ifndef KANE_SCENE_FILE_SCENE_FINDINGS_H
#define KANE_SCENE_FILE_SCENE_FINDINGS_H

#include "analysis/detect/findings.h"

enum { SCENE_FINDING_TREES = FINDING_KIND_COUNT, SCENE_FINDING_KEYS, SCENE_FINDINGS_END };
enum { SCENE_FINDING_COUNT = SCENE_FINDINGS_END - FINDING_KIND_COUNT };

extern const FindingInfo scene_findings[SCENE_FINDING_COUNT];

#endif
