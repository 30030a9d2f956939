/* Anatomical roles of joints: the names that clips of all origins share.
 *
 * A role names the joint at the proximal end of its segment: left_knee is where the left shank begins. */
#ifndef KANE_CLIP_ROLE_H
#define KANE_CLIP_ROLE_H

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

#endif
