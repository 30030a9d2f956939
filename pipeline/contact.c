/* kane contact: forces of the ground on the body. */
#include "analysis/contact/measured.h"
#include "formats/external.h"
#include "pipeline/message.h"
#include "pipeline/verbs.h"

typedef enum ContactMethod { CONTACT_NONE = 0 } ContactMethod;

typedef struct ContactOptions {
    ContactMethod method;
    const char *external;
    double ground;
} ContactOptions;

static const char *const methods[] = {"none", NULL};

#define FIELD(member) offsetof(ContactOptions, member)
static const Option options[] = {
    {"method", 0, "none", "How forces are found; none: there are none", &option_choice, FIELD(method), methods, 0, NULL},
    {"external", 0, "FILE.tsv", "Measured forces from a table: time joint fx fy fz px py pz tx ty tz", &option_file,
     FIELD(external), NULL, 0, NULL},
    {"ground", 0, "METRES", "Height of the ground under measured forces", &option_real, FIELD(ground), NULL, 0, NULL},
    {0},
};

static Status measured(const ContactOptions *given, Clip *clip, Error *err)
{
    ExternalRows rows;
    if (!clip->has_kinematics)
        return error_set(err, STATUS_BAD_INPUT, "has no /kinematics: run kane diff first");
    Status status = external_read(given->external, &clip->skeleton, &rows, err);
    message_of_file(err, given->external, status);
    if (status != STATUS_OK)
        return status;
    status = contact_from_external(&rows, &clip->skeleton, &clip->motion, &clip->kinematics, given->ground,
                                   &clip->contact, err);
    external_rows_free(&rows);
    return status;
}

static Status apply(OptionValues *values, Clip *clip, Error *err)
{
    const ContactOptions *given = (const ContactOptions *)values;
    clip_drop(clip, CLIP_CONTACT);
    Status status = given->external ? measured(given, clip, err)
                                    : contact_init(&clip->contact, clip->motion.frame_count, 0, 0, err);
    if (status == STATUS_OK)
        clip->has_contact = 1;
    return status;
}

const Verb verb_contact = {
    .name = "contact",
    .summary = "Forces of the ground on the body",
    .arguments = "[FILE.h5...]",
    .description = "Fills /contact with measured forces, or with none.",
    .options = options,
    .apply = apply,
};
