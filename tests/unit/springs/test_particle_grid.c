/* springs/particle_grid: indices and names of particles. */
#include "tests/support/test.h"

#include "analysis/springs/particle_grid.h"

TEST(names_give_indices_over_all_grids)
{
    const ParticleGrid grid[] = {{.name = "rod", .size = {2, 1, 1}}, {.name = "bead", .size = {1, 1, 1}}};
    assert_int_equal(particle_find(grid, 2, "rod:1,0,0"), 1);
    assert_int_equal(particle_find(grid, 2, "bead"), 2);
    assert_int_equal(particle_find(grid, 2, "bead:0,0,0"), 2);
    const char *none[] = {"rod", "rod:2,0,0", "rod:0,0", "rod:0,0,0x", "", "bead2"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(particle_find(grid, 2, none[i]), -1);
}

TEST(indices_run_along_x_first)
{
    const ParticleGrid grid = {.name = "", .size = {2, 3, 4}};
    assert_int_equal(particle_grid_count(&grid), 24);
    assert_int_equal(particle_grid_index(&grid, (const int[]){1, 0, 0}), 1);
    assert_int_equal(particle_grid_index(&grid, (const int[]){0, 1, 0}), 2);
    assert_int_equal(particle_grid_index(&grid, (const int[]){1, 2, 3}), 23);
    assert_int_equal(particle_grid_index(&grid, (const int[]){0, 3, 0}), -1);
    assert_int_equal(particle_grid_index(&grid, (const int[]){0, 0, -1}), -1);
}
