/* Frames of an OpenSim model: bodies, and frames that are offset from them, in a joint, a body, the ground or the model
 * itself. */
#ifndef KANE_OPENSIM_OSIM_FRAMES_H
#define KANE_OPENSIM_OSIM_FRAMES_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/math/quat.h"
#include "formats/base/xml_tree.h"

typedef struct OsimFrame {
    Vec3 x;
    Quat q;
} OsimFrame;

OsimFrame osim_frame_product(OsimFrame a, OsimFrame b);
OsimFrame osim_frame_inverse(OsimFrame a);

/* angles: body-fixed, about x, y and z, rad. */
OsimFrame osim_frame(Vec3 x, Vec3 angles);

/* The offset frames of a model. */
typedef struct OsimFrames {
    const XmlElement **frame; /* [count], of an arena */
    int count;
} OsimFrames;

/* Lists the frames below an element. STATUS_LIMIT for more than OSIM_MAX_FRAMES. */
enum { OSIM_MAX_FRAMES = 16384 };
Status osim_frames_list(const XmlElement *model, Arena *memory, OsimFrames *out, Error *err);

/* Where a frame is. */
typedef struct OsimPlace {
    const char *body; /* name of the body that carries it, "ground", or what leads to no body */
    OsimFrame frame;  /* in axes of the body */
} OsimPlace;

/* Finds the frame that a path of the element `user` names, such as "/bodyset/calcn_r/sole", "calcn_offset" or "..".
 * STATUS_BAD_INPUT with the line for frames that form a circle or have no numbers. */
Status osim_frame_find(const OsimFrames *frames, const XmlElement *user, const char *path, OsimPlace *out, Error *err);

/* Returns the text of the first of these children (ended by NULL) that the element has, "" without one. */
const char *osim_first_text(const XmlElement *element, const char *const *names);

#endif
