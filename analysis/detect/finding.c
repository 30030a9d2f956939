/* See finding.h. */
#include "analysis/detect/finding.h"

#include <stdio.h>
#include <stdlib.h>

static const FindingInfo info[FINDING_KIND_COUNT] = {
    [FINDING_UNREADABLE] = {"unreadable", "kane import refuses the file here; what follows was not looked at", 0, 1},
    [FINDING_MANY] = {"many", "the list of findings is cut", 0, 0},
    [FINDING_FRAME_TIME] = {"frame-time", "velocities and torques depend on it", 0, 0},
    [FINDING_ROW_TWICE] = {"row-twice", "the recorder wrote a frame twice: the body stops and goes on as before", 0, 0},
    [FINDING_ROW_HELD] = {"row-held", "the frame before stands in place of a lost one: the body stops, then jumps", 0,
                          0},
    [FINDING_ROW_MISSING] = {"row-missing", "the body jumps by a multiple of its steps before and after", 0, 0},
    [FINDING_FIRST_FRAME] = {"first-frame", "the first frame is a rest pose put before the take", 0, 0},
    [FINDING_EULER_FLIP] = {"euler-flip",
                            "angles jump where the pose does not: filters and interpolation of channels go astray", 1,
                            0},
    [FINDING_UNIT] = {"unit", "lengths, masses and torques depend on it", 0, 0},
    [FINDING_UP] = {"up", "gravity pulls along it", 0, 0},
    [FINDING_POSITIONS] = {"positions",
                           "programs that take them as the place in the parent stretch or fold the bones", 0, 0},
    [FINDING_ROOT_PATH] = {"root-path", "where the body goes and what bears it is not known", 0, 0},
    [FINDING_TELEPORT] = {"teleport", "no body moves so in a frame: velocities and torques around it are none", 0, 0},
    [FINDING_FLIP] = {"flip", "no body turns so in a frame: velocities and torques around it are none", 0, 0},
    [FINDING_HELD] = {"held", "a recording never stands still, or moves evenly, to the last digit", 0, 0},
    [FINDING_FLICKER] = {"flicker", "a joint shakes from frame to frame, as where a marker is lost: its torques are "
                         "noise", 0, 0},
    [FINDING_DRIFT] = {"drift", "the body leaves the ground, or sinks into it, with the feet that stand on it: "
                       "nothing supports it there", 0, 0},
    [FINDING_SLIDING] = {"sliding", "the whole body goes on over the ground with feet that stand: the root's path is "
                         "not the body's", 0, 0},
    [FINDING_SWAPPED] = {"swapped", "the left limb moves as the right one, and the right as the left", 0, 0},
    [FINDING_REPEATED] = {"repeated", "the body stops and goes from frame to frame: velocities and torques are "
                          "wrong; `kane resample --fps` to the rate at which poses change keeps one of "
                          "each", 0, 0},
    [FINDING_BONE] = {"bone", "a body's bones keep their length", 0, 0},
    [FINDING_FEET] = {"feet", "something else bears the body: its forces are not estimated", 1, 0},
    [FINDING_FAMILY] = {"family", "files of one family have the same joints", 0, 0},
};

const FindingInfo *finding_info(int kind)
{
    return &info[kind];
}

FindingKind finding_of_artifact(TrustReason artifact)
{
    switch (artifact) {
    case TRUST_FLIP: return FINDING_FLIP;
    case TRUST_TELEPORT: return FINDING_TELEPORT;
    case TRUST_FLICKER: return FINDING_FLICKER;
    case TRUST_DRIFT: return FINDING_DRIFT;
    case TRUST_SLIDING: return FINDING_SLIDING;
    case TRUST_SWAPPED: return FINDING_SWAPPED;
    case TRUST_REPEATED: return FINDING_REPEATED;
    default: return FINDING_HELD;
    }
}

/* Room for one more; the capacity is the next power of two. */
static int grow(Findings *findings)
{
    size_t count = (size_t)findings->count;
    if (count & (count - 1))
        return 1;
    Finding *larger = realloc(findings->found, (count ? 2 * count : 1) * sizeof *larger);
    if (!larger)
        return 0;
    findings->found = larger;
    return 1;
}

Status findings_add_list(Findings *findings, int kind, FilePlace at, Error *err, const char *format, va_list args)
{
    if (findings->count == FINDINGS_MOST)
        return STATUS_OK;
    if (!grow(findings))
        return error_no_memory(err);
    Finding *f = &findings->found[findings->count++];
    *f = (Finding){.kind = kind, .at = at};
    vsnprintf(f->text, sizeof f->text, format, args);
    if (findings->count == FINDINGS_MOST) {
        f->kind = FINDING_MANY;
        snprintf(f->text, sizeof f->text, "more than %d warnings; the rest is left out", FINDINGS_MOST - 1);
    }
    return STATUS_OK;
}

Status findings_add(Findings *findings, int kind, FilePlace at, Error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    Status status = findings_add_list(findings, kind, at, err, format, args);
    va_end(args);
    return status;
}

void findings_forget(Findings *findings, int kind)
{
    int kept = 0;
    for (int i = 0; i < findings->count; i++)
        if (findings->found[i].kind != kind)
            findings->found[kept++] = findings->found[i];
    findings->count = kept;
}

int findings_have(const Findings *findings, int kind)
{
    for (int i = 0; i < findings->count; i++)
        if (findings->found[i].kind == kind)
            return 1;
    return 0;
}

static int compare_places(const void *a, const void *b)
{
    FilePlace x = ((const Finding *)a)->at, y = ((const Finding *)b)->at;
    if (x.line != y.line)
        return (x.line > y.line) - (x.line < y.line);
    if (x.column != y.column)
        return (x.column > y.column) - (x.column < y.column);
    return (x.byte > y.byte) - (x.byte < y.byte);
}

void findings_sort(Findings *findings)
{
    if (findings->count > 1)
        qsort(findings->found, (size_t)findings->count, sizeof *findings->found, compare_places);
}

void findings_free(Findings *findings)
{
    free(findings->found);
    *findings = (Findings){0};
}
