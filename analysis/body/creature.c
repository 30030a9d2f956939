/* Recognition of animals with human names (creature.h).
 *
 * Seven signs of an animal. Some human figures show one of them (a tail on a costume, a toy's short legs); three are
 * required.
 *  1, 2  words in names: one word for an animal, or two different ones (tail, paw)
 *  3     short legs: thigh and shank under 1.1 of hips to neck (people: 1.4 to 2.4 in mocap skeletons)
 *  4     forelegs: arms over 0.85 of the legs (people: 0.55 to 0.75)
 *  5, 6  a rest pose with the trunk perpendicular to the legs and the arms, if any, parallel to them
 *  5 to 7  a rest pose with the trunk oblique to legs with raised heels: ankle to toe over 0.6 of the shank (people:
 *        0.22 to 0.47 in mocap skeletons) */
#include "analysis/body/creature.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/body/role_name.h"
#include "analysis/math/vec.h"

#define SHORT_LEGS 1.1
#define LONG_ARMS 0.85
#define RAISED_HEEL 0.6
#define ACROSS 0.5   /* cosine between trunk and legs */
#define OBLIQUE 0.8

static const double per_sign = 2, even_named = 2, even_nameless = 0.8; /* signs with even odds */

double creature_log_odds(int signs, int is_named)
{
    return per_sign * (signs - (is_named ? even_named : even_nameless));
}

static int animal_words(const Skeleton *s)
{
    const char *first = NULL;
    for (int j = 0; j < s->joint_count; j++) {
        const char *word = role_name_creature_word(s->name[j]);
        if (word && first && word != first)
            return 2;
        if (word)
            first = word;
    }
    return first != NULL;
}

/* The length along the bones from a joint to an ancestor; 0 if one is missing or `upper` is not an ancestor. */
static double bone_length(const Skeleton *s, int upper, int lower)
{
    int is_found = upper >= 0 && lower >= 0 && skeleton_is_below(s, lower, upper);
    return is_found ? skeleton_distance(s, upper, lower) : 0;
}

static double limb_length(const Skeleton *s, Role from, Role to)
{
    return bone_length(s, skeleton_find_role(s, from), skeleton_find_role(s, to));
}

/* The length from hips to neck, or to where the arms branch. */
static double trunk_length(const Skeleton *s, int hips)
{
    static const Role tops[] = {ROLE_NECK, ROLE_HEAD, ROLE_LEFT_CLAVICLE, ROLE_LEFT_SHOULDER};
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++) {
        double length = bone_length(s, hips, skeleton_find_role(s, tops[i]));
        if (length > 0)
            return length;
    }
    return 0;
}

static Vec3 between(const Vec3 *rest, int from, int to)
{
    return from < 0 || to < 0 ? vec3(0, 0, 0) : vec3_normalize(vec3_sub(rest[to], rest[from]));
}

static int has_raised_heels(const Skeleton *s)
{
    double foot = limb_length(s, ROLE_LEFT_ANKLE, ROLE_LEFT_TOE) + limb_length(s, ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE);
    double shank = limb_length(s, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE) + limb_length(s, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE);
    return foot > RAISED_HEEL * shank;
}

/* Signs in the rest pose: 0, 2 or 3. */
static int posture_signs(const Skeleton *s, const Vec3 *rest)
{
    int hips = skeleton_find_role(s, ROLE_HIPS), neck = skeleton_find_role(s, ROLE_NECK);
    int left = skeleton_find_role(s, ROLE_LEFT_HIP), right = skeleton_find_role(s, ROLE_RIGHT_HIP);
    Vec3 trunk = between(rest, hips, neck);
    Vec3 leg = vec3_normalize(vec3_add(between(rest, left, skeleton_find_role(s, ROLE_LEFT_ANKLE)),
                                       between(rest, right, skeleton_find_role(s, ROLE_RIGHT_ANKLE))));
    Vec3 arm = vec3_normalize(
        vec3_add(between(rest, skeleton_find_role(s, ROLE_LEFT_SHOULDER), skeleton_find_role(s, ROLE_LEFT_WRIST)),
                 between(rest, skeleton_find_role(s, ROLE_RIGHT_SHOULDER), skeleton_find_role(s, ROLE_RIGHT_WRIST))));
    int is_armless = skeleton_find_role(s, ROLE_LEFT_SHOULDER) < 0 && skeleton_find_role(s, ROLE_RIGHT_SHOULDER) < 0;
    double along = fabs(vec3_dot(trunk, leg));
    if (!(vec3_norm(trunk) > 0.5 && vec3_norm(leg) > 0.5))
        return 0;
    if (along < OBLIQUE && has_raised_heels(s))
        return 3;
    return along < ACROSS && (is_armless || vec3_dot(arm, leg) > 0.7) ? 2 : 0; /* a bird has no arms */
}

Status creature_signs(const Skeleton *s, int *signs, Error *err)
{
    int hips = skeleton_find_role(s, ROLE_HIPS), words = animal_words(s);
    double leg =
        0.5 * (limb_length(s, ROLE_LEFT_HIP, ROLE_LEFT_KNEE) + limb_length(s, ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE) +
               limb_length(s, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE) + limb_length(s, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE));
    double arm = 0.5 * (limb_length(s, ROLE_LEFT_SHOULDER, ROLE_LEFT_WRIST) +
                        limb_length(s, ROLE_RIGHT_SHOULDER, ROLE_RIGHT_WRIST));
    *signs = 0;
    if (hips < 0 || !(leg > 0))
        return STATUS_OK;
    *signs = words + (leg < SHORT_LEGS * trunk_length(s, hips)) + (arm > LONG_ARMS * leg);
    Vec3 *rest = array_new((size_t)s->joint_count, 1, sizeof *rest);
    if (!rest)
        return error_no_memory(err);
    skeleton_rest_positions(s, rest);
    *signs += posture_signs(s, rest);
    free(rest);
    return STATUS_OK;
}
