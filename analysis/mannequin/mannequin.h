/* A mannequin for display: a low-poly skin built from a skeleton and its segment masses.
 *
 * A human has pelvis, ribcage, neck, head, tapered limbs, hands (with fingers if the skeleton has them) and feet with
 * soles. Lengths are those of the skeleton. Girths follow the segment masses: a cylinder of a segment's mass and length
 * gives its mean radius. Breadths that no joint defines are fractions of stature (Drillis and Contini 1966, in Winter,
 * Biomechanics and Motor Control of Human Movement, figure 4.1). Any other tree becomes a body of tapered capsules with
 * the thickness of those that give its masses (analysis/body/capsules.h). Ancestors of the hips, such as a root on the
 * ground, have no skin.
 *
 * The skin is built in its own pose, in which no limbs touch, and each vertex is bound to at most two joints. A vertex
 * v of that pose moves to sum of share_j (p_j + q_j q0_j* (v - p0_j)) for joint poses p_j, q_j (linear blend skinning).
 * The skin consists of closed surfaces that penetrate each other. Equal skeletons give equal skins.
 *
 * The mannequin of a simulated scene consists of its shapes in the rest pose, each bound to its joint, in the colours
 * of the scene; a segment without a shape is a rod. */
#ifndef KANE_MANNEQUIN_MANNEQUIN_H
#define KANE_MANNEQUIN_MANNEQUIN_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/shapes.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

typedef struct Mannequin {
    int joint_count, vertex_count, face_count;
    Vec3 *joint_position;    /* [joint] m, p0: joint positions in the pose of the skin */
    Quat *joint_orientation; /* [joint] q0: joint to axes of that pose: x forward, y up, z right; creature: world */
    Vec3 *position;          /* [vertex] m, in that pose */
    Vec3 *normal;            /* [vertex] unit, outward */
    int (*joint)[2];         /* [vertex] both with weights 1 - weight and weight */
    double *weight;          /* [vertex] 0 to 0.5 */
    int (*face)[3];          /* [face] vertices, counter-clockwise from outside */
    int *segment;            /* [face] joint whose segment it belongs to */
    Vec3 *tint;              /* [vertex] colour of a scene: red, green, blue, 0 to 1, sRGB; NULL: none */
} Mannequin;

/* Reads skeleton and motion, and body and kinematics if present. shapes: of a scene, or NULL. On failure *m is empty. A
 * skeleton without any length gives a mannequin without vertices. */
Status mannequin_init(Mannequin *m, const ClipView *clip, const Shapes *shapes, Error *err);
void mannequin_free(Mannequin *m);

#endif
