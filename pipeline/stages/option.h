/* Commands and their options: each is described once, and everything else follows from that description.
 *
 * An Option names a field of the command's options struct. From the table come the parser, the --help text with the
 * default (printed from the struct that the defaults function fills), the names that `kane run` gives it
 * (--smooth-cutoff) and the history line of a container. */
#ifndef KANE_PIPELINE_OPTION_H
#define KANE_PIPELINE_OPTION_H

#include <stddef.h>

#include "analysis/base/status.h"

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
};

/* What a person meets as a verb. */
typedef struct Command {
    const char *name;
    const char *summary;     /* one line for `kane --help` */
    const char *arguments;   /* "[FILE.h5...]" for the usage line */
    const char *description; /* a paragraph for `kane NAME --help` */
    const Option *options;   /* ends with a zero entry; may be NULL */
} Command;

/* Room for the options struct of any stage. */
typedef union OptionValues {
    char bytes[384];
    double alignment;
    void *pointer;
} OptionValues;

/* Options with the struct that they fill. */
typedef struct OptionGroup {
    const char *prefix;    /* "smooth": options read --smooth-cutoff; NULL: plain names */
    const Option *options; /* ends with a zero entry; may be NULL */
    void *values;
} OptionGroup;

extern const OptionKind option_flag;     /* int: 1 when given */
extern const OptionKind option_real;     /* double, finite */
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

/* Looks up a name such as "cutoff". NULL where there is none. */
const Option *option_find(const Option *options, const char *name);

/* "--method butterworth --cutoff 8": the recorded options with their values; files as base name and the
 * first digits of their SHA-256, so that the text is the same wherever they lie. The caller frees *text. */
Status options_describe(const Option *options, const void *values, char **text, Error *err);

#endif
