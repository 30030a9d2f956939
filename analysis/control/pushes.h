/* Pushes on a moving body: a constant force at a point of a segment for some time, in a direction of the world or of
 * the character as it stands when the push begins. World axes with +Y up for clips, SI units. */
#ifndef KANE_CONTROL_PUSHES_H
#define KANE_CONTROL_PUSHES_H

#include "analysis/base/status.h"
#include "analysis/clip/joint_kinematics.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"

typedef struct PushDirection {
    int of_character; /* 1: axis is (left, up, front) of the character; 0: in the world */
    Vec3 axis;        /* unit */
} PushDirection;

typedef struct Push {
    int joint;               /* of the segment that is pushed */
    double force;            /* N */
    PushDirection direction;
    double start, seconds;   /* s; the force acts from start to start + seconds */
    Vec3 point;              /* m, joint axes */
    int has_point;           /* 0: at the centre of mass of the segment */
} Push;

typedef struct Pushes {
    int count;
    Push *push; /* [count] */
} Pushes;

/* Reads forward, back, left, right, up, down (front and backward are synonyms), X, Y, Z, -X, -Y or -Z, in upper or
 * lower case. Returns 1, or 0 for another word. */
int push_direction_parse(const char *word, PushDirection *out);

/* Message for a word that is no direction. */
#define PUSH_DIRECTIONS_EXPECTED "expected forward, back, left, right, up, down, X, Y, Z, -X, -Y or -Z, found \"%s\""

/* Whether a push has a positive force and duration and does not begin before 0. */
int push_is_sound(const Push *push);

/* Fraction of the step from `time` to `time` + dt in which the push acts: over all steps, fractions of dt add up to
 * its duration. */
double push_share(const Push *push, double time, double dt);

/* Unit vector of the direction in the world for a body in one frame of kinematics. Left is the horizontal direction
 * from the right to the left hip, or between the shoulders of a body without hips. STATUS_BAD_INPUT if the character
 * has neither, or if they are above each other. */
Status push_direction(const PushDirection *direction, const Skeleton *skeleton, const Kinematics *now, Vec3 up,
                      Vec3 *out, Error *err);

#endif
