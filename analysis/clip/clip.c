#include "analysis/clip/clip.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/base_name.h"

/* What a group is computed from, directly or not, and the member that says that it is there. */
static const struct {
    ClipGroup group;
    const char *name;
    unsigned sources;
    size_t has;
} table[] = {
#define BEFORE(group) (((group) - 1) & ~CLIP_RETARGET)
#define HAS(member) offsetof(Clip, has_##member)
    {CLIP_RETARGET, "/retarget", 0, HAS(retarget)}, /* of what was done to the clip, whatever comes after it */
    {CLIP_BODY, "/body", CLIP_SKELETON, HAS(body)},
    {CLIP_KINEMATICS, "/kinematics", BEFORE(CLIP_KINEMATICS), HAS(kinematics)},
    {CLIP_CONTACT, "/contact", BEFORE(CLIP_CONTACT), HAS(contact)},
    {CLIP_DYNAMICS, "/dynamics", BEFORE(CLIP_DYNAMICS), HAS(dynamics)},
    {CLIP_TRACKING, "/tracking", BEFORE(CLIP_TRACKING), HAS(tracking)},
    {CLIP_ANATOMY, "/anatomy", BEFORE(CLIP_TRACKING), HAS(anatomy)}, /* of the motion, not of its simulation */
    {CLIP_SIMULATION, "/simulation", CLIP_ALWAYS, HAS(simulation)},
    {CLIP_PARTICLES, "/particles", CLIP_ALWAYS, HAS(particles)},
};
enum { GROUPS = sizeof table / sizeof *table };

const char *clip_group_name(ClipGroup group)
{
    for (int i = 0; i < GROUPS; i++)
        if (table[i].group == group)
            return table[i].name;
    return group == CLIP_SKELETON ? "/skeleton" : "/motion";
}

static int *has(Clip *c, int row)
{
    return (int *)((char *)c + table[row].has);
}

unsigned clip_groups(const Clip *c)
{
    unsigned groups = CLIP_ALWAYS;
    for (int i = 0; i < GROUPS; i++)
        groups |= *(const int *)((const char *)c + table[i].has) ? table[i].group : 0;
    return groups;
}

unsigned clip_computed_from(unsigned groups)
{
    unsigned computed = 0;
    for (int i = 0; i < GROUPS; i++)
        computed |= table[i].sources & groups ? table[i].group : 0;
    return computed;
}

void clip_hold(Clip *c, unsigned groups)
{
    for (int i = 0; i < GROUPS; i++)
        if (groups & table[i].group)
            *has(c, i) = 1;
}

void clip_drop(Clip *c, unsigned groups)
{
    unsigned gone = groups | clip_computed_from(groups);
    if (gone & CLIP_BODY)
        body_free(&c->body);
    if (gone & CLIP_KINEMATICS)
        kinematics_free(&c->kinematics);
    if (gone & CLIP_CONTACT)
        contact_free(&c->contact);
    if (gone & CLIP_DYNAMICS)
        dynamics_free(&c->dynamics);
    if (gone & CLIP_ANATOMY)
        anatomy_free(&c->anatomy);
    if (gone & CLIP_TRACKING)
        tracking_free(&c->tracking);
    if (gone & CLIP_SIMULATION)
        simulation_free(&c->simulation);
    if (gone & CLIP_PARTICLES)
        particle_track_free(&c->particles);
    for (int i = 0; i < GROUPS; i++)
        if (gone & table[i].group)
            *has(c, i) = 0;
}

void clip_free(Clip *c)
{
    if (!c)
        return;
    clip_drop(c, CLIP_BODY);
    skeleton_free(&c->skeleton);
    motion_free(&c->motion);
    trust_free(&c->trust);
    simulation_free(&c->simulation);
    particle_track_free(&c->particles);
    free(c->provenance.title);
    free(c->provenance.source);
    free(c->provenance.history);
    free(c->provenance.decisions);
    free(c->provenance.warnings);
    *c = (Clip){0};
}

Status clip_set_source(Clip *c, const char *path, Error *err)
{
    const char *base = base_name(path);
    const char *dot = strrchr(base, '.');
    size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    char *source = strdup(base), *title = strndup(base, length);
    if (!source || !title) {
        free(source);
        free(title);
        return error_no_memory(err);
    }
    free(c->provenance.source);
    free(c->provenance.title);
    c->provenance.source = source;
    c->provenance.title = title;
    return STATUS_OK;
}

/* Appends a line to a text that may be NULL. */
static Status add_line(char **text, const char *line, Error *err)
{
    const char *old = *text ? *text : "";
    size_t size = strlen(old) + strlen(line) + 2;
    char *joined = malloc(size);
    if (!joined)
        return error_no_memory(err);
    snprintf(joined, size, "%s%s%s", old, *old ? "\n" : "", line);
    free(*text);
    *text = joined;
    return STATUS_OK;
}

Status clip_add_history(Clip *c, const char *line, Error *err)
{
    return add_line(&c->provenance.history, line, err);
}

static int is_of_kind(const char *line, const char *kind)
{
    size_t length = strlen(kind);
    return strncmp(line, kind, length) == 0 && strncmp(line + length, ": ", 2) == 0;
}

int clip_has_warning(const Clip *c, const char *kind, const char *text)
{
    size_t length = strlen(text);
    for (const char *line = c->provenance.warnings; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *words = line + strlen(kind) + 2;
        if (is_of_kind(line, kind) && !strncmp(words, text, length) && (!words[length] || words[length] == '\n'))
            return 1;
    }
    return 0;
}

void clip_drop_warnings(Clip *c, const char *kind)
{
    char *line = c->provenance.warnings;
    while (line && *line) {
        char *next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (is_of_kind(line, kind))
            memmove(line, next, strlen(next) + 1);
        else
            line = next;
    }
    if (c->provenance.warnings) { /* no line end behind the last */
        size_t length = strlen(c->provenance.warnings);
        if (length > 0 && c->provenance.warnings[length - 1] == '\n')
            c->provenance.warnings[length - 1] = 0;
    }
}

static int count_lines_of(const char *text, const char *kind)
{
    int count = 0;
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        count += is_of_kind(line, kind);
    return count;
}

Status clip_add_warning(Clip *c, const char *kind, const char *text, Error *err)
{
    char line[512];
    int before = count_lines_of(c->provenance.warnings, kind);
    if (before > WARNINGS_OF_A_KIND)
        return STATUS_OK;
    snprintf(line, sizeof line, "%s: %s", kind, before < WARNINGS_OF_A_KIND ? text : "and more of this kind");
    for (char *at = line; *at; at++) /* a line stays one */
        *at = *at == '\n' || *at == '\r' ? ' ' : *at;
    return add_line(&c->provenance.warnings, line, err);
}
