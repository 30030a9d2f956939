/* Strength of a person about each anatomical axis (strength.h). */
#include "analysis/angles/strength.h"

#include <math.h>
#include <stdio.h>

#include "analysis/angles/strength_curve_internal.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/elementary.h"

/* Coordinate of each motion, on the left side. */
static const struct {
    Role role;
    int index;      /* index among the joint's coordinates */
    int direction;  /* sign of its moment */
    int angle_sign; /* sign of the table's angles */
} motions[] = {
    [STRENGTH_HIP_FLEXION] = {ROLE_LEFT_HIP, 0, 1, 1},
    [STRENGTH_HIP_EXTENSION] = {ROLE_LEFT_HIP, 0, -1, 1},
    [STRENGTH_KNEE_FLEXION] = {ROLE_LEFT_KNEE, 0, 1, 1},
    [STRENGTH_KNEE_EXTENSION] = {ROLE_LEFT_KNEE, 0, -1, 1},
    [STRENGTH_ANKLE_DORSIFLEXION] = {ROLE_LEFT_ANKLE, 0, 1, 1},
    [STRENGTH_ANKLE_PLANTARFLEXION] = {ROLE_LEFT_ANKLE, 0, -1, 1},
    [STRENGTH_SHOULDER_FLEXION] = {ROLE_LEFT_SHOULDER, 1, 1, 1},
    [STRENGTH_SHOULDER_EXTENSION] = {ROLE_LEFT_SHOULDER, 1, -1, 1},
    [STRENGTH_ELBOW_FLEXION] = {ROLE_LEFT_ELBOW, 0, 1, 1},
    [STRENGTH_ELBOW_EXTENSION] = {ROLE_LEFT_ELBOW, 0, -1, 1},
    [STRENGTH_FOREARM_PRONATION] = {ROLE_LEFT_ELBOW, 2, 1, -1},
    [STRENGTH_FOREARM_SUPINATION] = {ROLE_LEFT_ELBOW, 2, -1, -1},
    [STRENGTH_WRIST_FLEXION] = {ROLE_LEFT_WRIST, 0, 1, 1},
    [STRENGTH_WRIST_EXTENSION] = {ROLE_LEFT_WRIST, 0, -1, 1},
    [STRENGTH_WRIST_ULNAR_DEVIATION] = {ROLE_LEFT_WRIST, 1, 1, 1},
    [STRENGTH_WRIST_RADIAL_DEVIATION] = {ROLE_LEFT_WRIST, 1, -1, 1},
    [STRENGTH_LUMBAR_FLEXION] = {ROLE_SPINE, 0, 1, 1},
    [STRENGTH_LUMBAR_EXTENSION] = {ROLE_SPINE, 0, -1, 1},
};
_Static_assert(sizeof motions / sizeof *motions == STRENGTH_MOTION_COUNT, "a row for every StrengthMotion");

enum { STRENGTH_COLUMNS = STRENGTH_MOTION_COUNT }; /* most coordinates with curves: two directions, two sides */

typedef struct Strength {
    const StrengthDef *def;
    double weight_height, athlete_scale;
    int count;
    StrengthColumn column[STRENGTH_COLUMNS];
} Strength;

const char *const strength_people_names[] = {"average", "trained", "strong", "athlete", "person", NULL};

StrengthDef strength_default_def(void) { return (StrengthDef){.people = STRENGTH_AVERAGE, .sex = SEX_MEAN, .age = 25}; }

/* Youngest age of the group nearest to an age: 18 to 25, 55 to 65, over 65. */
static double age_group(double age) { return age < 40 ? 18 : age <= 65 ? 55 : 66; }

static void find_average(const Strength *s, StrengthMotion motion, StrengthCurve *out)
{
    const AverageCurve *found[2];
    for (int i = 0; i < strength_average_count && out->average_count < 2; i++) {
        const AverageCurve *curve = &strength_average[i];
        if (curve->motion == motion && curve->age == age_group(s->def->age) &&
            (s->def->sex == SEX_MEAN || curve->sex == s->def->sex))
            found[out->average_count++] = curve;
    }
    for (int i = 0; i < out->average_count; i++) {
        out->average[i] = average_shape(found[i], s->weight_height);
        out->isometric += out->average[i].isometric / out->average_count;
    }
}

static const PersonCurve *find_person(const PersonCurve *curves, int count, StrengthMotion motion)
{
    for (int i = 0; i < count; i++)
        if (curves[i].motion == motion)
            return &curves[i];
    return NULL;
}

/* Of curves without a sex or an age: women over men, and the mean of the legs' isometric torques of the age group over
 * that of the youngest. */
static double sex_and_age(const StrengthDef *def, const StrengthEnvelope *envelope)
{
    double sum[2] = {0, 0}, woman = envelope->female;
    for (int i = 0; i < strength_average_count; i++) {
        const AverageCurve *curve = &strength_average[i];
        if (def->sex != SEX_MEAN && curve->sex != def->sex)
            continue;
        sum[0] += curve->age == age_group(0) ? curve->c1 : 0;
        sum[1] += curve->age == age_group(def->age) ? curve->c1 : 0;
    }
    return (def->sex == SEX_FEMALE ? woman : def->sex == SEX_MALE ? 1 : (1 + woman) / 2) * sum[1] / sum[0];
}

/* Strength of people relative to the average of their sex and age, and its spread. */
static void set_level(const StrengthDef *def, const StrengthEnvelope *envelope, StrengthCurve *curve)
{
    int is_trained = def->people == STRENGTH_TRAINED || def->people == STRENGTH_STRONG;
    curve->has_envelope = 1;
    curve->envelope = *envelope;
    curve->level *= is_trained ? envelope->trained : 1;
    curve->spread = def->people == STRENGTH_PERSON ? STRENGTH_RETEST : envelope->spread;
    if (def->people == STRENGTH_STRONG) {
        curve->level *= elementary_exp(QUANTILE_99 * envelope->spread);
        curve->spread = 0;
    }
}

static StrengthCurve find(const Strength *s, StrengthMotion motion)
{
    StrengthCurve found = {.angle_sign = motions[motion].angle_sign, .level = 1};
    const StrengthDef *def = s->def;
    const PersonCurve *person = NULL;
    int is_person = def->people == STRENGTH_PERSON;
    if (def->people < STRENGTH_ATHLETE)
        find_average(s, motion, &found);
    if (is_person)
        person = find_person(def->person, def->person_count, motion);
    else if (found.average_count == 0)
        person = find_person(strength_athlete, strength_athlete_count, motion);
    if (person) {
        found.is_person = 1;
        found.person = person_shape(person, is_person ? 1 : s->athlete_scale);
        found.isometric = found.person.isometric;
        found.level = def->people < STRENGTH_ATHLETE ? sex_and_age(def, &strength_envelope[motion]) : 1;
    }
    set_level(def, &strength_envelope[motion], &found);
    if (person)
        found.envelope.eccentric = fmax(person->eccentric, is_person ? 1 : found.envelope.eccentric);
    if (is_person)
        found.envelope.gain = 1;
    return found;
}

/* Appends the column of a coordinate if it has curves. */
static void add_column(Strength *s, const JointAngles *angles, int coordinate)
{
    Role role = coordinate_role(angles->coordinate[coordinate]);
    Role left = role >= ROLE_RIGHT_CLAVICLE ? role_mirror(role) : role;
    int index = coordinate % COORDINATES_PER_JOINT, count = 0;
    StrengthColumn column = {.index = (size_t)coordinate, .is_elevation = left == ROLE_LEFT_SHOULDER && index == 1};
    for (int m = 0; m < STRENGTH_MOTION_COUNT; m++)
        if (motions[m].role == left && motions[m].index == index) {
            StrengthCurve curve = find(s, (StrengthMotion)m);
            column.direction[motions[m].direction > 0] = curve;
            count += curve.isometric > 0;
        }
    if (count > 0)
        s->column[s->count++] = column;
}

static void describe(const StrengthDef *def, char *text, size_t size)
{
    static const char *const groups[] = {"18 to 25", "55 to 65", "over 65"};
    double group = age_group(def->age);
    if (def->people < STRENGTH_ATHLETE)
        snprintf(text, size, "%s, %s, %s years", strength_people_names[def->people], sex_names[def->sex],
                 groups[group == 18 ? 0 : group == 55 ? 1 : 2]);
    else
        snprintf(text, size, "%s", strength_people_names[def->people]);
}

Status strength_compute(const StrengthDef *def, double mass, double stature, JointAngles *angles, Error *err)
{
    Strength strength = {.def = def, .weight_height = mass * GRAVITY * stature,
                         .athlete_scale = mass * stature / (ATHLETE_MASS * ATHLETE_STATURE)};
    Status status;
    if ((status = joint_angles_add_strength(angles, err)) ||
        (angles->axis && (status = joint_angles_add_passive(angles, err))))
        return status;
    for (int i = 0; i < angles->coordinate_count; i++)
        add_column(&strength, angles, i);
    StrengthView view = {
        .frame_count = (size_t)angles->frame_count, .columns = (size_t)angles->coordinate_count,
        .count = (size_t)strength.count, .column = strength.column, .angle = angles->angle,
        .velocity = angles->velocity, .moment = angles->moment, .capacity = angles->capacity,
        .moment_sd = angles->moment_sd, .utilization = angles->utilization, .utilization_sd = angles->utilization_sd,
        .passive = angles->passive};
    if (angles->frame_count > 0)
        LANE_TWIN(strength_frames, lane_width_for_frames(def->lanes, angles->frame_count))(&view);
    describe(def, angles->strength, sizeof angles->strength);
    return STATUS_OK;
}

/* The muscle group that turns a coordinate in a direction; STRENGTH_MOTION_COUNT: none has a curve. */
static StrengthMotion find_motion(Coordinate coordinate, int direction)
{
    Role role = coordinate_role(coordinate);
    Role left = role >= ROLE_RIGHT_CLAVICLE ? role_mirror(role) : role;
    int m = 0;
    while (m < STRENGTH_MOTION_COUNT &&
           (motions[m].role != left || motions[m].index != (int)coordinate % COORDINATES_PER_JOINT ||
            motions[m].direction != direction))
        m++;
    return (StrengthMotion)m;
}

double strength_largest(const StrengthDef *def, double mass, double stature, Role role)
{
    Strength s = {.def = def, .weight_height = mass * GRAVITY * stature,
                  .athlete_scale = mass * stature / (ATHLETE_MASS * ATHLETE_STATURE)};
    Role left = role >= ROLE_RIGHT_CLAVICLE ? role_mirror(role) : role;
    double largest = 0;
    for (int m = 0; m < STRENGTH_MOTION_COUNT; m++)
        if (motions[m].role == left) {
            StrengthCurve curve = find(&s, (StrengthMotion)m);
            largest = fmax(largest, curve.isometric * curve.level * curve.envelope.gain);
        }
    return largest;
}

double strength_speed_max(Coordinate coordinate, int direction)
{
    StrengthMotion motion = find_motion(coordinate, direction);
    if (motion == STRENGTH_MOTION_COUNT || motions[motion].role == ROLE_LEFT_SHOULDER)
        return 0;
    const PersonCurve *athlete = find_person(strength_athlete, strength_athlete_count, motion);
    return athlete ? athlete->speed_max : 0;
}

void strength_motion_name(Coordinate coordinate, int direction, char *text, size_t size)
{
    StrengthMotion motion = find_motion(coordinate, direction);
    Role role = coordinate_role(coordinate);
    if (motion == STRENGTH_MOTION_COUNT)
        snprintf(text, size, "%s", coordinate_name(coordinate));
    else
        snprintf(text, size, "%s%s", role >= ROLE_RIGHT_CLAVICLE ? "right " : motions[motion].role == role &&
                 role != ROLE_SPINE ? "left " : "", strength_motion_names[motion]);
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
}
