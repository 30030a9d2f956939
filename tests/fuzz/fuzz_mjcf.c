/* formats/model under libFuzzer: no input crashes it; rejected input has a message, accepted models are valid. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/model/model_motion.h"
#include "formats/model/mjcf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check_model(const Model *m)
{
    double *q = calloc((size_t)m->q_count + 1, sizeof *q);
    ModelMotion motion;
    require(q != NULL && m->body_count > 0);
    for (int b = 1; b < m->body_count; b++)
        require(m->body[b].parent >= 0 && m->body[b].parent < b && m->body[b].mass >= 0);
    for (int k = 0; k < m->tendon_site_count; k++)
        require(m->tendon_site[k] >= 0 && m->tendon_site[k] < m->site_count);
    for (int a = 0; a < m->actuator_count; a++)
        require(m->actuator[a].joint >= 0 && m->actuator[a].joint < m->joint_count);
    model_reference(m, q);
    require(model_motion_init(&motion, m, NULL) == STATUS_OK);
    model_motion_set(&motion, m, q, NULL, NULL);
    model_motion_free(&motion);
    free(q);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    MjcfDef limits = mjcf_default_def();
    MjcfRemarks remarks = {0};
    Model m;
    Error err = {0};
    if (mjcf_parse((const char *)data, size, &limits, &m, &remarks, &err) == STATUS_OK)
        check_model(&m);
    else
        require(err.text[0] != 0 && m.body == NULL);
    model_free(&m);
    mjcf_remarks_free(&remarks);
    return 0;
}
