#include "analysis/clip/decisions.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    size_t offset;
} decisions[] = {
    {"unit", offsetof(Decisions, unit)},
    {"up axis", offsetof(Decisions, up_axis)},
    {"frame rate", offsetof(Decisions, frame_rate)},
    {"root offset", offsetof(Decisions, root_offset)},
    {"positions", offsetof(Decisions, positions)},
    {"first frame", offsetof(Decisions, first_frame)},
};
_Static_assert(sizeof decisions / sizeof *decisions == DECISION_COUNT, "a decision has no name");

static double value(const Decisions *d, int i) { return *(const double *)((const char *)d + decisions[i].offset); }

static int is_known(const Decisions *d)
{
    for (int i = 0; i < DECISION_COUNT; i++)
        if (value(d, i) > 0)
            return 1;
    return 0;
}

double decisions_least(const Decisions *d)
{
    double least = 1;
    for (int i = 0; i < DECISION_COUNT; i++)
        least = fmin(least, value(d, i));
    return is_known(d) ? least : NAN;
}

void decisions_unsure(const Decisions *d, char text[DECISIONS_TEXT_SIZE])
{
    text[0] = 0;
    for (int i = 0; i < DECISION_COUNT && is_known(d); i++)
        if (value(d, i) < DECISION_UNSURE) {
            strcat(text, *text ? ", " : "");
            strcat(text, decisions[i].name);
        }
}
