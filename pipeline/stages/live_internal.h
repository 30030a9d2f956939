/* What a character and a scene share (live.h). */
#ifndef KANE_STAGES_LIVE_INTERNAL_H
#define KANE_STAGES_LIVE_INTERNAL_H

#include "analysis/base/arena.h"
#include "pipeline/stages/live.h"

/* A push during the next advance. */
typedef struct LivePush {
    Vec3 force, point; /* N, world; m, axes of the body */
} LivePush;

typedef struct LiveKind {
    size_t size; /* of the struct that begins with a Live */
    Status (*restart)(Live *live, Error *err);
    Status (*step)(Live *live, Error *err); /* one, under the pushes of all bodies */
    void (*read)(Live *live);
    int (*moves)(const Live *live, int body);
    const char *(*name)(const Live *live, int body);
    const char *(*outcome)(const Live *live);
    void (*free)(Live *live);
} LiveKind;

struct Live {
    const LiveKind *kind;
    int count;
    double step, due, time; /* s: of a step; not taken yet; since the start */
    Vec3 *position, *contact, *torque; /* torque NULL: none */
    Quat *orientation;
    LivePush *push; /* [body] */
    Arena memory;
};

/* Makes a simulation of a kind, zeroed; then, once it knows its bodies, their arrays. */
Status live_create(const LiveKind *kind, Live **out, Error *err);
Status live_set_bodies(Live *live, int count, int has_torque, Error *err);

#endif
