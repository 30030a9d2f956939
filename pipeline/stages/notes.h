/* What a person should hear of work that went well: a stage collects it, the caller prints or drops it. */
#ifndef KANE_PIPELINE_NOTES_H
#define KANE_PIPELINE_NOTES_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

typedef enum NoteKind {
    NOTE_WARNING,  /* what was read or found although it is odd */
    NOTE_DECISION, /* what was decided of the source, and how surely */
    NOTE_RESULT    /* figures of a stage; told of the clip by its title, not of the file */
} NoteKind;

typedef struct Note {
    NoteKind kind;
    int line, column; /* 1-based, of a text file; 0: not known */
    const char *text; /* owned where the note is one of Notes */
} Note;

/* How far a stage has come, for a process beside it that looks on. */
typedef struct StageProgress {
    const char *volatile stage; /* name of the one at work, static; NULL: none */
    volatile float part;        /* of it, 0 .. 1; 0 where it does not say */
} StageProgress;

/* (Notes){0} is an empty list. */
typedef struct Notes {
    StageProgress *progress; /* NULL: nobody looks on; not owned */
    const char *stage; /* name of the one at work, or that failed; NULL before the first */
    int count;
    Note *note; /* [count] owned */
} Notes;

/* Copies the note; does nothing where nobody listens (notes NULL). */
Status notes_add(Notes *notes, Note note, Error *err);

/* A warning of a stage: told, and kept with the clip. kind: one word. */
Status notes_warn(Notes *notes, Clip *clip, const char *kind, const char *text, Error *err);

/* A stage begins. Notes may be NULL. */
void notes_begin(Notes *notes, const char *stage);

void notes_free(Notes *notes);

#endif
