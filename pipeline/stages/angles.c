/* kane angles: joint angles and moments about anatomical axes, and the strength they require. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/angles/coordinates.h"
#include "analysis/angles/knee_axis.h"
#include "analysis/angles/neutral_pose.h"
#include "analysis/angles/strength.h"
#include "analysis/angles/strength_curve.h"
#include "analysis/body/human_rest.h"
#include "analysis/evidence/judgement.h"
#include "formats/tables/strength_table.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

enum { LEFT_KNEE = 1, RIGHT_KNEE = 2, BOTH_KNEES = 3 };
typedef enum KneeAxis { KNEE_AUTO, KNEE_GEOMETRY, KNEE_FUNCTIONAL } KneeAxis;

typedef struct AnglesOptions {
    const char *strength;
    Sex sex;
    double age;
    KneeAxis knee_axis;
    int axes;
} AnglesOptions;

_Static_assert(sizeof(AnglesOptions) <= sizeof(OptionValues), "a stage's options have their place");

static const char *const knee_axes[] = {"auto", "geometry", "functional", NULL};
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
     .kind = &option_choice, .offset = FIELD(knee_axis), .choices = knee_axes},
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

static Status note_neutral_pose(const NeutralPose *neutral, const JointAngles *angles, Notes *notes, Error *err)
{
    char text[ANGLES_TEXT_SIZE + 32];
    if (neutral->from.frame < 0 && !(neutral->off > NEUTRAL_NEAR))
        return STATUS_OK;
    snprintf(text, sizeof text, "neutral pose: %s", angles->neutral);
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

/* Replaces the axis of each knee that flexes enough by its functional axis; KNEE_AUTO does so for both knees or for
 * neither, so that sides can be compared. *chosen: the choice in words. */
static Status choose_knees(KneeAxis choice, const Kinematics *k, JointAxesSet *axes, const char **chosen, Error *err)
{
    const JointAxesSet geometry = *axes;
    static const char *const names[] = {"geometry", "functional, left", "functional, right", "functional"};
    double fraction = choice == KNEE_AUTO ? KNEE_HINGE_FRACTION : KNEE_MIN_FRACTION;
    int which = 0;
    Status status = STATUS_OK;
    for (int i = 0; choice != KNEE_GEOMETRY && !status && i < axes->count; i++) {
        Role role = coordinate_role(axes->joint[i].first);
        int found = 0;
        if (role == ROLE_LEFT_KNEE || role == ROLE_RIGHT_KNEE)
            status = knee_axis_find(k, fraction, &axes->joint[i], &found, err);
        which |= found ? (role == ROLE_LEFT_KNEE ? LEFT_KNEE : RIGHT_KNEE) : 0;
    }
    if (choice == KNEE_AUTO && which < BOTH_KNEES) {
        *axes = geometry;
        which = 0;
    }
    *chosen = which || choice != KNEE_FUNCTIONAL ? names[which] : "geometry: insufficient knee flexion";
    return status;
}

/* Axes that rest on improbable roles, or on left and right that may be exchanged, would reverse the angles. */
static int are_roles_improbable(const Clip *clip, Judgement *roles)
{
    return judgement_recall(&clip->provenance, JUDGED_ROLES, roles) && roles->confidence < DECISION_GUESS;
}

static Status note_improbable(const Judgement *roles, Notes *notes, Error *err)
{
    char text[120];
    snprintf(text, sizeof text, "no angles: roles uncertain (%.0f %%), settle them with import's --roles",
             100 * roles->confidence);
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

static Status find_coordinates(const AnglesOptions *given, Clip *clip, Notes *notes, Error *err)
{
    Arena arena = {0};
    NeutralPose neutral;
    JointAxesSet axes = {.keep_axes = given->axes};
    ClipView view = clip_view(clip);
    Judgement roles;
    const char *knees = "";
    int is_improbable = are_roles_improbable(clip, &roles);
    Status status = stage_lanes(&axes.lanes, err);
    if (!status)
        status = neutral_pose_init(&neutral, &view, &arena, err);
    if (!status) {
        axes.count = is_improbable ? 0 : joint_axes_find(&neutral, axes.joint);
        status = choose_knees(given->knee_axis, &clip->kinematics, &axes, &knees, err);
    }
    if (!status)
        status = coordinates_compute(&axes, &clip->kinematics, &clip->dynamics, &clip->angles, err);
    if (!status && axes.count > 0) {
        snprintf(clip->angles.knee_axis, sizeof clip->angles.knee_axis, "%s", knees);
        neutral_pose_describe(&neutral, clip->angles.neutral, sizeof clip->angles.neutral);
        status = note_neutral_pose(&neutral, &clip->angles, notes, err);
    }
    if (!status && is_improbable)
        status = note_improbable(&roles, notes, err);
    arena_free(&arena);
    return status;
}

/* Computes the strength fractions. Leaves them out for a body without stature or mass. */
static Status find_strength(const AnglesOptions *given, Clip *clip, Error *err)
{
    StrengthDef def = {.people = STRENGTH_AVERAGE, .sex = given->sex, .age = given->age};
    PersonCurve *person = NULL;
    double stature = clip_stature(clip);
    Status status = STATUS_OK;
    if (!strcmp(given->strength, "none") || !(stature > 0) || !(clip->body.total_mass > 0))
        return STATUS_OK;
    for (int i = 0; i < STRENGTH_PERSON; i++)
        if (!strcmp(given->strength, strength_people_names[i]))
            def.people = (StrengthPeople)i;
    if (!option_word(options, given->strength)) {
        def.people = STRENGTH_PERSON;
        status = error_of_file(err, given->strength,
                               strength_table_read(given->strength, &person, &def.person_count, err));
        def.person = person;
    }
    if (!status)
        status = stage_lanes(&def.lanes, err);
    if (!status)
        status = strength_compute(&def, clip->body.total_mass, stature, &clip->angles, err);
    free(person);
    return status;
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const AnglesOptions *given = (const AnglesOptions *)values;
    Status status = find_coordinates(given, clip, notes, err);
    return !status && clip->angles.coordinate_count > 0 ? find_strength(given, clip, err) : status;
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
