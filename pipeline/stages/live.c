/* See live.h; live_actor.c and live_scene.c have the two kinds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/stages/live_internal.h"

#define SHORT 1e-9 /* of a step: rounding of sums of durations */

Status live_create(const LiveKind *kind, Live **out, Error *err)
{
    *out = array_new(1, 1, kind->size);
    if (!*out)
        return error_no_memory(err);
    (*out)->kind = kind;
    return STATUS_OK;
}

Status live_set_bodies(Live *live, int count, int has_torque, Error *err)
{
    size_t bodies = (size_t)count;
    live->count = count;
    live->position = arena_array(&live->memory, bodies, 1, sizeof *live->position);
    live->orientation = arena_array(&live->memory, bodies, 1, sizeof *live->orientation);
    live->contact = arena_array(&live->memory, bodies, 1, sizeof *live->contact);
    live->torque = has_torque ? arena_array(&live->memory, bodies, 1, sizeof *live->torque) : NULL;
    live->push = arena_array(&live->memory, bodies, 1, sizeof *live->push);
    return live->memory.failed ? error_no_memory(err) : STATUS_OK;
}

void live_free(Live *live)
{
    if (!live)
        return;
    live->kind->free(live);
    arena_free(&live->memory);
    free(live);
}

static void clear_pushes(Live *live) { memset(live->push, 0, (size_t)live->count * sizeof *live->push); }

Status live_restart(Live *live, Error *err)
{
    live->due = live->time = 0;
    clear_pushes(live);
    Status status = live->kind->restart(live, err);
    if (!status)
        live->kind->read(live);
    return status;
}

static int is_finite(Vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

Status live_push(Live *live, int body, Vec3 force, Vec3 point, Error *err)
{
    if (body < 0 || body >= live->count)
        return error_set(err, STATUS_USAGE, "body %d of %d: the first is 0", body, live->count);
    if (!is_finite(force) || !is_finite(point))
        return error_set(err, STATUS_USAGE, "a push on body %d that is not finite", body);
    if (!live->kind->moves(live, body))
        return error_set(err, STATUS_USAGE, "body %d, \"%s\", is fixed to the world", body, live_body_name(live, body));
    LivePush *push = &live->push[body];
    Vec3 own = quat_rotate_inverse(live->orientation[body], vec3_sub(point, live->position[body]));
    Vec3 sum = vec3_add(push->force, force);
    double share = vec3_norm(sum) > 0 ? vec3_norm(force) / (vec3_norm(force) + vec3_norm(push->force)) : 1;
    push->point = vec3_lerp(push->point, own, share);
    push->force = sum;
    return STATUS_OK;
}

Status live_advance(Live *live, double seconds, Error *err)
{
    if (!(seconds >= 0 && seconds <= LIVE_MAX_SECONDS))
        return error_set(err, STATUS_USAGE, "an advance of %g s: it is 0 to %g s", seconds, LIVE_MAX_SECONDS);
    Status status = STATUS_OK;
    live->due += seconds;
    for (; !status && live->due >= (1 - SHORT) * live->step; live->due -= live->step) {
        status = live->kind->step(live, err);
        live->time += status ? 0 : live->step;
    }
    clear_pushes(live);
    live->kind->read(live);
    return status;
}

LiveBodies live_bodies(const Live *live)
{
    return (LiveBodies){live->count, live->time, live->position, live->orientation, live->contact, live->torque};
}

const char *live_body_name(const Live *live, int body)
{
    return body >= 0 && body < live->count ? live->kind->name(live, body) : NULL;
}

const char *live_outcome(const Live *live) { return live->kind->outcome(live); }
