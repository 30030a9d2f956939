/* The bodies of which a mannequin consists: a human, a creature, the shapes of a scene. */
#ifndef KANE_MANNEQUIN_HUMAN_BODY_H
#define KANE_MANNEQUIN_HUMAN_BODY_H

#include "analysis/base/status.h"
#include "analysis/clip/shapes.h"
#include "analysis/mannequin/mannequin_build.h"

/* Add trunk and limbs, or head, feet and hands of a human; the capsules of a creature. */
Status human_body(MannequinBuild *b, Error *err);
Status human_ends(MannequinBuild *b, Error *err);
Status creature_body(MannequinBuild *b, Error *err);

/* The centre of the skull, m. */
Vec3 human_skull(const MannequinBuild *b);

/* Adds the shapes of a scene in the rest pose of its skeleton, one bone per joint. */
Status scene_body(MannequinBuild *b, const Shapes *shapes, Error *err);

#endif
