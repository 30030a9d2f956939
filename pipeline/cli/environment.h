/* What the environment fixes: KANE_LANES=1|2|4|8 forces the vector width, so that tests can compare the bits. */
#ifndef KANE_PIPELINE_ENVIRONMENT_H
#define KANE_PIPELINE_ENVIRONMENT_H

#include "analysis/base/status.h"
#include "analysis/math/lane_width.h"

/* LANES_AUTO where the variable is not set; STATUS_USAGE where it makes no sense. */
Status environment_lanes(LaneWidth *lanes, Error *err);

#endif
