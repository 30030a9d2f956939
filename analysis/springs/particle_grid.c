#include "analysis/springs/particle_grid.h"

#include <stdio.h>
#include <string.h>

int particle_grid_count(const ParticleGrid *g) { return g->size[0] * g->size[1] * g->size[2]; }

int particle_grid_index(const ParticleGrid *g, const int at[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (at[axis] < 0 || at[axis] >= g->size[axis])
            return -1;
    return (at[2] * g->size[1] + at[1]) * g->size[0] + at[0];
}

int particle_find(const ParticleGrid *grid, int grid_count, const char *name)
{
    int first = 0;
    for (int g = 0; g < grid_count; g++) {
        size_t length = strlen(grid[g].name);
        int at[3] = {0}, end = 0, is_own = length && !strncmp(name, grid[g].name, length);
        if (is_own && !name[length] && particle_grid_count(&grid[g]) == 1)
            return first;
        if (is_own && sscanf(name + length, ":%d,%d,%d%n", &at[0], &at[1], &at[2], &end) == 3 &&
            !name[length + (size_t)end]) {
            int index = particle_grid_index(&grid[g], at);
            return index < 0 ? -1 : first + index;
        }
        first += particle_grid_count(&grid[g]);
    }
    return -1;
}
