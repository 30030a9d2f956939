/* Findings of a recording or its file: kind, position and text.
 *
 * Kinds below FINDING_KIND_COUNT occur in any format; a format numbers its own kinds from FINDING_KIND_COUNT on
 * (formats/base/source_format.h: SourceFormat.kinds). */
#ifndef KANE_DETECT_FINDINGS_H
#define KANE_DETECT_FINDINGS_H

#include <stdarg.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/trust.h"

typedef enum FindingKind {
    FINDING_UNREADABLE,
    FINDING_MANY, /* more findings than are stored */
    FINDING_FRAME_TIME,
    FINDING_ROW_TWICE,
    FINDING_ROW_FROZEN,
    FINDING_ROW_MISSING,
    FINDING_ROW_DOUBTFUL,
    FINDING_FIRST_FRAME,
    FINDING_EULER_FLIP,
    FINDING_UNIT,
    FINDING_UP,
    FINDING_POSITIONS,
    FINDING_ROOT_PATH,
    FINDING_RATE,
    FINDING_LEAN,
    FINDING_SIDES,
    FINDING_ROLES,
    FINDING_LOCOMOTION,
    FINDING_NO_FEET,
    FINDING_TELEPORT,
    FINDING_FLIP,
    FINDING_FROZEN,
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
    const char *meaning; /* one sentence for users */
    int is_note;         /* 1: no result of kane depends on it */
    int is_refused;      /* 1: kane import rejects the file */
} FindingInfo;

/* Information on a kind below FINDING_KIND_COUNT. Static storage. */
const FindingInfo *finding_info(int kind);

/* The kind for an artifact of the motion (analysis/quality/artifacts.h). */
FindingKind finding_of_artifact(TrustReason artifact);

/* Text files: line and column, from 1; binary files: line 0 and the byte, from 0. All 0: unknown. */
typedef struct FileLocation {
    int line, column;
    long long byte;
} FileLocation;

typedef struct Finding {
    int kind;
    FileLocation at;
    int repaired; /* 1: the format's repair changed it */
    char text[240];
} Finding;

typedef struct Findings {
    int count;
    Finding *found; /* [count] owned */
} Findings;

#define FINDINGS_MAX 1000

/* Appends a finding; a text too long is truncated. The last of FINDINGS_MAX is FINDING_MANY; further ones are dropped.
 * STATUS_NO_MEMORY is the only failure. */
Status findings_add(Findings *findings, int kind, FileLocation at, Error *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
Status findings_add_list(Findings *findings, int kind, FileLocation at, Error *err, const char *format, va_list args)
    __attribute__((format(printf, 5, 0)));

/* findings_forget removes all findings of a kind; findings_have returns whether there is one. */
void findings_forget(Findings *findings, int kind);

int findings_have(const Findings *findings, int kind);

/* Sorts by position in the file. */
void findings_sort(Findings *findings);

void findings_free(Findings *findings);

#endif
