/* Which joints of the source turn which joint of the target, and by how much.
 *
 * A target joint takes the weighted mean of the aligned orientations of its rows; without a row it keeps its rest pose.
 * Where a stretch of the body (spine, neck, the bones of a limb) has another number of joints, it is shared along its
 * length: spine and neck by overlap, the twist of upper arm, thigh and forearm along their twist joints. */
#ifndef KANE_RETARGET_JOINT_MAP_H
#define KANE_RETARGET_JOINT_MAP_H

#include "analysis/base/status.h"
#include "analysis/retarget/reference_pose.h"

typedef struct JointMapRow {
    int target, source;
    double weight; /* of a target's rows: sum 1 */
} JointMapRow;

typedef struct JointMap {
    int target_count;
    int row_count;
    JointMapRow *row; /* [row] in the order of targets */
    int *first;       /* [target + 1] rows of target t are first[t] .. first[t + 1] - 1 */
} JointMap;

/* Two bodies, and which joints of theirs correspond. */
typedef struct BodyPair {
    const ReferencePose *target, *source;
    const JointMap *map;
} BodyPair;

/* By roles, names and the shape of limbs; joint by joint where both have the same tree and roles. STATUS_BAD_INPUT
 * where nothing in the skeletons corresponds. */
Status joint_map_init(JointMap *map, const ReferencePose *target, const ReferencePose *source, Error *err);

/* A map to begin with where bodies share no roles, as a human and a dog: a target joint whose name has a role follows
 * the source's joint of that role, so that front legs follow arms. STATUS_BAD_INPUT where no name does. */
Status joint_map_template(JointMap *map, const ReferencePose *target, const ReferencePose *source, Error *err);

/* From rows in any order; weights of a target are scaled to the sum 1. STATUS_BAD_INPUT for a weight that is not
 * positive. */
Status joint_map_from_rows(JointMap *map, int target_count, const JointMapRow *rows, int row_count, Error *err);
void joint_map_free(JointMap *map);

#endif
