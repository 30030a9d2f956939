/* The public functions of libkane over clips, containers and the stages of the program. Options are those of the verbs'
 * own tables, and stages are applied as `kane run` applies them, so that containers have the same bytes. */
#include "library/kane.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/status.h"
#include "formats/container/output_rule.h"
#include "pipeline/stages/pipeline.h"

_Static_assert((int)KANE_INTERNAL == (int)STATUS_INTERNAL && (int)KANE_LIMIT == (int)STATUS_LIMIT, "the same codes");
_Static_assert(sizeof((KaneError *)NULL)->text == ERROR_TEXT_SIZE, "an error's text fits");

struct KaneClip {
    Clip clip;
};

struct KaneChain {
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
    if (status == STATUS_OK || !out)
        return (int)status;
    *out = (KaneError){.status = (KaneStatus)status, .line = err->line, .column = err->column};
    memcpy(out->text, err->text, sizeof out->text);
    return (int)status;
}

/* ---- The chain ---- */

KaneChain *kane_chain_create(void)
{
    KaneChain *chain = calloc(1, sizeof *chain);
    if (chain)
        chain->values = pipeline_defaults();
    return chain;
}

void kane_chain_destroy(KaneChain *chain)
{
    if (!chain)
        return;
    for (size_t i = 0; i < chain->text_count; i++)
        free(chain->text[i]);
    free(chain->text);
    free(chain);
}

/* A copy that lives as long as the chain. */
static const char *keep_text(KaneChain *chain, const char *text)
{
    char **list = realloc(chain->text, (chain->text_count + 1) * sizeof *list);
    if (!list)
        return NULL;
    chain->text = list;
    char *copy = strdup(text);
    if (copy)
        list[chain->text_count++] = copy;
    return copy;
}

/* The option of a name such as "smooth-cutoff" in one group; NULL where the name is none of its. */
static const Option *find_in_group(const OptionGroup *group, const char *name)
{
    size_t length = group->prefix ? strlen(group->prefix) : 0;
    if (length && (strncmp(name, group->prefix, length) || name[length] != '-'))
        return NULL;
    return option_find(group->options, name + length + (length > 0));
}

/* The option of a name, and the struct that it fills. */
static const Option *find_option(KaneChain *chain, const char *name, void **values)
{
    OptionGroup groups[CHAIN_GROUPS];
    int count = pipeline_groups(&chain->values, groups);
    for (int i = 0; i < count; i++) {
        const Option *option = find_in_group(&groups[i], name);
        *values = groups[i].values;
        if (option)
            return option;
    }
    return NULL;
}

int kane_chain_set(KaneChain *chain, const char *option, const char *value, KaneError *error)
{
    Error err = {0};
    void *values;
    const Option *found = find_option(chain, option, &values);
    if (!found || (!value && found->argument))
        return report(error_set(&err, STATUS_USAGE, found ? "%s needs a value" : "there is no option %s", option), &err,
                      error);
    const char *text = keep_text(chain, value ? value : "");
    if (!text)
        return report(error_no_memory(&err), &err, error);
    return report(found->kind->parse(found, text, (char *)values + found->offset, &err), &err, error);
}

/* ---- Clips ---- */

int kane_open(const char *path, const KaneChain *chain, KaneClip **clip, KaneError *error)
{
    Error err = {0};
    Pipeline defaults = pipeline_defaults();
    KaneClip *opened = calloc(1, sizeof *opened);
    *clip = NULL;
    if (!opened)
        return report(error_no_memory(&err), &err, error);
    Status status = pipeline_open(chain ? &chain->values : &defaults, path, &opened->clip, NULL, &err);
    if (status == STATUS_OK)
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

int kane_run(KaneClip *clip, const KaneChain *chain, KaneError *error)
{
    Error err = {0};
    Pipeline defaults = pipeline_defaults();
    return report(pipeline_run(chain ? &chain->values : &defaults, &clip->clip, NULL, &err), &err, error);
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
static const double *find_array(const Clip *c, KaneArray which)
{
    const Kinematics *k = &c->kinematics;
    const Dynamics *d = &c->dynamics;
    switch (which) {
    case KANE_TIME: return c->motion.time;
    case KANE_ROOT_POSITION: return (const double *)c->motion.root_position;
    case KANE_ROTATION: return (const double *)c->motion.rotation;
    case KANE_MASS: return c->has_body ? c->body.mass : NULL;
    case KANE_POSITION: return c->has_kinematics ? (const double *)k->position : NULL;
    case KANE_ORIENTATION: return c->has_kinematics ? (const double *)k->orientation : NULL;
    case KANE_ANGULAR_VELOCITY: return c->has_kinematics ? (const double *)k->angular_velocity : NULL;
    case KANE_ANGULAR_ACCELERATION: return c->has_kinematics ? (const double *)k->angular_acceleration : NULL;
    case KANE_VELOCITY: return c->has_kinematics ? (const double *)k->velocity : NULL;
    case KANE_ACCELERATION: return c->has_kinematics ? (const double *)k->acceleration : NULL;
    case KANE_COM: return c->has_kinematics ? (const double *)k->com : NULL;
    case KANE_FOOT_FORCE: return c->has_contact ? (const double *)c->contact.foot_force : NULL;
    case KANE_TORQUE: return c->has_dynamics ? (const double *)d->torque : NULL;
    case KANE_FORCE: return c->has_dynamics ? (const double *)d->force : NULL;
    case KANE_POWER: return c->has_dynamics ? d->power : NULL;
    }
    return NULL;
}

static void find_shape(const Clip *c, KaneArray which, size_t shape[3])
{
    size_t frames = (size_t)c->motion.frame_count, joints = (size_t)c->skeleton.joint_count;
    shape[0] = which == KANE_MASS ? joints : frames;
    shape[1] = joints;
    shape[2] = which == KANE_ROTATION || which == KANE_ORIENTATION ? 4 : which == KANE_POWER ? 1 : 3;
    if (which == KANE_FOOT_FORCE)
        shape[1] = FOOT_COUNT;
    if (which == KANE_ROOT_POSITION || which == KANE_COM) {
        shape[1] = 3;
        shape[2] = 1;
    }
    if (which == KANE_TIME || which == KANE_MASS)
        shape[1] = shape[2] = 1;
}

const double *kane_array(const KaneClip *clip, KaneArray which, size_t shape[3])
{
    const double *array = find_array(&clip->clip, which);
    if (shape && array)
        find_shape(&clip->clip, which, shape);
    return array;
}
