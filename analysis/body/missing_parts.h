/* Parts of a person that a skeleton lacks. The template keeps their masses, at rest relative to the joint that would
 * carry them. */
#ifndef KANE_BODY_MISSING_PARTS_H
#define KANE_BODY_MISSING_PARTS_H

#include "analysis/clip/skeleton.h"

typedef struct MissingPart {
    const char *name; /* "left forearm"; static storage */
    int carrier;      /* joint */
} MissingPart;

enum { MISSING_PARTS_MAX = 8 };

/* Trunk, head, upper arms and forearms, shanks. Returns their number; 0 for a skeleton without the roles of a person
 * (roles_are_human, roles_are_partly_human). */
int missing_parts_list(const Skeleton *s, MissingPart part[MISSING_PARTS_MAX]);

#endif
