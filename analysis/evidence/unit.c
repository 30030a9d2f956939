#include "analysis/evidence/unit.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "analysis/math/elementary.h"

enum { UNIT_COUNT = 6, MAX_PATH = 6 };

typedef struct Unit {
    const char *name;
    double metres;
    double human_prior, other_prior; /* share of files met in it: with a human in them, with anything else */
} Unit;

static const Unit units[UNIT_COUNT] = {
    {"cm", 0.01, 0.55, 0.60},  {"inch", 0.0254, 0.18, 0.03},         {"m", 1, 0.13, 0.25},
    {"mm", 0.001, 0.07, 0.10}, {"cmu", 0.0254 / 0.45, 0.03, 0.005}, {"dm", 0.1, 0.03, 0.015},
};
/* How much likelier the unit of the CMU library becomes where the joints bear the names of its skeleton. */
static const double cmu_names_factor = 20;
static const double gravity = 9.80665, fall_spread = 0.15; /* m/s2; of the logarithm, over real flights */

const char *unit_name(double metres_per_unit)
{
    for (int u = 0; u < UNIT_COUNT; u++)
        if (fabs(metres_per_unit - units[u].metres) <= 1e-9 * units[u].metres)
            return units[u].name;
    return NULL;
}

double unit_from_text(const char *text)
{
    for (int u = 0; u < UNIT_COUNT; u++)
        if (strcasecmp(text, units[u].name) == 0)
            return units[u].metres;
    char *end;
    double metres = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(metres) && metres > 0 ? metres : 0;
}

/* A length of the body along a path of roles (absent ones are skipped): median over people in m, and the spread of its
 * logarithm over people, drawn characters and the habits of joint placement. Medians: stature 1.72 m with the segment
 * lengths of de Leva 1996 (leg from hip to ankle 0.82 m, head joint to ankle 1.40 m, arm to the wrist 0.54 m). */
typedef struct BodyLength {
    Role path[MAX_PATH]; /* ROLE_NONE ends it */
    int required;        /* this many roles of the path must be there */
    double metres, spread;
} BodyLength;

static const BodyLength lengths[] = {
    {{ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE}, 3, 0.82, 0.14},
    {{ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE}, 3, 0.82, 0.14},
    {{ROLE_HIPS, ROLE_SPINE, ROLE_CHEST, ROLE_NECK, ROLE_HEAD}, 3, 0.58, 0.2},
    {{ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST}, 3, 0.54, 0.16},
    {{ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST}, 3, 0.54, 0.16},
};

/* Length of a path in file units, the middle sampled frame; 0 where roles are missing. */
static double path_length(const BodyLength *what, const Skeleton *skeleton, const PoseSample *sample)
{
    double sum = 0;
    int previous = -1, found = 0;
    const Vec3 *position = pose_sample_frame(sample, sample->frame_count / 2);
    for (int i = 0; i < MAX_PATH && what->path[i] != ROLE_NONE; i++) {
        int joint = skeleton_find_role(skeleton, what->path[i]);
        if (joint < 0)
            continue;
        if (previous >= 0)
            sum += vec3_distance(position[joint], position[previous]);
        previous = joint;
        found++;
    }
    return found >= what->required ? sum : 0;
}

/* Diagonal of the box around the body in the middle sampled frame, file units. */
static double body_extent(const PoseSample *sample)
{
    const Vec3 *position = pose_sample_frame(sample, sample->frame_count / 2);
    Vec3 low = position[0], high = low;
    for (int p = 1; p < sample->point_count; p++) {
        Vec3 v = position[p];
        low = vec3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
        high = vec3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
    }
    return vec3_distance(low, high);
}

/* Logarithm of Student's density with 4 degrees of freedom, up to a constant: a normal one with tails that forgive a
 * single odd measure. */
static double log_likelihood(double length, double metres_per_unit, double expected, double spread)
{
    double z = elementary_log(length * metres_per_unit / expected) / spread;
    return -2.5 * elementary_log(1 + z * z / 4);
}

/* The helper joints of the library's skeleton, which other skeletons do not have. */
static int has_cmu_names(const Skeleton *skeleton)
{
    for (int j = 0; j < skeleton->joint_count; j++)
        if (strcasecmp(skeleton->name[j], "LHipJoint") == 0)
            return 1;
    return 0;
}

static int measure_body(const Skeleton *skeleton, const PoseSample *sample, double score[UNIT_COUNT])
{
    int measures = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        double length = path_length(&lengths[i], skeleton, sample);
        for (int u = 0; length > 0 && u < UNIT_COUNT; u++)
            score[u] += log_likelihood(length, units[u].metres, lengths[i].metres, lengths[i].spread);
        measures += length > 0;
    }
    return measures;
}

double unit_from_body(const Skeleton *skeleton, const PoseSample *sample, double fall, double *confidence)
{
    double score[UNIT_COUNT] = {0}, total = 0, extent = body_extent(sample);
    int best = 0, human = measure_body(skeleton, sample, score) > 0, cmu = has_cmu_names(skeleton);
    for (int u = 0; u < UNIT_COUNT; u++) {
        score[u] += elementary_log(human ? units[u].human_prior : units[u].other_prior);
        if (cmu && units[u].metres == 0.0254 / 0.45)
            score[u] += elementary_log(cmu_names_factor);
        if (!human && extent > 0)
            score[u] += log_likelihood(extent, units[u].metres, 1.2, 1.0);
        if (fall > 0)
            score[u] += log_likelihood(fall, units[u].metres, gravity, fall_spread);
    }
    for (int u = 1; u < UNIT_COUNT; u++)
        best = score[u] > score[best] ? u : best;
    for (int u = 0; u < UNIT_COUNT; u++)
        total += elementary_exp(score[u] - score[best]);
    *confidence = 1 / total;
    return units[best].metres;
}
