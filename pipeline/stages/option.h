/* Commands and their options, each described once in a table.
 *
 * An Option names a field of the command's options struct. The parser, the --help text with the default (from the
 * struct that the defaults function fills), the option's name in `kane run` (--smooth-cutoff) and the history line of a
 * clip file are derived from the table. */
#ifndef KANE_STAGES_OPTION_H
#define KANE_STAGES_OPTION_H

#include <stddef.h>

#include "analysis/base/status.h"

typedef struct Option Option;

/* Conversion between the text of an option and its value. */
typedef struct OptionKind {
    /* On failure err states what was expected. */
    Status (*parse)(const Option *option, const char *text, void *value, Error *err);
    /* Writes the value as it would be typed; "" if it was not given. */
    void (*format)(const Option *option, const void *value, char *text, size_t size);
} OptionKind;

enum { OPTION_TEXT_SIZE = 1024 }; /* of the text of a value */

struct Option {
    const char *name;
    int key;                    /* letter of the short form, 0: none */
    const char *argument;       /* "HZ|auto"; NULL: a flag */
    const char *help;           /* without default and full stop */
    const OptionKind *kind;
    size_t offset;              /* of the field in the command's options struct */
    const char *const *choices; /* ends with NULL. option_choice: names in the order of the enum; option_file: words
                                   that are not file names; NULL: none */
    int unrecorded;             /* 1: not written to the history (-o, -j: the output does not depend on it) */
    const char *with;           /* "butterworth|spring": has an effect, and is recorded, only if the table's first
                                   option has one of these values; NULL: always */
    const char *old_name;       /* name in earlier versions, accepted but not shown; NULL: none */
    const char *const *old_choices; /* option_choice: names in earlier versions in the order of choices and as many,
                                       "" for none; NULL: none */
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

/* A command, the word after "kane". */
typedef struct Command {
    const char *name;
    CommandGroup group;
    const char *summary;     /* one line for `kane --help` */
    const char *arguments;   /* "[FILE.h5...]" for the usage line */
    const char *description; /* a paragraph for `kane NAME --help` */
    const char *example;     /* command line shown at the end of that help */
    const Option *options;   /* ends with a zero entry; may be NULL */
    const char *old_name;    /* name in earlier versions, accepted but not shown; NULL: none */
} Command;

/* Storage for the options struct of any stage. */
typedef union OptionValues {
    char bytes[512];
    double alignment;
    void *pointer;
} OptionValues;

/* Options and the struct that they fill. */
typedef struct OptionGroup {
    const Command *stage;  /* its name is the prefix, as in --smooth-cutoff; NULL: no prefix */
    const Option *options; /* ends with a zero entry; may be NULL */
    void *values;
} OptionGroup;

extern const OptionKind option_flag;     /* int: 1 when given */
extern const OptionKind option_real;     /* double, finite */
extern const OptionKind option_time;     /* double, s; infinite if not given */
extern const OptionKind option_fraction; /* double from 0 to 1 */
extern const OptionKind option_amount;   /* double, 0 or above; 0 if not given */
extern const OptionKind option_positive; /* double above 0; 0 if not given */
extern const OptionKind option_count;    /* int, 1 or more; 0 if not given */
extern const OptionKind option_choice;   /* an enum, by the names in choices */
extern const OptionKind option_text;     /* const char *, not owned */
extern const OptionKind option_file;     /* the same; the history stores base name and digest, never the path */

/* Parses a finite number with nothing after it. */
Status real_parse(const char *text, double *value, Error *err);

/* Returns the choice of an option_file that text equals; NULL if text is a file name. */
const char *option_word(const Option *option, const char *text);

/* Copies text, replacing the options in it ("--external", "body's --mass") by their names in `kane run`
 * ("--contact-external"). */
void option_prefix(const Option *options, const char *prefix, const char *text, char *out, size_t size);

/* Finds an option by its current or old name, such as "cutoff"; NULL: none. */
const Option *option_find(const Option *options, const char *name);

/* Finds an option by a name with the prefix of the group, such as "smooth-cutoff". */
const Option *option_find_prefixed(const OptionGroup *group, const char *name);

/* Writes "; did you mean smooth-cutoff?" with the prefixed name that is most similar to name, in which "_" stands for
 * "-"; "" if none is similar. */
void option_suggest(const OptionGroup *groups, int group_count, const char *name, char *text, size_t size);

/* Returns whether this is the current or old name of the command. */
int command_is(const Command *command, const char *name);

/* Formats the recorded options with their values: "--method butterworth --cutoff 8". Files are written as base name and
 * first digits of their SHA-256, so that the text does not depend on the directory. The caller frees *text. */
Status options_describe(const Option *options, const void *values, char **text, Error *err);

#endif
