/* Findings of a recording or its file (findings.h). */
#include "analysis/detect/findings.h"

#include <stdlib.h>

static const FindingInfo info[FINDING_KIND_COUNT] = {
    [FINDING_UNREADABLE] = {"unreadable", "import rejects the file here; the rest was not checked", 0, 1},
    [FINDING_MANY] = {"many", "the list of findings is cut", 0, 0},
    [FINDING_FRAME_TIME] = {"frame-time", "velocities and torques depend on it", 0, 0},
    [FINDING_ROW_TWICE] = {"row-twice", "the recorder wrote a frame twice", 0, 0},
    [FINDING_ROW_FROZEN] = {"row-frozen", "a lost frame was replaced by a copy of the previous one", 0,
                          0},
    [FINDING_ROW_MISSING] = {"row-missing", "the body jumps by a multiple of its steps before and after", 0, 0},
    [FINDING_ROW_DOUBTFUL] = {"row-doubtful", "the body jumps as if rows were missing, or moves so; nearby torques are "
                                              "not trusted", 0, 0},
    [FINDING_FIRST_FRAME] = {"first-frame", "the first frame is a rest pose put before the take", 0, 0},
    [FINDING_EULER_FLIP] = {"euler-flip",
                            "Euler angles jump without a change of pose: filters and interpolation of channels fail "
                            "there", 1,
                            0},
    [FINDING_UNIT] = {"unit", "lengths, masses and torques depend on it", 0, 0},
    [FINDING_UP] = {"up", "gravity pulls along it", 0, 0},
    [FINDING_POSITIONS] = {"positions",
                           "programs that read them as local positions distort the bones", 0, 0},
    [FINDING_ROOT_PATH] = {"root-path", "path and ground forces of the body are unknown", 0, 0},
    [FINDING_RATE] = {"rate", "accelerations and torques depend on the square of the frame rate", 0, 0},
    [FINDING_LEAN] = {"lean", "gravity does not pull along the up axis", 0, 0},
    [FINDING_SIDES] = {"sides", "knees, toes and elbows show the opposite front of the names", 0, 0},
    [FINDING_ROLES] = {"roles", "masses and torques depend on which joint is which", 0, 0},
    [FINDING_LOCOMOTION] = {"locomotion", "the feet move as on a treadmill, in place or on pedals", 0, 0},
    [FINDING_NO_FEET] = {"no-feet", "contacts of the feet are estimated at the ankles", 0, 0},
    [FINDING_TELEPORT] = {"teleport", "physically impossible displacement; nearby velocities and torques are "
                                      "invalid", 0, 0},
    [FINDING_FLIP] = {"flip", "physically impossible rotation; nearby velocities and torques are invalid", 0, 0},
    [FINDING_FROZEN] = {"frozen", "identical or exactly interpolated frames; real recordings contain noise", 0, 0},
    [FINDING_FLICKER] = {"flicker", "frame-to-frame jitter, as from a lost marker; torques are noise", 0, 0},
    [FINDING_DRIFT] = {"drift", "the body leaves or penetrates the ground together with its supporting feet", 0, 0},
    [FINDING_SLIDING] = {"sliding", "the whole body slides over the ground with its feet in contact", 0, 0},
    [FINDING_SWAPPED] = {"swapped", "left and right limbs are swapped", 0, 0},
    [FINDING_REPEATED] = {"repeated", "rows are repeated: velocities and torques are wrong; run `kane resample --fps` "
                          "with the true rate", 0, 0},
    [FINDING_BONE] = {"bone", "bone lengths should be constant", 0, 0},
    [FINDING_FEET] = {"feet", "an unrecorded object supports the body: its forces are not estimated", 1, 0},
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
    case TRUST_LOST_ROW: return FINDING_ROW_DOUBTFUL;
    default: return FINDING_FROZEN;
    }
}

/* Makes room for one more finding; the capacity is the next power of two. */
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

Status findings_add_list(Findings *findings, int kind, FileLocation at, Error *err, const char *format, va_list args)
{
    if (findings->count == FINDINGS_MAX)
        return STATUS_OK;
    if (!grow(findings))
        return error_no_memory(err);
    Finding *f = &findings->found[findings->count++];
    *f = (Finding){.kind = kind, .at = at};
    vsnprintf(f->text, sizeof f->text, format, args);
    if (findings->count == FINDINGS_MAX) {
        f->kind = FINDING_MANY;
        snprintf(f->text, sizeof f->text, "more than %d warnings; the rest is omitted", FINDINGS_MAX - 1);
    }
    return STATUS_OK;
}

Status findings_add(Findings *findings, int kind, FileLocation at, Error *err, const char *format, ...)
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

static int compare_locations(const void *a, const void *b)
{
    FileLocation x = ((const Finding *)a)->at, y = ((const Finding *)b)->at;
    if (x.line != y.line)
        return (x.line > y.line) - (x.line < y.line);
    if (x.column != y.column)
        return (x.column > y.column) - (x.column < y.column);
    return (x.byte > y.byte) - (x.byte < y.byte);
}

void findings_sort(Findings *findings)
{
    if (findings->count > 1)
        qsort(findings->found, (size_t)findings->count, sizeof *findings->found, compare_locations);
}

void findings_free(Findings *findings)
{
    free(findings->found);
    *findings = (Findings){0};
}
