/* The public functions of libkane over clips, containers and the stages of the program. Options are those of the verbs'
 * own tables, and stages are applied as `kane run` applies them, so that containers have the same bytes. */
#include "library/kane.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip_schema.h"
#include "formats/container/output_rule.h"
#include "pipeline/stages/stage.h"

_Static_assert((int)KANE_INTERNAL == (int)STATUS_INTERNAL && (int)KANE_LIMIT == (int)STATUS_LIMIT, "the same codes");
_Static_assert(sizeof((KaneError *)NULL)->text == ERROR_TEXT_SIZE, "an error's text fits");

struct KaneClip {
    Clip clip;
};

struct KaneOptions {
    Pipeline values;
    char **text; /* [text_count] values that options point to, owned */
    size_t text_count;
};

const char *kane_version(void)
{
    return KANE_VERSION;
}

static int report(Status status, const Error *err, KaneError *out)
{
    if (!status || !out)
        return (int)status;
    *out = (KaneError){.status = (KaneStatus)status, .line = err->line, .column = err->column};
    memcpy(out->text, err->text, sizeof out->text);
    return (int)status;
}

/* ---- The options ---- */

KaneOptions *kane_options_create(void)
{
    KaneOptions *options = calloc(1, sizeof *options);
    if (options)
        options->values = pipeline_defaults();
    return options;
}

void kane_options_destroy(KaneOptions *options)
{
    if (!options)
        return;
    for (size_t i = 0; i < options->text_count; i++)
        free(options->text[i]);
    free(options->text);
    free(options);
}

/* A copy that lives as long as the options. */
static const char *keep_text(KaneOptions *options, const char *text)
{
    char **list = realloc(options->text, (options->text_count + 1) * sizeof *list);
    if (!list)
        return NULL;
    options->text = list;
    char *copy = strdup(text);
    if (copy)
        list[options->text_count++] = copy;
    return copy;
}

/* The option of a name, and the struct that it fills. */
static const Option *find_option(KaneOptions *options, const char *name, void **values)
{
    OptionGroup groups[CHAIN_GROUPS];
    int count = pipeline_groups(&options->values, groups);
    for (int i = 0; i < count; i++) {
        const Option *option = option_find_prefixed(&groups[i], name);
        *values = groups[i].values;
        if (option)
            return option;
    }
    return NULL;
}

int kane_options_set(KaneOptions *options, const char *option, const char *value, KaneError *error)
{
    Error err = {0};
    void *values;
    const Option *found = find_option(options, option, &values);
    if (!found || (!value && found->argument))
        return report(error_set(&err, STATUS_USAGE, found ? "%s needs a value" : "unknown option %s", option), &err,
                      error);
    const char *text = keep_text(options, value ? value : "");
    if (!text)
        return report(error_no_memory(&err), &err, error);
    return report(found->kind->parse(found, text, (char *)values + found->offset, &err), &err, error);
}

/* ---- Clips ---- */

int kane_open(const char *path, const KaneOptions *options, KaneClip **clip, KaneError *error)
{
    Error err = {0};
    Pipeline defaults = pipeline_defaults();
    KaneClip *opened = calloc(1, sizeof *opened);
    *clip = NULL;
    if (!opened)
        return report(error_no_memory(&err), &err, error);
    Status status = pipeline_open(options ? &options->values : &defaults, path, &opened->clip, NULL, &err);
    if (!status)
        *clip = opened;
    else
        free(opened);
    return report(status, &err, error);
}

void kane_close(KaneClip *clip)
{
    if (!clip)
        return;
    clip_free(&clip->clip);
    free(clip);
}

int kane_run(KaneClip *clip, const KaneOptions *options, KaneError *error)
{
    Error err = {0};
    Pipeline defaults = pipeline_defaults();
    return report(pipeline_run(options ? &options->values : &defaults, &clip->clip, NULL, &err), &err, error);
}

int kane_save(const KaneClip *clip, const char *path, KaneError *error)
{
    Error err = {0};
    ContainerDef def = container_default_def();
    Status status = error_of_file(&err, path, container_store(&clip->clip, &def, path, &err));
    return report(status, &err, error);
}

/* ---- What a clip holds ---- */

int kane_frame_count(const KaneClip *clip) { return clip->clip.motion.frame_count; }

int kane_joint_count(const KaneClip *clip) { return clip->clip.skeleton.joint_count; }

double kane_frame_time(const KaneClip *clip) { return clip->clip.motion.frame_time; }

double kane_total_mass(const KaneClip *clip) { return clip->clip.has_body ? clip->clip.body.total_mass : 0; }

static int has_joint(const KaneClip *clip, int joint) { return joint >= 0 && joint < clip->clip.skeleton.joint_count; }

const char *kane_joint_name(const KaneClip *clip, int joint)
{
    return has_joint(clip, joint) ? clip->clip.skeleton.name[joint] : NULL;
}

const char *kane_joint_role(const KaneClip *clip, int joint)
{
    return has_joint(clip, joint) ? role_name(clip->clip.skeleton.role[joint]) : NULL;
}

int kane_joint_parent(const KaneClip *clip, int joint)
{
    return has_joint(clip, joint) ? clip->clip.skeleton.parent[joint] : -1;
}

int kane_find_role(const KaneClip *clip, const char *role)
{
    Role wanted = role_from_name(role);
    return wanted == ROLE_NONE ? -1 : skeleton_find_role(&clip->clip.skeleton, wanted);
}

const char *kane_history(const KaneClip *clip)
{
    return clip->clip.provenance.history ? clip->clip.provenance.history : "";
}

/* Arrays of Vec3 and Quat have the layout of doubles. */
const double *kane_array(const KaneClip *clip, const char *path, size_t shape[3])
{
    int found = schema_find_path(path);
    const SchemaDataset *row = &schema_datasets[found < 0 ? 0 : found];
    if (found < 0 || row->element != ELEMENT_DOUBLE || !schema_has_dataset(&clip->clip, row))
        return NULL;
    for (int i = 0; shape && i < SCHEMA_MAX_RANK; i++)
        shape[i] = i < schema_rank(row) ? schema_dim_size(&clip->clip, row->dim[i]) : 1;
    return schema_array(&clip->clip, row);
}
