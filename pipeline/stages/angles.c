/* kane angles: joint angles and moments about anatomical axes, and the strength they require. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/angles/angles_compute.h"
#include "analysis/angles/strength_curve.h"
#include "formats/tables/strength_table.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

typedef struct AnglesOptions {
    const char *strength;
    Sex sex;
    double age;
    KneeAxis knee_axis;
    int axes;
} AnglesOptions;

_Static_assert(sizeof(AnglesOptions) <= sizeof(OptionValues), "a stage's options have their place");

static const char *const strength_words[] = {"average", "trained", "strong", "athlete", "none", NULL};

#define FIELD(member) offsetof(AnglesOptions, member)
static const Option options[] = {
    {.name = "strength", .argument = "average|trained|strong|athlete|none|FILE.tsv",
     .help = "Reference strength: mean for sex and age, mean of trained people, their 99th percentile, one athlete, "
             "none, or a table with columns motion torque_max speed_max angle width eccentric half passive_zero "
             "passive_one",
     .kind = &option_file, .offset = FIELD(strength), .choices = strength_words},
    {.name = "sex", .argument = "male|female|mean",
     .help = "Sex for average, trained and strong",
     .kind = &option_choice, .offset = FIELD(sex), .choices = sex_names, .with = "average|trained|strong"},
    {.name = "age", .argument = "YEARS",
     .help = "Age in years for average, trained and strong; groups 18-25, 55-65 and over 65, nearest used",
     .kind = &option_positive, .offset = FIELD(age), .with = "average|trained|strong"},
    {.name = "knee-axis", .argument = "auto|geometry|functional",
     .help = "Knee flexion axis: geometry = parallel to the hip line, functional = fitted to flexion of 30 degrees or "
             "more; auto = functional if both knees are hinges",
     .kind = &option_choice, .offset = FIELD(knee_axis), .choices = knee_axis_names},
    {.name = "axes",
     .help = "Store the anatomical axes as well",
     .kind = &option_flag, .offset = FIELD(axes)},
    {0},
};

static void defaults(OptionValues *values)
{
    StrengthDef def = strength_default_def();
    *(AnglesOptions *)values = (AnglesOptions){.strength = "average", .sex = def.sex, .age = def.age};
}

static Status note_neutral_pose(const JointAngles *angles, Notes *notes, Error *err)
{
    char text[ANGLES_TEXT_SIZE + 32];
    snprintf(text, sizeof text, "neutral pose: %s", angles->neutral);
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

static Status note_improbable(double confidence, Notes *notes, Error *err)
{
    char text[120];
    snprintf(text, sizeof text, "no angles: roles uncertain (%.0f %%), settle them with import's --roles",
             100 * confidence);
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

/* Sets the strength; *person, which it may use, is for the caller to free. */
static Status choose_strength(const AnglesOptions *given, AnglesDef *def, PersonCurve **person, Error *err)
{
    def->has_strength = strcmp(given->strength, "none") != 0;
    def->strength = (StrengthDef){.sex = given->sex, .age = given->age, .lanes = def->lanes};
    for (int i = 0; i < STRENGTH_PERSON; i++)
        if (!strcmp(given->strength, strength_people_names[i]))
            def->strength.people = (StrengthPeople)i;
    if (option_word(options, given->strength))
        return STATUS_OK;
    def->strength.people = STRENGTH_PERSON;
    Status status = strength_table_read(given->strength, person, &def->strength.person_count, err);
    def->strength.person = *person;
    return error_of_file(err, given->strength, status);
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const AnglesOptions *given = (const AnglesOptions *)values;
    AnglesDef def = {.knee_axis = given->knee_axis, .keep_axes = given->axes};
    AnglesRemark remark = {0};
    PersonCurve *person = NULL;
    Status status = stage_lanes(&def.lanes, err);
    if (!status)
        status = choose_strength(given, &def, &person, err);
    if (!status)
        status = angles_compute(&def, clip, &clip->angles, &remark, err);
    free(person);
    if (!status && remark.is_pose_built)
        status = note_neutral_pose(&clip->angles, notes, err);
    return !status && remark.roles > 0 ? note_improbable(remark.roles, notes, err) : status;
}

const Stage stage_angles = {
    .command = {
        .name = "angles",
        .old_name = "anatomy",
        .group = COMMANDS_PIPELINE,
        .summary = "Compute joint angles, moments and strength utilization",
        .arguments = "[FILE.h5...]",
        .description = "Fills /angles: angle, velocity, moment and power of each joint about its anatomical axes, "
                       "such as left_knee_flexion, and the muscular utilization ratio.",
        .example = "kane angles torque.h5 --sex female --age 30 -o angles.h5",
        .options = options,
    },
    .defaults = defaults,
    .needs = CLIP_BODY | CLIP_KINEMATICS | CLIP_DYNAMICS,
    .fills = CLIP_ANGLES,
    .apply = apply,
};
