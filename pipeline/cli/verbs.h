/* The verbs of the program: one table from which dispatch, help, `kane run` and history lines follow.
 *
 * A verb that turns clips into clips has `apply`; `kane run` and `kane batch` call the same function on a clip in
 * memory, which is why their containers equal those of a pipe byte for byte. Other verbs have `main`. */
#ifndef KANE_PIPELINE_VERBS_H
#define KANE_PIPELINE_VERBS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "pipeline/cli/option.h"

typedef struct Verb Verb;

/* The largest options struct of a verb, bytes: verbs_find and the chain keep values in an OptionValues. */
typedef union OptionValues {
    char bytes[256];
    double alignment;
    void *pointer;
} OptionValues;

struct Verb {
    const char *name;
    const char *summary;     /* one line for `kane --help` */
    const char *arguments;   /* "[FILE.h5...]" for the usage line */
    const char *description; /* a paragraph for `kane VERB --help` */
    const Option *options;
    void (*defaults)(OptionValues *values); /* NULL: all zero */
    /* Fills the clip's next group. values is the stage's own copy: what "auto" became is written into it, so that
     * the history holds resolved options. */
    Status (*apply)(OptionValues *values, Clip *clip, Error *err);
    /* The verb as a command: returns the exit code. NULL: maps apply over containers. */
    int (*main)(const Verb *verb, int argc, char **argv);
};

/* In the order of `kane --help`; ends with NULL. */
const Verb *const *verbs_all(void);
const Verb *verbs_find(const char *name);

/* The stages of `kane run` after import, in order; ends with NULL. */
enum { CHAIN_LENGTH = 5 };
const Verb *const *verbs_chain(void);

void verb_defaults(const Verb *verb, OptionValues *values);

/* Applies one stage and stamps its history line; values is not changed. */
Status verb_apply(const Verb *verb, const OptionValues *values, Clip *clip, Error *err);

extern const Verb verb_import, verb_check, verb_trim, verb_resample, verb_retarget, verb_body, verb_smooth, verb_diff,
    verb_contact, verb_torque, verb_track, verb_run, verb_batch, verb_index, verb_merge, verb_query, verb_export,
    verb_plot, verb_report, verb_info;

#endif
