/* Animals with human names: a dog's hind leg is LeftUpLeg in many files, but its masses differ from a person's. */
#ifndef KANE_BODY_CREATURE_H
#define KANE_BODY_CREATURE_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"

/* Sets *is_creature to 1 if names, proportions and rest pose together indicate a quadruped. Roles must be assigned. */
Status creature_recognise(const Skeleton *s, int *is_creature, Error *err);

#endif
