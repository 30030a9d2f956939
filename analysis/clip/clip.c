#include "analysis/clip/clip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void clip_drop(Clip *c, ClipGroup from)
{
    if (from <= CLIP_BODY) {
        body_free(&c->body);
        c->has_body = 0;
    }
    if (from <= CLIP_KINEMATICS) {
        kinematics_free(&c->kinematics);
        c->has_kinematics = 0;
    }
    if (from <= CLIP_CONTACT) {
        contact_free(&c->contact);
        c->has_contact = 0;
    }
    if (from <= CLIP_DYNAMICS) {
        dynamics_free(&c->dynamics);
        c->has_dynamics = 0;
    }
    tracking_free(&c->tracking);
    c->has_tracking = 0;
}

void clip_free(Clip *c)
{
    if (!c)
        return;
    clip_drop(c, CLIP_BODY);
    skeleton_free(&c->skeleton);
    motion_free(&c->motion);
    free(c->provenance.title);
    free(c->provenance.source);
    free(c->provenance.history);
    *c = (Clip){0};
}

Status clip_set_source(Clip *c, const char *path, Error *err)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
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

Status clip_add_history(Clip *c, const char *line, Error *err)
{
    const char *old = c->provenance.history ? c->provenance.history : "";
    size_t size = strlen(old) + strlen(line) + 2;
    char *joined = malloc(size);
    if (!joined)
        return error_no_memory(err);
    snprintf(joined, size, "%s%s%s", old, *old ? "\n" : "", line);
    free(c->provenance.history);
    c->provenance.history = joined;
    return STATUS_OK;
}
