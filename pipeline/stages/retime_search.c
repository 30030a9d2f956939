/* See retime_search.h. */
#include "pipeline/stages/retime_search.h"

#include <math.h>

#include "pipeline/stages/retime_polish.h"
#include "pipeline/stages/retime_rounds.h"
#include "pipeline/stages/retime_scan.h"

enum { MIN_FRAMES = 3 };

static Status search(const RetimeScan *scan, Retimed *out, Error *err)
{
    RetimeRounds rounds;
    Status status = retime_rounds_init(&rounds, scan, err);
    if (status)
        return status;
    status = retime_rounds_run(&rounds, out, err);
    if (!status)
        status = retime_polish(&rounds, out, err);
    out->is_within = isfinite(rounds.kept_time) != 0;
    retime_rounds_free(&rounds);
    return status;
}

/* Searches with flights of the time that the recorded fall gives them and, if that is not enough, of the longest within
 * the error of the fall. */
static Status search_flights(RetimeScan *scan, Retimed *out, Error *err)
{
    Retimed longer = {0};
    Status status = search(scan, out, err);
    if (status || out->is_within || scan->wrong_flights == 0)
        return status;
    flight_rates_lengthen(&scan->flights);
    status = search(scan, &longer, err);
    if (!status && (longer.is_within || longer.overload[0].factor < out->overload[0].factor)) {
        Retimed first = *out;
        *out = longer;
        longer = first;
    }
    retimed_free(&longer);
    return status;
}

Status retime_search(const Clip *clip, const BodyLimits *limits, const TrialPlan *plan, Retimed *out, Error *err)
{
    RetimeScan scan = {.clip = clip, .limits = limits, .plan = plan};
    int frames = clip->motion.frame_count;
    *out = (Retimed){0};
    if (frames < MIN_FRAMES)
        return error_set(err, STATUS_BAD_INPUT, "has %d frame%s: a timing requires %d", frames, frames == 1 ? "" : "s",
                         MIN_FRAMES);
    Status status = retime_scan(&scan, err);
    if (status)
        return status;
    if (!scan.is_within)
        status = search_flights(&scan, out, err);
    out->is_same = scan.is_within;
    out->flights = scan.flights.count;
    out->wrong_flights = scan.wrong_flights;
    retime_scan_free(&scan);
    if (status)
        retimed_free(out);
    return status;
}
