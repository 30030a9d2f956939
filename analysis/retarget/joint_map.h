/* Assigns source joints, with weights, to each target joint.
 *
 * A target joint follows the weighted mean of the aligned orientations of its rows; without rows it keeps its rest
 * pose. Where a chain (spine, neck, the bones of a limb) has a different number of joints, rotation is distributed
 * along its length: by overlap for spine and neck, by position for the twist of upper arm, thigh and forearm. */
#ifndef KANE_RETARGET_JOINT_MAP_H
#define KANE_RETARGET_JOINT_MAP_H

#include "analysis/base/status.h"
#include "analysis/retarget/reference_pose.h"

typedef struct JointMapRow {
    int target, source;
    double weight; /* a target's weights sum to 1 */
} JointMapRow;

typedef struct JointMap {
    int target_count;
    int row_count;
    JointMapRow *row; /* [row] ordered by target */
    int *first;       /* [target + 1] rows of target t are first[t] .. first[t + 1] - 1 */
    int fingers_against_names[2]; /* left, right hand: 1: fingers are matched by shape, their names differ */
} JointMap;

/* Two bodies and the map between their joints. */
typedef struct BodyPair {
    const ReferencePose *target, *source;
    const JointMap *map;
} BodyPair;

/* Maps by roles, names, limb structure and fingers (fingers.h); joint by joint if both have the same tree and roles.
 * STATUS_BAD_INPUT if no joints correspond. */
Status joint_map_init(JointMap *map, const ReferencePose *target, const ReferencePose *source, Error *err);

/* A template map for bodies without common roles, such as a human and a dog: a target joint whose name suggests a role
 * follows the source's joint of that role, so that front legs follow arms. STATUS_BAD_INPUT if no name matches. */
Status joint_map_template(JointMap *map, const ReferencePose *target, const ReferencePose *source, Error *err);

/* Builds a map from rows in any order; normalizes each target's weights to the sum 1. STATUS_BAD_INPUT for a weight
 * that is not positive. */
Status joint_map_from_rows(JointMap *map, int target_count, const JointMapRow *rows, int row_count, Error *err);
void joint_map_free(JointMap *map);

#endif
