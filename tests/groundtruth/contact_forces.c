/* Ground contact of many clips with many sets of constants, for research/fit_contact.py.
 *
 * usage: contact_forces CLIP.h5...   clip files with body and kinematics, read once and kept.
 *
 * Each input line is a set of constants, `name=value ...` (data/contact.tsv; unnamed ones keep their value). The output
 * has, for each clip in turn, its number of frames as one double and then per frame the forces of the left and the
 * right foot, their centres of pressure and the torques at hip, knee and ankle of the left and the right leg, three
 * doubles each: 10 x 3 per frame. A clip that fails has zero frames. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/contact/contact_constants.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/contact/roll_over.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "formats/container/container.h"

enum { VALUES = 30, LEG_JOINTS = 6 };

static const Role leg_roles[LEG_JOINTS] = {ROLE_LEFT_HIP,  ROLE_LEFT_KNEE,  ROLE_LEFT_ANKLE,
                                           ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE};

/* data/contact.tsv and data/roll_over.tsv. */
typedef struct Constants {
    ContactConstants contact;
    RollOver roll_over;
} Constants;

static int set_in(void *table, const ConstantName *list, int count, const char *word)
{
    size_t length = strcspn(word, "=");
    for (int i = 0; word[length] && i < count; i++)
        if (strlen(list[i].name) == length && !strncmp(list[i].name, word, length)) {
            *(double *)((char *)table + list[i].offset) = strtod(word + length + 1, NULL);
            return 1;
        }
    return 0;
}

/* Returns 0 and prints a message if a name is unknown. */
static int set_constant(Constants *constants, const char *word)
{
    if (set_in(&constants->contact, contact_constants_list, contact_constants_count, word) ||
        set_in(&constants->roll_over, roll_over_list, roll_over_count, word))
        return 1;
    fprintf(stderr, "contact_forces: %s: no such constant\n", word);
    return 0;
}

static void put(const Vec3 *v, double *row, int at)
{
    const double values[3] = {v->x, v->y, v->z};
    memcpy(row + 3 * at, values, sizeof values);
}

static void answer(const Clip *c, const Contact *contact, const Dynamics *dynamics)
{
    double frames = contact->frame_count, row[VALUES];
    fwrite(&frames, sizeof frames, 1, stdout);
    for (int f = 0; f < contact->frame_count; f++) {
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            put(&contact->foot_force[f * FOOT_COUNT + foot], row, foot);
            put(&contact->foot_cop[f * FOOT_COUNT + foot], row, 2 + foot);
        }
        for (int i = 0; i < LEG_JOINTS; i++) {
            int joint = skeleton_find_role(&c->skeleton, leg_roles[i]);
            put(&dynamics->torque[f * c->skeleton.joint_count + joint], row, 4 + i);
        }
        fwrite(row, sizeof *row, VALUES, stdout);
    }
}

static void estimate(const Clip *c, const Constants *constants)
{
    ContactEstimateDef def = contact_estimate_default_def();
    InverseDynamicsDef dynamics_def = inverse_dynamics_default_def();
    ClipView view = clip_view(c);
    Contact contact = {0};
    Loads loads = {0};
    Dynamics dynamics = {0};
    Error err;
    def.constants = &constants->contact;
    def.roll_over = &constants->roll_over;
    Status status = contact_estimate(&view, &def, &contact, &err);
    if (!status)
        status = loads_from_contact(&contact, &c->kinematics, &loads, &err);
    if (!status)
        status = inverse_dynamics(&view, &loads, &dynamics_def, &dynamics, &err);
    if (status) {
        fprintf(stderr, "contact_forces: %s: %s\n", c->provenance.source, err.text);
        contact.frame_count = 0;
    }
    answer(c, &contact, &dynamics);
    contact_free(&contact);
    loads_free(&loads);
    dynamics_free(&dynamics);
}

static int read_clip(const char *path, Clip *clip)
{
    Error err;
    ContainerImage image = {0};
    Status status = container_load(path, &image, &err);
    if (!status)
        status = container_decode(&image, clip, &err);
    container_image_free(&image);
    if (status || !clip->has_body || !clip->has_kinematics) {
        fprintf(stderr, "contact_forces: %s: %s\n", path, status ? err.text : "has no body or no kinematics");
        return 0;
    }
    for (int i = 0; i < LEG_JOINTS; i++)
        if (skeleton_find_role(&clip->skeleton, leg_roles[i]) < 0) {
            fprintf(stderr, "contact_forces: %s: has no two legs\n", path);
            return 0;
        }
    return 1;
}

int main(int argc, char **argv)
{
    char line[8192];
    Clip *clip = calloc((size_t)argc, sizeof *clip);
    int ok = clip != NULL;
    for (int i = 1; ok && i < argc; i++)
        ok = read_clip(argv[i], &clip[i]);
    while (ok && fgets(line, sizeof line, stdin)) {
        Constants constants = {contact_constants, roll_over};
        for (char *word = strtok(line, " \n"); ok && word; word = strtok(NULL, " \n"))
            ok = set_constant(&constants, word);
        for (int i = 1; ok && i < argc; i++)
            estimate(&clip[i], &constants);
        fflush(stdout);
    }
    for (int i = 1; clip && i < argc; i++)
        clip_free(&clip[i]);
    free(clip);
    return !ok;
}
