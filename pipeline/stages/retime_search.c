/* See retime_search.h. */
#include "pipeline/stages/retime_search.h"

#include <math.h>

#include "pipeline/stages/retime_rounds.h"
#include "pipeline/stages/retime_scan.h"

enum { MIN_FRAMES = 3 };

static Status search(const RetimeScan *scan, Retimed *out, Error *err)
{
    RetimeState rounds;
    Status status = retime_state_init(&rounds, scan, err);
    if (status)
        return status;
    status = retime_rounds_run(&rounds, out, err);
    retime_state_free(&rounds);
    return status;
}

Status retime_search(const Clip *clip, const Motion *own, const BodyLimits *limits, const TrialPlan *plan, Retimed *out,
                     Error *err)
{
    RetimeScan scan = {.clip = clip, .own = own, .limits = limits, .plan = plan};
    int frames = clip->motion.frame_count;
    *out = (Retimed){0};
    if (frames < MIN_FRAMES)
        return error_set(err, STATUS_BAD_INPUT, "has %d frame%s: a timing requires %d", frames, frames == 1 ? "" : "s",
                         MIN_FRAMES);
    Status status = retime_scan(&scan, err);
    if (status)
        return status;
    if (!scan.is_within)
        status = search(&scan, out, err);
    out->is_same = scan.is_within;
    out->flights = scan.flights.count;
    out->wrong_flights = scan.wrong_flights;
    retime_scan_free(&scan);
    if (status)
        retimed_free(out);
    return status;
}
