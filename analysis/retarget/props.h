/* Props of a clip: joints beside the body, such as a sword that is a second ROOT, and joints that --hold names.
 *
 * A prop of the target follows the clip's in the world, its path scaled as the body's, and stays in the hands that the
 * clip has at it. */
#ifndef KANE_RETARGET_PROPS_H
#define KANE_RETARGET_PROPS_H

#include "analysis/base/arena.h"
#include "analysis/clip/motion.h"
#include "analysis/retarget/joint_map.h"

enum { MAX_PROPS = 8 };

/* A hand that holds a joint in every frame. */
typedef struct HandHold {
    int side;  /* 0 left, 1 right */
    int joint; /* of the clip */
} HandHold;

typedef struct Prop {
    int source;  /* joint of the clip */
    int target;  /* joint of the target that is mapped to it; -1: none */
    int follows; /* 1: the target's joint is beside its body, and follows the clip's in the world */
    int held[2]; /* 1: the left, right hand holds it in every frame */
} Prop;

typedef struct Props {
    int count;
    Prop prop[MAX_PROPS];
} Props;

/* The joints beside the source's body that the target has, too, and those of `hold`; further ones are left out. */
Props props_find(const BodyPair *pair, const HandHold *hold, int hold_count);

#endif
