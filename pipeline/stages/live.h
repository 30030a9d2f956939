/* A simulation that advances while time passes: a character that tracks a clip, or a scene. Bodies are pushed between
 * calls; poses and forces are read after each. Bodies of a character are the joints of its clip, those of a scene the
 * bodies of its file, without the world. World axes with +Y up, SI units. */
#ifndef KANE_STAGES_LIVE_H
#define KANE_STAGES_LIVE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/math/quat.h"
#include "pipeline/stages/simulate_options.h"
#include "pipeline/stages/track_options.h"

typedef struct Live Live;

/* Valid until the next call that changes the simulation. */
typedef struct LiveBodies {
    int count;
    double time;              /* s, since the start */
    const Vec3 *position;     /* [body] m, of its joint, or of the origin of its frame */
    const Quat *orientation;  /* [body] to the world */
    const Vec3 *contact;      /* [body] N, contact force, mean over the last step */
    const Vec3 *torque;       /* [body] N m, of its joint's motors in the last step, on the body; NULL: of a scene */
} LiveBodies;

/* Values of the track stage that a character has unless others are given: a free root, kane-feedforward. */
void live_track_defaults(OptionValues *values);

/* A character that follows the motion of a clip, and holds its last pose afterwards. The clip must outlive *out, and
 * not change. values: of the track stage, resolved as by it; with all controllers it is kane-feedforward. */
Status live_track(const OptionValues *values, const Clip *clip, Live **out, Error *err);

/* A scene of an MJCF file. */
Status live_scene(const SimulateOptions *options, const char *path, Live **out, Error *err);

void live_free(Live *live);

/* Back to the initial state. */
Status live_restart(Live *live, Error *err);

/* Pushes a body during the next live_advance: N, at a point that moves with the body, given by its present place, m.
 * Calls add up. STATUS_USAGE for a body that does not exist or is fixed to the world, or a force that is not finite. */
Status live_push(Live *live, int body, Vec3 force, Vec3 point, Error *err);

/* Takes the steps that are due after `seconds` more, 0 to LIVE_MAX_SECONDS. STATUS_NO_RESULT if the simulation
 * diverges. */
#define LIVE_MAX_SECONDS 10.0
Status live_advance(Live *live, double seconds, Error *err);

LiveBodies live_bodies(const Live *live);

/* Name of a body; NULL: no such body. */
const char *live_body_name(const Live *live, int body);

/* What became of a character so far: TrackingOutcome's name; "" for a scene. */
const char *live_outcome(const Live *live);

#endif
