/* Loads scenes from MJCF texts. */
#ifndef KANE_TESTS_SCENE_CASE_H
#define KANE_TESTS_SCENE_CASE_H

#include <stdlib.h>
#include <string.h>

#include "analysis/sim/scene.h"
#include "formats/model/mjcf.h"

typedef struct SceneCase {
    Model *model;
    Scene *scene;
} SceneCase;

/* def NULL: default. Starts in the first keyframe, if there is one. */
static inline SceneCase scene_case(const char *text, const SceneDef *def)
{
    MjcfDef limits = mjcf_default_def();
    MjcfRemarks remarks = {0};
    Error err = {0};
    SceneDef usual = scene_default_def();
    SceneCase c = {0};
    Model *m = c.model = calloc(1, sizeof *m);
    assert_non_null(m);
    Status status = mjcf_parse(text, strlen(text), &limits, m, &remarks, &err);
    if (status || scene_create(m, def ? def : &usual, &c.scene, &err))
        print_error("%d: %s\n", err.line, err.text);
    assert_non_null(c.scene);
    mjcf_remarks_free(&remarks);
    if (m->key_count)
        scene_set_state(c.scene, m->key[0].q, m->key[0].v, m->key[0].control);
    return c;
}

static inline void scene_case_free(SceneCase *c)
{
    scene_destroy(c->scene);
    model_free(c->model);
    free(c->model);
}

static inline void scene_case_run(const SceneCase *c, double duration)
{
    Error err = {0};
    for (long k = lround(duration / scene_step_size(c->scene)); k > 0; k--) {
        Status status = scene_step(c->scene, &err);
        if (status)
            print_error("%s\n", err.text);
        assert_int_equal(status, STATUS_OK);
    }
}

#endif
