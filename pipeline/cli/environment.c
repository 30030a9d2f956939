#include "pipeline/cli/environment.h"

#include <stdlib.h>
#include <string.h>

Status environment_lanes(LaneWidth *lanes, Error *err)
{
    static const struct {
        const char *text;
        LaneWidth lanes;
    } width[] = {{"", LANES_AUTO}, {"1", LANES_SCALAR}, {"2", LANES_SSE2}, {"4", LANES_AVX2}, {"8", LANES_AVX512}};
    const char *text = getenv("KANE_LANES");
    *lanes = LANES_AUTO;
    for (size_t i = 0; text && i < sizeof width / sizeof *width; i++)
        if (!strcmp(text, width[i].text)) {
            *lanes = width[i].lanes;
            return STATUS_OK;
        }
    return text ? error_set(err, STATUS_USAGE, "KANE_LANES is 1, 2, 4 or 8, not \"%s\"", text) : STATUS_OK;
}
