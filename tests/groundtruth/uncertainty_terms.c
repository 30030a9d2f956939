/* Effect of each cause of uncertainty on the leg moments, for research/fit_uncertainty.py.
 *
 * usage: uncertainty_terms fast|full CLIP.h5...   clip files with estimated ground forces and torques;
 *        uncertainty_terms names                  prints the causes in output order.
 *
 * The output has, for each clip, its numbers of frames and of causes as doubles, then for each cause its size and per
 * frame the variances of the torques at hip, knee and ankle of the left and the right leg due to that cause, world
 * axes, N2 m2: 6 x 3 per frame. The size of the noise, which each clip has its own of, is that of data/uncertainty.tsv.
 * With full, the row of `filter` is that of the whole ensemble, and the rows of other ensemble causes are zero. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/uncertainty/spread_terms.h"
#include "analysis/uncertainty/torque_uncertainty.h"
#include "formats/container/container.h"
#include "pipeline/stages/uncertainty.h"
#include "tests/support/single_term.h"

enum { LEG_JOINTS = 6 };

static const Role leg_roles[LEG_JOINTS] = {ROLE_LEFT_HIP,  ROLE_LEFT_KNEE,  ROLE_LEFT_ANKLE,
                                           ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE};

static void put_variances(const Clip *c)
{
    for (int f = 0; f < c->motion.frame_count; f++)
        for (int i = 0; i < LEG_JOINTS; i++) {
            int joint = skeleton_find_role(&c->skeleton, leg_roles[i]);
            Vec3 sd = c->dynamics.torque_sd[(size_t)f * (size_t)c->skeleton.joint_count + (size_t)joint];
            const double variance[3] = {sd.x * sd.x, sd.y * sd.y, sd.z * sd.z};
            fwrite(variance, sizeof *variance, 3, stdout);
        }
}

static Status answer(TorqueUncertainty how, Clip *c, Error *err)
{
    UncertaintyDef def, one;
    Loads loads = {0};
    uint8_t *bridged = NULL;
    ClipView view = clip_view(c);
    double table[SPREAD_SIZE_COUNT];
    const double head[2] = {c->motion.frame_count, SPREAD_TERM_COUNT};
    Status status = loads_from_contact(&c->contact, &c->kinematics, &loads, err);
    if (status == STATUS_OK)
        status = uncertainty_def(how, c, 0, &def, err);
    if (status == STATUS_OK)
        status = uncertainty_contact(c, &def, &bridged, err);
    def.ground_loads = &loads;
    spread_terms_sizes(def.method, table);
    fwrite(head, sizeof *head, 2, stdout);
    for (int i = 0; i < SPREAD_TERM_COUNT && status == STATUS_OK; i++) {
        one = single_term(&def, (SpreadTerm)i);
        one.size[SPREAD_SCALE] = 1;
        status = torque_uncertainty(&view, &loads, &one, &c->dynamics, err);
        fwrite(i == SPREAD_NOISE ? &table[i] : &def.size[i], sizeof *table, 1, stdout);
        put_variances(c);
    }
    loads_free(&loads);
    free(bridged);
    return status;
}

static void put_names(void)
{
    for (int i = 0; i < SPREAD_TERM_COUNT; i++)
        printf("%s\n", spread_term_name((SpreadTerm)i));
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "names"))
        put_names();
    TorqueUncertainty how = argc > 1 && !strcmp(argv[1], "full") ? UNCERTAINTY_FULL : UNCERTAINTY_FAST;
    for (int i = 2; i < argc; i++) {
        FILE *stream = fopen(argv[i], "rb");
        ContainerImage image = {0};
        Clip clip = {0};
        Error err = {0};
        Status status = stream ? container_next(stream, &image, &err) : STATUS_IO;
        if (status == STATUS_OK)
            status = container_decode(&image, &clip, &err);
        if (status == STATUS_OK)
            status = answer(how, &clip, &err);
        if (status != STATUS_OK) {
            fprintf(stderr, "uncertainty_terms: %s: %s\n", argv[i], err.text);
            return EXIT_FAILURE;
        }
        container_image_free(&image);
        clip_free(&clip);
        fclose(stream);
    }
    return 0;
}
