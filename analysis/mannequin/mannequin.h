/* A body to look at: what a skeleton and its masses say of a figure, as a low-poly skin.
 *
 * A human figure has pelvis, ribcage, neck and head, limbs that taper, hands, with fingers where the skeleton has them,
 * and feet with soles. Lengths are the skeleton's, girths follow the masses of the segments: a cylinder of a segment's
 * mass and length gives its mean radius. Breadths that no joint gives are parts of stature (Drillis and Contini 1966,
 * in Winter, Biomechanics and Motor Control of Human Movement, figure 4.1). Any other tree is a body of tapered
 * capsules, as thick as those that it is weighed by (analysis/body/capsules.h). Poles, such as a root on the ground,
 * have no skin.
 *
 * The skin is made in a pose of its own, in which no limb touches another, and bound to two joints a vertex at most: a
 * vertex at v there is at sum of share_j (p_j + q_j q0_j* (v - p0_j)) where joint j stands at p_j, q_j (linear blend
 * skinning). It consists of closed surfaces that reach into one another. Same skeleton, same skin.
 *
 * The body of a simulated scene are its shapes in the rest pose, each bound to its joint alone, in the colours of the
 * scene; a segment without a shape is a rod.
 */
#ifndef KANE_MANNEQUIN_MANNEQUIN_H
#define KANE_MANNEQUIN_MANNEQUIN_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/shapes.h"

typedef struct Mannequin {
    int joint_count, vertex_count, face_count;
    Vec3 *place;     /* [joint] m, p0: where the joints stand in the pose of the skin */
    Quat *turn;      /* [joint] q0: joint to the axes of that pose: x forward, y up, z right; a creature: the world's */
    Vec3 *position;  /* [vertex] m, in that pose */
    Vec3 *normal;    /* [vertex] unit, outward */
    int (*joint)[2]; /* [vertex] bound to the first with 1 - share, to the second with share */
    double *share;   /* [vertex] 0 to 0.5 */
    int (*face)[3];  /* [face] vertices, counter-clockwise from outside */
    int *segment;    /* [face] the joint whose segment it shows */
    Vec3 *tint;      /* [vertex] red, green, blue, 0 to 1, sRGB, of a scene; NULL: none */
} Mannequin;

/* Reads skeleton and motion, and where they are there body and kinematics. shapes: of a scene; NULL: none. On failure
 * *m is empty. A skeleton without any length has a mannequin without a vertex. */
Status mannequin_init(Mannequin *m, const ClipView *clip, const Shapes *shapes, Error *err);
void mannequin_free(Mannequin *m);

#endif
