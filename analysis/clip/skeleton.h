/* The tree of joints and its rest pose: group /skeleton of a container.
 *
 * Body j is the rigid segment that moves with joint j; its joint centre is its proximal end. parent[j] < j, the root
 * is joint 0 with parent -1. Lengths in m, world axes +Y up. */
#ifndef KANE_CLIP_SKELETON_H
#define KANE_CLIP_SKELETON_H

#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/math/vec.h"

/* Anatomical roles of joints: the names that clips of all origins share.
 *
 * A role names the joint at the proximal end of its segment: left_knee is where the left shank begins. */
typedef enum Role {
    ROLE_NONE = 0,
    ROLE_HIPS,
    ROLE_SPINE,
    ROLE_CHEST,
    ROLE_NECK,
    ROLE_HEAD,
    ROLE_LEFT_CLAVICLE,
    ROLE_LEFT_SHOULDER,
    ROLE_LEFT_ELBOW,
    ROLE_LEFT_WRIST,
    ROLE_LEFT_HIP,
    ROLE_LEFT_KNEE,
    ROLE_LEFT_ANKLE,
    ROLE_LEFT_TOE,
    ROLE_RIGHT_CLAVICLE,
    ROLE_RIGHT_SHOULDER,
    ROLE_RIGHT_ELBOW,
    ROLE_RIGHT_WRIST,
    ROLE_RIGHT_HIP,
    ROLE_RIGHT_KNEE,
    ROLE_RIGHT_ANKLE,
    ROLE_RIGHT_TOE,
    ROLE_COUNT
} Role;

/* "left_knee"; "" for ROLE_NONE. Valid for the life of the program. */
const char *role_name(Role role);

/* ROLE_NONE for an unknown name. */
Role role_from_name(const char *name);

/* left <-> right; roles of the midline stay. */
Role role_mirror(Role role);

/* Of the joints that a thigh or a shank moves with. */
static inline int role_is_leg(Role role)
{
    return role == ROLE_LEFT_HIP || role == ROLE_LEFT_KNEE || role == ROLE_RIGHT_HIP || role == ROLE_RIGHT_KNEE;
}

typedef struct Skeleton {
    int joint_count;
    int end_count;     /* end sites: tips without a rotation of their own */
    char **name;       /* [joint] owned */
    int *parent;       /* [joint] */
    Vec3 *offset;      /* [joint] m, in parent axes; of the root: its rest position in the world */
    Role *role;        /* [joint] at most one joint a role */
    Role *segment;     /* [joint] role of the segment the joint moves with: its own or the nearest ancestor's */
    Vec3 *end_offset;  /* [end] m, in axes of end_parent */
    int *end_parent;   /* [end] joint */
    int *channels;     /* [joint] owned; the file's channels of the joint in their order, as formats/bvh/bvh.h
                          packs them; NULL where there was no file */
} Skeleton;

/* Zeroed arrays, parents -1, names and channels NULL. On failure *s is empty and can be freed. */
Status skeleton_init(Skeleton *s, int joint_count, int end_count, Error *err);
void skeleton_free(Skeleton *s);
/* Zeroed channels, where there are none yet. */
Status skeleton_add_channels(Skeleton *s, Error *err);
Status skeleton_copy(Skeleton *to, const Skeleton *from, Error *err);

/* How many position channels the file lists for a joint; 0 also where there was no file. */
int skeleton_position_channels(const Skeleton *s, int joint);

/* Copies name into joint j. */
Status skeleton_set_name(Skeleton *s, int joint, const char *name, Error *err);

/* Whether a joint is `above` or hangs on it. */
int skeleton_is_below(const Skeleton *s, int joint, int above);

/* Sum of the lengths of all offsets but the root's, m. */
double skeleton_offset_sum(const Skeleton *s);

/* -1 where no joint has it. */
int skeleton_find(const Skeleton *s, const char *name);
int skeleton_find_role(const Skeleton *s, Role role);

/* The joint that has this name or, where none has, this role ("left_knee"); -1: there is none. */
int skeleton_find_name_or_role(const Skeleton *s, const char *name);

/* Rest position of every joint in the world, no rotations: rest[joint], m. */
void skeleton_rest_positions(const Skeleton *s, Vec3 *rest);

/* reach[joint]: the greatest distance along bones from the joint to a tip, m. */
void skeleton_reach(const Skeleton *s, double *reach);

/* The longest way along bones from the root to a joint, m. */
double skeleton_longest_chain(const Skeleton *s);

/* How a body stands, in few numbers: an option's value, and what the clips of one skeleton share. */

enum { NEUTRAL_JOINTS = 48 };

/* Of every joint with a role, or with such a joint below it, in the skeleton's order: the rotation vector from the
 * joint's axes to the body's (x left, y up, z front) in the neutral pose, tenths of a degree. count 0: unknown. */
typedef struct NeutralAngles {
    int16_t count;
    int16_t tenth[NEUTRAL_JOINTS][3];
} NeutralAngles;

#endif
