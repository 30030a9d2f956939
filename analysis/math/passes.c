/* See passes.h: choice of the vector width. */
#include "analysis/math/passes.h"

#include <stddef.h>

#include "analysis/math/quat.h"

int values_finite(const double *value, size_t count)
{
    return LANE_TWIN(values_finite, lane_width_choose(LANES_AUTO))(value, count);
}

SquareBounds rotations_bounds(const Quat *rotation, size_t count)
{
    return LANE_TWIN(rotations_bounds, lane_width_choose(LANES_AUTO))(rotation, count);
}

double rotations_length_error(const Quat *rotation, size_t count)
{
    SquareBounds bounds = rotations_bounds(rotation, count);
    double error = fmax(fabs(sqrt(bounds.min) - 1), fabs(sqrt(bounds.max) - 1));
    return isfinite(error) ? error : INFINITY;
}
