/* AMC with its ASF as a motion format: its row of the table of formats (formats/base/source_format.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "formats/amc/amc.h"
#include "formats/amc/amc_lines.h"
#include "formats/amc/asf.h"

static const double digits_of_lengths = 1e-5; /* fraction of the longest bone */

static int begins(const char *front, size_t size)
{
    static const char *const words[] = {"#!OML:ASF", ":FULLY-SPECIFIED", ":DEGREES", ":RADIANS",
                                        ":SAMPLES-PER-SECOND"};
    AmcLines lines = amc_lines_new(front, size, NULL);
    if ((size_t)(lines.text_end - lines.next) >= strlen(words[0]) &&
        strncasecmp(lines.next, words[0], strlen(words[0])) == 0)
        return 1;
    int is_amc = 0, is_text = amc_next_line(&lines);
    for (size_t i = 1; is_text && !is_amc && i < sizeof words / sizeof *words; i++)
        is_amc = amc_skip_word(&lines, words[i]);
    return is_amc;
}

/* ---- Skeleton ---- */

/* Returns the length of the subject in the name of a trial, "07" of "07_01.amc"; 0 if there is none. */
static int subject_length(const char *name, int length)
{
    int end = length;
    while (end > 0 && name[end - 1] != '_')
        end--;
    return end > 1 ? end - 1 : 0;
}

static Status named(const char *path, const char *name, int length, char **found, Error *err)
{
    static const char *const endings[] = {".asf", ".ASF"};
    char file[512];
    Status status = STATUS_OK;
    *found = NULL;
    for (int i = 0; !status && !*found && i < 2 && length < 500; i++) {
        snprintf(file, sizeof file, "%.*s%s", length, name, endings[i]);
        status = companion_named(path, file, found, err);
    }
    return status;
}

/* walk.asf, or 07.asf of 07_01.amc, else the only one in the folder. */
static Status find_companions(const char *path, Companions *out, Error *err)
{
    const char *name = base_name(path), *dot = strrchr(name, '.');
    int length = dot ? (int)(dot - name) : (int)strlen(name), subject = subject_length(name, length);
    char *found;
    Status status = named(path, name, length, &found, err);
    for (; !status && !found && subject > 0; subject = subject_length(name, subject))
        status = named(path, name, subject, &found, err);
    if (!status && !found)
        status = companion_only(path, "", ".asf", &found, err);
    return status ? status : companions_add(out, found, err);
}

static const char *stated_companion(const SourceDef *def) { return def->skeleton; }

static Status read_asf(const SourceFile *file, const SourceDef *def, Asf *out, Error *err)
{
    *out = (Asf){0};
    if (file->companion_count == 0)
        return error_set(err, STATUS_BAD_INPUT, "no skeleton beside this motion: put its ASF file into the folder, or "
                         "give it with import's --skeleton");
    return asf_parse(&file->companion[0], def, out, err);
}

/* ---- Takes ---- */

static void free_kept(void *file)
{
    amc_free(file);
    free(file);
}

/* Lines of the motion file; bones are declared in the other one. */
static FileLocation where(const Take *take, int frame, int joint, TakePart part)
{
    const Amc *kept = take->file;
    (void)joint, (void)part;
    return (FileLocation){.line = frame >= 0 && frame < kept->frame_count ? kept->line[frame] : 0};
}

/* Moves the motion into the take, for kane check. */
static Status keep(Amc *amc, const ChannelRows *rows, EulerChannels *rotations, Take *out, Error *err)
{
    Amc *kept = malloc(sizeof *kept);
    if (!kept)
        return error_no_memory(err);
    *kept = *amc;
    *amc = (Amc){0};
    out->rows = *rows;
    out->rotations = rotations;
    out->file = kept;
    out->free_file = free_kept;
    out->where = where;
    return STATUS_OK;
}

static Status fill_take(const Asf *asf, Amc *amc, const SourceDef *def, Take *out, Error *err)
{
    ChannelRows rows;
    EulerChannels *rotations = NULL;
    Status status = asf_skeleton(asf, &out->skeleton, err);
    if (!status)
        status = amc_motion(asf, amc, &out->motion, &rows, &rotations, err);
    if (!status && def->tolerant)
        status = keep(amc, &rows, rotations, out, err);
    if (out->rotations != rotations)
        free(rotations);
    if (status)
        return status;
    for (int d = 0; d < asf->bone[0].dof_count; d++)
        if (asf->bone[0].dof[d] <= ASF_TZ)
            out->root_given[asf->bone[0].dof[d]] = 1;
    out->meters_per_unit = asf_unit(asf, &out->skeleton);
    out->digits = digits_of_lengths * skeleton_longest_offset(&out->skeleton);
    return STATUS_OK;
}

static Status read_take(const SourceFile *file, int number, const SourceDef *def, Take *out, Error *err)
{
    Asf asf;
    Amc amc = {0};
    (void)number;
    Status status = read_asf(file, def, &asf, err);
    if (!status)
        status = amc_parse(file, &asf, def, &amc, err);
    if (!status)
        status = fill_take(&asf, &amc, def, out, err);
    amc_free(&amc);
    asf_free(&asf);
    return status;
}

/* ---- Memory ---- */

/* The beginning has the size of a frame: its lines are those between the first two numbers of frames. */
static void measure(const SourceHead *head, SourceSize *out)
{
    AmcLines lines = amc_lines_new(head->text, head->size, NULL);
    const char *first = NULL, *second = NULL;
    int rows = 0;
    while (!second && amc_next_line(&lines)) {
        int is_number = *lines.at >= '0' && *lines.at <= '9';
        second = is_number && first ? lines.at : NULL;
        first = is_number && !first ? lines.at : first;
        rows += !is_number && first;
    }
    out->joints = 1 + rows;
    out->frames = second ? head->file_size / (double)(second - first) : 1;
}

static const char *const endings[] = {".amc", NULL};

const SourceFormat source_amc = {
    .name = "AMC",
    .kind = FILE_TEXT,
    .endings = endings,
    .begins = begins,
    .measure = measure,
    .find_companions = find_companions,
    .stated_companion = stated_companion,
    .read = read_take,
};
