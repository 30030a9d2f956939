/* The chain that a joint moves: its body and all bodies beyond, as one rigid whole in the present pose. */
#ifndef KANE_CONTROL_CHAIN_H
#define KANE_CONTROL_CHAIN_H

#include "analysis/control/plant.h"

typedef struct Chain {
    double mass;  /* kg */
    Vec3 moment;  /* kg m, sum of mass times COM from the world's origin */
    Sym3 inertia; /* kg m2, about the joint centre, world axes */
} Chain;

/* chain[joint], from the tips to the root. */
void chains_find(const Plant *plant, Chain *chain);

#endif
