/* Commands and their options: each is described once, and everything else follows from that description.
 *
 * An Option names a field of the command's options struct. From the table come the parser, the --help text with the
 * default (printed from the struct that the defaults function fills), the names that `kane run` gives it
 * (--smooth-cutoff) and the history line of a container. */
#ifndef KANE_STAGES_OPTION_H
#define KANE_STAGES_OPTION_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

typedef struct Option Option;

/* How the text of an option becomes a value and the value becomes text again. */
typedef struct OptionKind {
    /* err holds what was expected. */
    Status (*parse)(const Option *option, const char *text, void *value, Error *err);
    /* The value as it would be typed; "" for one that was not given. */
    void (*format)(const Option *option, const void *value, char *text, size_t size);
} OptionKind;

enum { OPTION_TEXT_SIZE = 1024 }; /* room for the text of any value */

struct Option {
    const char *name;
    int key;                    /* letter of the short form, 0: none */
    const char *argument;       /* "HZ|auto"; NULL: a flag */
    const char *help;           /* without default and full stop */
    const OptionKind *kind;
    size_t offset;              /* of the field in the command's options struct */
    const char *const *choices; /* ends with NULL. option_choice: names in the order of the enum; option_file: words
                                   that stand for themselves and are no files; NULL: none */
    int unrecorded;             /* 1: does not belong into the history (-o, -j: bytes do not depend on it) */
    const char *with;           /* "butterworth|spring": matters, and is recorded, only where the table's first option
                                   has one of these values; NULL: always */
    const char *old_name;       /* the name of earlier versions: accepted everywhere, shown nowhere; NULL: none */
    const char *const *old_choices; /* option_choice: the names of earlier versions, "" where there is none, in the
                                       order of choices, whose count they have; NULL: none */
};

/* The headings under which `kane --help` lists commands. */
typedef enum CommandGroup {
    COMMANDS_PIPELINE,
    COMMANDS_EDIT,
    COMMANDS_INSPECT,
    COMMANDS_LIBRARY,
    COMMANDS_SIMULATE,
    COMMANDS_EXCHANGE,
    COMMAND_GROUP_COUNT
} CommandGroup;

/* What a user types after "kane". */
typedef struct Command {
    const char *name;
    CommandGroup group;
    const char *summary;     /* one line for `kane --help` */
    const char *arguments;   /* "[FILE.h5...]" for the usage line */
    const char *description; /* a paragraph for `kane NAME --help` */
    const char *example;     /* a command line for the end of that help */
    const Option *options;   /* ends with a zero entry; may be NULL */
    const char *old_name;    /* the name of earlier versions, accepted and not shown; NULL: none */
} Command;

/* Room for the options struct of any stage. */
typedef union OptionValues {
    char bytes[512];
    double alignment;
    void *pointer;
} OptionValues;

/* Options with the struct that they fill. */
typedef struct OptionGroup {
    const Command *stage;  /* whose name is the prefix, as in --smooth-cutoff; NULL: plain names */
    const Option *options; /* ends with a zero entry; may be NULL */
    void *values;
} OptionGroup;

extern const OptionKind option_flag;     /* int: 1 when given */
extern const OptionKind option_real;     /* double, finite */
extern const OptionKind option_fraction; /* double from 0 to 1 */
extern const OptionKind option_positive; /* double above 0; 0 where not given */
extern const OptionKind option_count;    /* int, 1 or more; 0 where not given */
extern const OptionKind option_choice;   /* an enum, by the names in choices */
extern const OptionKind option_text;     /* const char *, not owned */
extern const OptionKind option_file;     /* the same; the history names base name and content, never the path */

/* Finite number and nothing behind it. */
Status real_parse(const char *text, double *value, Error *err);

/* The word of an option of files that text is; NULL where it is a file. */
const char *option_word(const Option *option, const char *text);

/* Writes text with the options that it names ("--external", "body's --mass") as `kane run` does
 * ("--contact-external"). */
void option_prefix(const Option *options, const char *prefix, const char *text, char *out, size_t size);

/* Looks up a name such as "cutoff", also an old one. NULL where there is none. */
const Option *option_find(const Option *options, const char *name);

/* The same for a name with the prefix of the group, "smooth-cutoff". */
const Option *option_find_prefixed(const OptionGroup *group, const char *name);

/* Whether the command has this name or had it in an earlier version. */
int command_is(const Command *command, const char *name);

/* "--method butterworth --cutoff 8": the recorded options with their values; files as base name and the
 * first digits of their SHA-256, so that the text is the same wherever they lie. The caller frees *text. */
Status options_describe(const Option *options, const void *values, char **text, Error *err);

/* What a person should hear of work that went well: a stage collects it, the caller prints or drops it. */

typedef enum NoteKind {
    NOTE_WARNING,  /* what was read or found although it is odd */
    NOTE_DECISION, /* what was decided of the source, and how surely */
    NOTE_RESULT    /* results of a stage; printed with the title of the clip, not of the file */
} NoteKind;

typedef struct Note {
    NoteKind kind;
    int line, column; /* 1-based, of a text file; 0: not known */
    const char *text; /* owned where the note is one of Notes */
} Note;

/* How far a stage has come, for a process beside it that looks on. */
typedef struct StageProgress {
    const char *volatile stage; /* name of the one at work, static; NULL: none */
    volatile float part;        /* of it, 0 .. 1; 0 where it does not state */
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

/* A warning of a stage: printed, and stored in the clip. kind: one word. */
Status notes_warn(Notes *notes, Clip *clip, const char *kind, const char *text, Error *err);

/* A stage begins. Notes may be NULL. */
void notes_begin(Notes *notes, const char *stage);

void notes_free(Notes *notes);

/* Where an option acts: one that was given and changes nothing is an error.
 *
 * A command has a table, a row an option, and knows its circumstances as bits: what kind of input it has, which other
 * options are given, what a scene holds. A new option gets a row (tests/unit/stages/test_option_effect.c). */

enum { EFFECT_NEEDS = 4 };

/* One of these bits must be among the circumstances. */
typedef struct EffectNeed {
    unsigned any;
    const char *otherwise; /* the message about the option then: "is for scenes, not for ..." */
} EffectNeed;

typedef struct OptionEffect {
    const char *name;
    const EffectNeed *need[EFFECT_NEEDS]; /* NULL: no more */
} OptionEffect;

/* Whether the option acts under the circumstances; *lacking (may be NULL) receives the need that is not met. */
int option_acts(const OptionEffect *effects, const char *name, unsigned circumstances, const EffectNeed **lacking);

/* STATUS_USAGE naming the first option that was given, that is differs from `defaults`, and does not act. Both are
 * structs of the options. The table ends with a zero row. */
Status options_check_effect(const Option *options, const OptionEffect *effects, unsigned circumstances,
                            const void *given, const void *defaults, Error *err);

/* Bodies of a size that does not live: mostly a unit of length that was decided wrongly. */

/* Statures of people, from infants to the tallest, m. */
#define STATURE_LEAST 0.3
#define STATURE_GREATEST 2.3

/* Warns, as kind "size", of a person whose stature is outside these limits and of a creature whose mass is. The clip
 * keeps one such warning: of the size that it has now. */
Status size_doubt(Clip *clip, Notes *notes, Error *err);

#endif
