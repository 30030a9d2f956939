/* See decisions.h. */
#include "analysis/clip/decisions.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *key; /* for messages, and as an identifier */
    size_t offset;
} decisions[] = {
    {"unit", "unit", offsetof(Decisions, unit)},
    {"up axis", "up_axis", offsetof(Decisions, up_axis)},
    {"frame rate", "frame_rate", offsetof(Decisions, frame_rate)},
    {"root offset", "root_offset", offsetof(Decisions, root_offset)},
    {"positions", "positions", offsetof(Decisions, positions)},
    {"first frame", "first_frame", offsetof(Decisions, first_frame)},
};
_Static_assert(sizeof decisions / sizeof *decisions == DECISION_COUNT, "a decision has no name");

double decision_value(const Decisions *d, int i) { return *(const double *)((const char *)d + decisions[i].offset); }

const char *decision_name(int i) { return decisions[i].key; }

static int is_known(const Decisions *d)
{
    for (int i = 0; i < DECISION_COUNT; i++)
        if (decision_value(d, i) > 0)
            return 1;
    return 0;
}

double decisions_min(const Decisions *d)
{
    double min = 1;
    for (int i = 0; i < DECISION_COUNT; i++)
        min = fmin(min, decision_value(d, i));
    return is_known(d) ? min : NAN;
}

void decisions_unsure(const Decisions *d, char text[DECISIONS_TEXT_SIZE])
{
    text[0] = 0;
    for (int i = 0; i < DECISION_COUNT && is_known(d); i++)
        if (decision_value(d, i) < DECISION_UNSURE) {
            strcat(text, *text ? ", " : "");
            strcat(text, decisions[i].name);
        }
}
