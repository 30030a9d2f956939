/* One motion continues as another: a window of frames in which the outgoing motion becomes the incoming one, with
 * planted feet.
 *
 * Rotations change along the geodesic between both, x exp(w log(x* y)), heights and translations along the line, the
 * velocity of the hips along the ground from one to the other: positions would overtake both motions where they drift
 * apart. The weight w has two continuous derivatives. The legs then move the feet in contact as the motion does that
 * owns the contact: the outgoing one before the seam, the incoming one from there on.
 *
 * Reference: K. Shoemake, Animating Rotation with Quaternion Curves (1985); L. Kovar, M. Gleicher, F. Pighin, Motion
 * Graphs (2002), for weights and constraints of a transition. */
#ifndef KANE_TRANSITION_TRANSITION_H
#define KANE_TRANSITION_TRANSITION_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/retarget/foot_contact.h"
#include "analysis/retarget/reference_pose.h"

/* The feet of a clip: soles in a standing pose and contacts. */
typedef struct StandingFeet {
    ReferencePose reference;
    Sole sole[FOOT_COUNT];
    FootContact contact;
    int is_known; /* 0: no body with legs, or no contacts: feet are not planted */
} StandingFeet;

/* contact and kinematics: of the motion as the contact stage read it; NULL contact: is_known 0. Allocates in the
 * arena; skeleton and motion of the clip must outlive *out. */
Status standing_feet_init(StandingFeet *out, const ClipView *clip, const Contact *contact, Arena *arena, Error *err);

/* Frames that are held at either end of a window, at most. */
enum { TRANSITION_MARGIN = 6 };

/* The window: frames 0 .. first and last .. frame_count - 1 stay as in the outgoing and in the incoming motion. */
typedef struct Transition {
    int frame_count, joint_count;
    int first, last;
    int seam;                   /* first frame whose contacts are those of the incoming motion */
    Motion outgoing, incoming;  /* owned; filled by the caller in all frames, in one world */
    Motion blended;             /* owned */
    double *weight;             /* [frame] of the incoming motion */
    FootContact contact;        /* [frame] filled by the caller with transition_contact */
} Transition;

typedef struct TransitionFrames {
    int count, first, last; /* as in Transition */
} TransitionFrames;

/* Allocates motions like `like`; weights rise from first to last with two continuous
 * derivatives. Free with transition_free, also after failure; arrays of contacts are in the arena. */
Status transition_init(Transition *out, TransitionFrames frames, const Motion *like, Arena *arena, Error *err);
void transition_free(Transition *t);

/* Copies the pose of a frame. */
void transition_pose(Motion *to, int frame, const Motion *from, int source);

/* Sets the contacts of a frame of the window to those of a frame of a clip. */
void transition_contact(Transition *t, int frame, const FootContact *from, int source);

/* Fills t->blended; with known feet (of either clip, of the same skeleton) plants them. */
Status transition_make(Transition *t, const Skeleton *skeleton, const StandingFeet *feet, Error *err);

/* The shift along the ground, m, that brings the incoming motion's soles to the outgoing one's at the seam, mean over
 * the feet in contact on both sides of it; *stands: 0 without one. */
Status transition_stance(const Transition *t, const Skeleton *skeleton, const StandingFeet *feet, Vec3 *shift,
                         int *stands, Error *err);

/* The shift along the ground, m, with which the incoming hips end where blended velocities lead. */
Status transition_drift(const Transition *t, const Skeleton *skeleton, Vec3 *shift, Error *err);

#endif
