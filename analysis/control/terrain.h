/* The ground that a character walks on where it is not the level one of its recording: planes and boxes at rest. World
 * axes with +Y up, SI units. */
#ifndef KANE_CONTROL_TERRAIN_H
#define KANE_CONTROL_TERRAIN_H

#include "analysis/model/model.h"

typedef struct Terrain {
    int part_count;
    ModelGeom *part; /* [part_count] planes and boxes, in world axes */
    Arena memory;    /* owns the parts */
} Terrain;

/* The highest surface at a place seen from above. */
typedef struct TerrainSpot {
    double height; /* m, world y; -INFINITY: none */
    Vec3 normal;   /* unit, upwards */
} TerrainSpot;

TerrainSpot terrain_at(const Terrain *t, double x, double z);

/* Height at x and z of the plane through a spot at `from`. */
double terrain_extend(const TerrainSpot *spot, Vec3 from, double x, double z);

/* Where a terrain stands whose own axes are x ahead, y to the left and z up: `forward` is horizontal and unit. */
typedef struct TerrainPlace {
    Vec3 origin, forward;
} TerrainPlace;

/* A slope that rises ahead by an angle, rad, through the origin. */
Status terrain_slope(double angle, Terrain *out, Error *err);

/* The planes and boxes of a scene's bodies that do not move. STATUS_BAD_INPUT naming a geom of another shape, one that
 * moves, or a scene without a plane, beyond whose boxes there would be no ground. */
Status terrain_of_model(const Model *m, Terrain *out, Error *err);

/* Moves a terrain from its own axes into the world. */
void terrain_place(Terrain *t, const TerrainPlace *place);
Status terrain_copy(const Terrain *from, Terrain *out, Error *err);
void terrain_free(Terrain *t);

#endif
