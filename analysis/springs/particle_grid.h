/* Grids of particles on springs, and the names that tables of springs give to their particles. */
#ifndef KANE_SPRINGS_PARTICLE_GRID_H
#define KANE_SPRINGS_PARTICLE_GRID_H

#include "analysis/math/vec.h"

typedef struct ParticleGrid {
    const char *name;                    /* "" if none; its particle (i, j, k) is "name:i,j,k" in tables of springs */
    int size[3];                         /* particles along x, y, z */
    Vec3 corner;                         /* m, of the first particle */
    double spacing;                      /* m */
    double mass;                         /* kg, of each */
    double stiffness, damping;           /* N/m, Ns/m, of springs to all 26 neighbours */
    int body;                            /* the body that a face is attached to; -1: none */
    int face;                            /* 0 to 5: -x +x -y +y -z +z; -1: none */
} ParticleGrid;

int particle_grid_count(const ParticleGrid *g);

/* Index of a particle in its grid by its position along x, y, z; -1: outside the grid. */
int particle_grid_index(const ParticleGrid *g, const int at[3]);

/* Index, over all grids, of the particle "name:i,j,k", or "name" for a grid of one; -1: there is none. */
int particle_find(const ParticleGrid *grid, int grid_count, const char *name);

#endif
