/* See import_warnings.h. */
#include "pipeline/stages/import_warnings.h"

#include <stdio.h>
#include <string.h>

#include "analysis/detect/contradictions.h"

/* Adds the remedy and the two strongest observations. */
static void describe(const Contradiction *c, char *text, size_t size)
{
    snprintf(text, size, "%s", c->text);
    for (int rank = 0; c->evidence && rank < 2; rank++) {
        const Observation *observation = evidence_strongest(c->evidence, -1, rank);
        size_t used = strlen(text);
        if (observation)
            snprintf(text + used, size - used, "%s %s", rank ? "," : ":", observation->text);
    }
    size_t used = strlen(text);
    if (c->remedy)
        snprintf(text + used, size - used, "; %s", c->remedy);
}

Status import_warn_contradictions(const ImportGuess *guess, Clip *clip, Notes *notes, Error *err)
{
    Contradiction found[CONTRADICTIONS_MAX];
    char text[480];
    int count = contradictions_list(guess, found);
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++) {
        describe(&found[i], text, sizeof text);
        status = notes_warn(notes, clip, finding_info(found[i].kind)->name, text, err);
    }
    return status;
}
