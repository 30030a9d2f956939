/* See history_rerun.h. */
#include "pipeline/stages/history_rerun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/detect/import_guess.h"
#include "formats/base/bytes.h"
#include "formats/source/source.h"
#include "pipeline/stages/history_read.h"
#include "pipeline/stages/import.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

enum { RERUN_PATH_SIZE = 4096 };

/* Resets detected values to their defaults; a value set by an option has confidence 1. */
static void forget_detected(ImportOptions *given, const Decisions *confidence)
{
    const ImportGuessDef defaults = import_defaults().guess;
    ImportGuessDef *e = &given->guess;
    if (confidence->unit < 1)
        e->meters_per_unit = defaults.meters_per_unit;
    if (confidence->up_axis < 1)
        e->up = defaults.up;
    if (confidence->frame_rate < 1)
        e->fps = defaults.fps;
    if (confidence->root_offset < 1)
        e->root_offset = defaults.root_offset;
    if (confidence->positions < 1)
        e->positions = defaults.positions;
}

static int is_same_line(const char *a, const char *b, const char *end)
{
    const char *a_end = strstr(a, end), *b_end = strstr(b, end);
    size_t length = a_end ? (size_t)(a_end - a) : strlen(a);
    return length == (b_end ? (size_t)(b_end - b) : strlen(b)) && strncmp(a, b, length) == 0;
}

/* Uses the clip's stored texts of the warnings that import repeated, and of its detections. */
static Status keep_warnings(const Clip *clip, Clip *out, Error *err)
{
    char *own = out->provenance.warnings, *stored = strdup(clip->provenance.warnings ? clip->provenance.warnings : "");
    char *rest = stored, *line;
    Status status = stored ? STATUS_OK : error_no_memory(err);
    out->provenance.warnings = NULL;
    while (!status && (line = strsep(&rest, "\n"))) {
        char *words = strstr(line, ": ");
        int is_known = own && strstr(own, line);
        if (!words || (!is_known && strncmp(line, "unit:", 5) != 0 && strncmp(line, "dissent:", 8) != 0))
            continue;
        *words = 0;
        status = clip_add_warning(out, line, words + 2, err);
    }
    free(stored);
    free(own);
    return status;
}

/* Copies the stored history line, texts and confidences of import. */
static Status keep_decisions(const Clip *clip, const char *line, Clip *out, Error *err)
{
    Provenance *p = &out->provenance;
    free(p->history);
    free(p->decisions);
    p->history = strdup(line);
    p->decisions = clip->provenance.decisions ? strdup(clip->provenance.decisions) : NULL;
    p->confidence = clip->provenance.confidence;
    if (!p->history || (!p->decisions && clip->provenance.decisions))
        return error_no_memory(err);
    return keep_warnings(clip, out, err);
}

/* Copies the stored evidence: a value that was detected is repeated as an option. */
static Status keep_evidence(const Clip *clip, Clip *out, Error *err)
{
    const char *stored = clip->provenance.evidence;
    free(out->provenance.evidence);
    out->provenance.evidence = stored ? strdup(stored) : NULL;
    return stored && !out->provenance.evidence ? error_no_memory(err) : STATUS_OK;
}

static Status check_source(const Clip *clip, const char *source, const SourceDef *limits, Error *err)
{
    char digest[DIGEST_SIZE];
    Status status = error_of_file(err, source, source_digest_path(source, limits, digest, err));
    if (status || strcmp(digest, clip->provenance.source_sha256) == 0)
        return status;
    return error_set(err, STATUS_BAD_INPUT, "%.300s is not the source of this clip: SHA-256 %.8s..., of its source "
                     "%.8s...", source, digest, clip->provenance.source_sha256);
}

/* line: complete, with its note. */
static Status rerun_import(const Clip *clip, const char *line, const char *source, Clip *out, Error *err)
{
    char file[RERUN_PATH_SIZE] = "", *words = strdup(line), *note = words ? strstr(words, " # ") : NULL;
    ImportOptions given = import_defaults();
    HistoryReading reading = {&import_command, (char *)&given, file, sizeof file, source};
    Status status = words ? STATUS_OK : error_no_memory(err);
    if (note)
        *note = 0;
    if (!status)
        status = history_read_options(&reading, words + strcspn(words, " "), err);
    ImportOptions recorded = given;
    forget_detected(&given, &clip->provenance.confidence);
    if (!status)
        status = check_source(clip, source, &given.limits, err);
    if (!status)
        status = import_read(&given, source, out, NULL, err);
    if (!status && !is_same_line(out->provenance.history, line, " # ")) {
        clip_free(out);
        status = import_read(&recorded, source, out, NULL, err);
    }
    if (!status && strcmp(out->provenance.history, line) != 0)
        status = keep_decisions(clip, line, out, err);
    free(words);
    return status;
}

/* Returns whether contact, whose history has method "none", was to estimate: it records "none" and warns if the root
 * does not translate. */
static int was_without_root_path(const Clip *clip, const Stage *stage)
{
    return stage == &stage_contact && clip->provenance.warnings && strstr(clip->provenance.warnings, "no-root-path: ");
}

static Status rerun_stage(const Clip *clip, char *line, const char *source, Clip *out, Error *err)
{
    char file[RERUN_PATH_SIZE] = "", *note = strstr(line, " # "), name[32];
    size_t length = strcspn(line, " ");
    OptionValues values;
    snprintf(name, sizeof name, "%.*s", (int)length, line);
    const Stage *stage = stage_find(name);
    if (!stage)
        return error_set(err, STATUS_BAD_INPUT, "cannot repeat \"%.60s\": it is no stage of this kane", line);
    if (note)
        *note = 0;
    HistoryReading reading = {&stage->command, values.bytes, file, sizeof file, source};
    stage_defaults(stage, &values);
    Status status = was_without_root_path(clip, stage) ? STATUS_OK : history_read_options(&reading, line + length, err);
    if (note && stage->forget)
        stage->forget(note + strlen(" # "), &values);
    return status ? status : stage_apply(stage, &values, out, NULL, err);
}

Status history_rerun(const Clip *clip, const char *source, Clip *out, Error *err)
{
    *out = (Clip){0};
    char *history = strdup(clip->provenance.history ? clip->provenance.history : ""), *rest = history, *line;
    Status status = history ? STATUS_OK : error_no_memory(err);
    if (!status && !history_behind_name(&import_command, history))
        status = error_set(err, STATUS_BAD_INPUT, "cannot repeat a history that does not begin with kane import");
    for (int i = 0; !status && (line = strsep(&rest, "\n")); i++)
        status = i == 0 ? rerun_import(clip, line, source, out, err) : rerun_stage(clip, line, source, out, err);
    free(history);
    if (!status)
        status = keep_evidence(clip, out, err);
    if (status)
        clip_free(out);
    return status;
}
