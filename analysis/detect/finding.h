/* What is found wrong with a recording or its file: a kind, a place, a sentence.
 *
 * Kinds below FINDING_KIND_COUNT can be of any format; a format numbers kinds of its own from FINDING_KIND_COUNT on
 * (formats/source/source.h says what each means). */
#ifndef KANE_DETECT_FINDING_H
#define KANE_DETECT_FINDING_H

#include <stdarg.h>

#include "analysis/base/status.h"
#include "analysis/clip/trust.h"

typedef enum FindingKind {
    FINDING_UNREADABLE,
    FINDING_MANY, /* more findings than are kept */
    FINDING_FRAME_TIME,
    FINDING_ROW_TWICE,
    FINDING_ROW_HELD,
    FINDING_ROW_MISSING,
    FINDING_FIRST_FRAME,
    FINDING_EULER_FLIP,
    FINDING_UNIT,
    FINDING_UP,
    FINDING_POSITIONS,
    FINDING_ROOT_PATH,
    FINDING_TELEPORT,
    FINDING_FLIP,
    FINDING_HELD,
    FINDING_FLICKER,
    FINDING_DRIFT,
    FINDING_SLIDING,
    FINDING_SWAPPED,
    FINDING_REPEATED,
    FINDING_BONE,
    FINDING_FEET,
    FINDING_FAMILY,
    FINDING_KIND_COUNT
} FindingKind;

typedef struct FindingInfo {
    const char *name;    /* "euler-flip": for scripts */
    const char *meaning; /* one sentence for a person */
    int is_note;         /* 1: no result of kane depends on it */
    int is_refused;      /* 1: kane import refuses the file */
} FindingInfo;

/* Of a kind below FINDING_KIND_COUNT. Valid for the life of the program. */
const FindingInfo *finding_info(int kind);

/* The kind of an artifact of the motion (analysis/quality/artifact.h). */
FindingKind finding_of_artifact(TrustReason artifact);

/* In a text file line and column, 1-based; in a binary one line 0 and the byte, from 0. All 0: not known. */
typedef struct FilePlace {
    int line, column;
    long long byte;
} FilePlace;

typedef struct Finding {
    int kind;
    FilePlace at;
    int mended; /* 1: a repair of the format did something about it */
    char text[160];
} Finding;

typedef struct Findings {
    int count;
    Finding *found; /* [count] owned */
} Findings;

#define FINDINGS_MOST 1000

/* Appends one; a text too long for its field is cut. The last of FINDINGS_MOST is FINDING_MANY; the rest is left out.
 * STATUS_NO_MEMORY is the only failure. */
Status findings_add(Findings *findings, int kind, FilePlace at, Error *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
Status findings_add_list(Findings *findings, int kind, FilePlace at, Error *err, const char *format, va_list args)
    __attribute__((format(printf, 5, 0)));

/* Removes all of one kind. */
void findings_forget(Findings *findings, int kind);

int findings_have(const Findings *findings, int kind);

/* In the order of their places. */
void findings_sort(Findings *findings);

void findings_free(Findings *findings);

#endif
