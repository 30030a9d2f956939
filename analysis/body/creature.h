/* Animals with human names: a dog's hind leg is LeftUpLeg in many files, but its masses differ from a person's. */
#ifndef KANE_BODY_CREATURE_H
#define KANE_BODY_CREATURE_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"

/* Counts the signs of an animal in names, proportions and rest pose. Roles must be assigned. */
Status creature_signs(const Skeleton *s, int *signs, Error *err);

/* Signs that a body with human names has, if it is an animal; one without names needs fewer. */
enum { CREATURE_SIGNS = 7, CREATURE_NAMED = 3, CREATURE_NAMELESS = 1 };

/* Log odds of an animal by its signs. Set by hand: of 36 recordings of people none has a sign, of ten animals with a
 * person's names all have three to five. A person's arms over 0.85 of the legs are one without names. */
double creature_log_odds(int signs, int is_named);

#endif
