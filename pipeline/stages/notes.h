/* Messages of a stage that succeeds: collected by the stage, printed or dropped by the caller. */
#ifndef KANE_STAGES_NOTES_H
#define KANE_STAGES_NOTES_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "pipeline/stages/option.h"

typedef enum NoteKind {
    NOTE_WARNING,  /* something odd that was read or found */
    NOTE_DECISION, /* what was detected in the source, with its confidence */
    NOTE_RESULT    /* result of a stage; printed with the title of the clip, not the file name */
} NoteKind;

typedef struct Note {
    NoteKind kind;
    int line, column; /* 1-based position in a text file; 0: unknown */
    const char *text; /* owned if the note is in a Notes */
} Note;

/* Progress of a stage, for another thread or process to display. */
typedef struct StageProgress {
    const char *volatile stage; /* static name of the running stage; NULL: none */
    volatile float part;        /* 0 .. 1; 0 if the stage does not report it */
} StageProgress;

/* (Notes){0} is an empty list. */
typedef struct Notes {
    StageProgress *progress; /* not owned; NULL: no progress is reported */
    const char *stage; /* the running or failed stage; NULL before the first */
    int count;
    Note *note; /* [count] owned */
} Notes;

/* Appends a copy of the note; does nothing if notes is NULL. */
Status notes_add(Notes *notes, Note note, Error *err);

/* Warns, in notes and in the clip. kind: one word. */
Status notes_warn(Notes *notes, Clip *clip, const char *kind, const char *text, Error *err);

/* Records that a stage begins. notes may be NULL. */
void notes_begin(Notes *notes, const char *stage);

void notes_free(Notes *notes);

/* Replaces options of the command in notes from number `from` on, and in err (may be NULL), by their names in `kane
 * run`: --contact-external. */
void notes_prefix_options(const Command *command, Notes *notes, int from, Error *err);

#endif
