/* Points of an OpenSim model where it meets the ground: the lowest points of its spheres of contact, else the markers
 * on its feet. */
#ifndef KANE_OPENSIM_OSIM_SOLES_H
#define KANE_OPENSIM_OSIM_SOLES_H

#include "formats/opensim/osim.h"

/* Largest number of points. */
int osim_sole_limit(const Osim *model);

/* Fills point[osim_sole_limit] with points on the skin (radius 0); returns their number. */
int osim_soles(const Osim *model, OsimPoint *point);

#endif
