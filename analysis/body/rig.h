/* Rigs of known programs, recognized by the joint names that these publish (data/rigs). */
#ifndef KANE_BODY_RIG_H
#define KANE_BODY_RIG_H

#include "analysis/clip/skeleton.h"

/* Rows of data/rigs, those of a rig together. joint: with the namespace in which the program puts it, if any. */
typedef struct RigRow {
    const char *rig, *joint;
    Role role; /* ROLE_NONE: the joint distinguishes the rig from others with the same names */
} RigRow;

extern const RigRow rig_rows[];
extern const int rig_rows_count;

/* Gives the joints of a known rig their roles, and returns its name, static storage; NULL and no change for other
 * skeletons. A rig is known by its hips and the joints of all limbs but the toes, each below the one before, and by a
 * chest, if it has the rig's, at which the arms branch. A name may have any namespace; one that is published may have a
 * number and another separator: `mixamorig:Hips`, `mixamorig1:Hips`, `mixamorig_Hips`, `mixamorigHips`. */
const char *rig_assign(Skeleton *s);

#endif
