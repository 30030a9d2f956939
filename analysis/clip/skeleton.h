/* The tree of joints and its rest pose: group /skeleton of a clip file.
 *
 * Body j is the rigid segment that moves with joint j; its joint centre is its proximal end. parent[j] < j; the root
 * is joint 0 with parent -1. Lengths in m, world axes +Y up. */
#ifndef KANE_CLIP_SKELETON_H
#define KANE_CLIP_SKELETON_H

#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/math/quat.h"

/* Anatomical roles of joints: names that are common to clips of all sources.
 *
 * A role names the joint at the proximal end of its segment: left_knee is the proximal end of the left shank. */
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

/* Returns a name such as "left_knee"; "" for ROLE_NONE. Static storage. */
const char *role_name(Role role);

/* Returns ROLE_NONE for an unknown name. */
Role role_from_name(const char *name);

/* Exchanges left and right; midline roles are unchanged. */
Role role_mirror(Role role);

/* Whether the role's segment is a thigh or a shank. */
static inline int role_is_leg(Role role)
{
    return role == ROLE_LEFT_HIP || role == ROLE_LEFT_KNEE || role == ROLE_RIGHT_HIP || role == ROLE_RIGHT_KNEE;
}

typedef struct Skeleton {
    int joint_count;
    int end_count;     /* end sites: tips without a rotation */
    char **name;       /* [joint] owned */
    int *parent;       /* [joint] */
    Vec3 *offset;      /* [joint] m, in parent axes; root: rest position in the world */
    Role *role;        /* [joint] at most one joint per role */
    Role *segment;     /* [joint] role of the segment the joint moves with: its own or the nearest ancestor's */
    Vec3 *end_offset;  /* [end] m, in axes of end_parent */
    int *end_parent;   /* [end] joint */
    int *channels;     /* [joint] owned; channels of the joint in the order of the file, packed as in
                          formats/bvh/bvh.h; NULL: no file */
    Quat *standing;    /* [joint] joint to parent, root to world: the standing pose in which retargeting compares the
                          body, facing +Z; NULL: the rest pose, or a pose found in the motion */
} Skeleton;

/* Allocates zeroed arrays, parents -1, names and channels NULL. On failure *s is empty and may be freed. */
Status skeleton_init(Skeleton *s, int joint_count, int end_count, Error *err);
void skeleton_free(Skeleton *s);
/* Adds zeroed channels if there are none. */
Status skeleton_add_channels(Skeleton *s, Error *err);
/* Adds a standing pose of zero quaternions if there is none. */
Status skeleton_add_standing(Skeleton *s, Error *err);
Status skeleton_copy(Skeleton *to, const Skeleton *from, Error *err);

/* Number of position channels of a joint in the file; 0 without a file. */
int skeleton_position_channels(const Skeleton *s, int joint);

/* Copies name to a joint. */
Status skeleton_set_name(Skeleton *s, int joint, const char *name, Error *err);

/* Fills segment from role. */
void skeleton_fill_segments(Skeleton *s);

/* Whether a joint is `above` or a descendant of it. */
int skeleton_is_below(const Skeleton *s, int joint, int above);

/* Length of the bones from a joint down to its descendant `to`, m. */
double skeleton_distance(const Skeleton *s, int from, int to);

/* Length of the longest bone, m. */
double skeleton_longest_offset(const Skeleton *s);

/* Sum of the lengths of all offsets except the root's, m. */
double skeleton_offset_sum(const Skeleton *s);

/* Index of the joint with a name or role; -1: none. */
int skeleton_find(const Skeleton *s, const char *name);
int skeleton_find_role(const Skeleton *s, Role role);

/* The joint with this name or, if there is none, with this role ("left_knee"); -1: none. */
int skeleton_find_name_or_role(const Skeleton *s, const char *name);

/* Fills rest[joint] with the positions in the world without rotations, m. */
void skeleton_rest_positions(const Skeleton *s, Vec3 *rest);

/* Fills point[joint], then point[joint_count + end], with the positions in one frame, m, from the world poses of the
 * joints. */
void skeleton_points(const Skeleton *s, const Vec3 *position, const Quat *orientation, Vec3 *point);

/* Fills reach[joint] with the largest distance along bones from the joint to a tip, m. */
void skeleton_reach(const Skeleton *s, double *reach);

/* The longest distance along bones from the root to a joint, m. */
double skeleton_longest_chain(const Skeleton *s);

/* The neutral pose as numbers: value of an option, and shared by the clips of one skeleton. */
enum { NEUTRAL_JOINTS = 48 };

/* For every joint with a role or with such a descendant, in the skeleton's order: the rotation vector from joint axes
 * to body axes (x left, y up, z front) in the neutral pose, tenths of a degree. count 0: unknown. */
typedef struct NeutralAngles {
    int16_t count;
    int16_t tenth[NEUTRAL_JOINTS][3];
} NeutralAngles;

#endif
