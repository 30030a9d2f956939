/* See judgement.h. */
#include "analysis/evidence/judgement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[JUDGEMENTS] = {"unit", "up", "rate", "front", "level", "path", "roles", "body"};

const char *judgement_name(JudgementSubject subject) { return names[subject]; }

/* Returns what follows the subject in a line; NULL: the line has another subject. */
static const char *behind_subject(const char *line, JudgementSubject subject)
{
    size_t length = strlen(names[subject]);
    return strncmp(line, names[subject], length) == 0 && line[length] == '\t' ? line + length + 1 : NULL;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end && end[1] ? end + 1 : NULL;
}

/* ---- Writing ---- */

static void write_others(const char *text, JudgementSubject subject, FILE *stream)
{
    for (const char *line = text && *text ? text : NULL; line; line = next_line(line))
        if (!behind_subject(line, subject))
            fprintf(stream, "%.*s\n", (int)strcspn(line, "\n"), line);
}

/* Writes text without tabs and line breaks. */
static void write_text(const char *text, FILE *stream)
{
    for (; *text; text++)
        putc(*text == '\t' || *text == '\n' ? ' ' : *text, stream);
    putc('\n', stream);
}

static void write_judgement(const Judgement *judgement, FILE *stream)
{
    const char *name = names[judgement->subject];
    if (isnan(judgement->confidence))
        fprintf(stream, "%s\t-\t", name);
    else
        fprintf(stream, "%s\t%.4g\t", name, judgement->confidence);
    write_text(judgement->value, stream);
    for (int i = 0; i < 2 * JUDGEMENT_SHOWN; i++) {
        int sign = i < JUDGEMENT_SHOWN ? 1 : -1;
        const Observation *seen = evidence_strongest(&judgement->evidence, sign, i % JUDGEMENT_SHOWN);
        if (!seen)
            continue;
        fprintf(stream, "%s\t%+.2f\t", name, seen->log_odds);
        write_text(seen->text, stream);
    }
}

Status judgement_record(Provenance *provenance, const Judgement *judgement, Error *err)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return error_no_memory(err);
    write_others(provenance->evidence, judgement->subject, stream);
    write_judgement(judgement, stream);
    if (fclose(stream)) {
        free(text);
        return error_no_memory(err);
    }
    text[size - 1] = '\0'; /* the last line break */
    free(provenance->evidence);
    provenance->evidence = text;
    return STATUS_OK;
}

/* ---- Reading ---- */

static void copy_line(const char *from, char *to, size_t size)
{
    size_t length = strcspn(from, "\n");
    snprintf(to, size, "%.*s", (int)(length < size ? length : size - 1), from);
}

/* rest: the line after its subject. */
static void read_line(const char *rest, Judgement *out, int *is_found)
{
    char *end;
    int is_observation = *rest == '+' || (*rest == '-' && rest[1] != '\t');
    double number = *rest == '-' && rest[1] == '\t' ? NAN : strtod(rest, &end);
    if (isnan(number))
        end = (char *)rest + strcspn(rest, "\t\n");
    if (*end != '\t')
        return;
    if (is_observation && isfinite(number) && out->evidence.count < EVIDENCE_MAX) {
        Observation *seen = &out->evidence.observation[out->evidence.count++];
        seen->log_odds = number;
        copy_line(end + 1, seen->text, sizeof seen->text);
    } else if (!is_observation) {
        out->confidence = number;
        copy_line(end + 1, out->value, sizeof out->value);
        *is_found = 1;
    }
}

int judgement_recall(const Provenance *provenance, JudgementSubject subject, Judgement *out)
{
    const char *text = provenance->evidence;
    int is_found = 0;
    *out = (Judgement){.subject = subject, .confidence = NAN};
    for (const char *line = text && *text ? text : NULL; line; line = next_line(line)) {
        const char *rest = behind_subject(line, subject);
        if (rest)
            read_line(rest, out, &is_found);
    }
    return is_found;
}
