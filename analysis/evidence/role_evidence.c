/* See role_evidence.h. */
#include "analysis/evidence/role_evidence.h"

#include "analysis/body/creature.h"
#include "analysis/math/elementary.h"

static double probability(double log_odds) { return 1 / (1 + elementary_exp(-log_odds)); }

static void note_signs(const RoleSigns *signs, const FacingJudgement *facing, Evidence *evidence)
{
    const char *role = role_name(signs->doubtful);
    if (signs->names != 0)
        evidence_add(evidence, signs->names, "names of joints, least that of %s", role);
    if (signs->shape != 0)
        evidence_add(evidence, signs->shape, "lengths and tree, least of %s", role);
    for (int i = 0; !signs->sides_are_named && i < facing->evidence.count; i++)
        evidence_add(evidence, facing->evidence.observation[i].log_odds, "%s", facing->evidence.observation[i].text);
}

/* That the body is an animal's. */
static void note_animal(const RoleSigns *signs, RoleJudgement *out)
{
    double odds = creature_log_odds(signs->animal_signs, !signs->by_shape);
    out->animal = probability(odds);
    evidence_add(&out->evidence, odds, "%d of %d signs of an animal in names, proportions, rest pose",
                 signs->animal_signs, CREATURE_SIGNS);
}

RoleJudgement role_evidence_judge(const Skeleton *skeleton, const RoleSigns *signs, const FacingJudgement *facing,
                                  double sides)
{
    RoleJudgement out = {.sides = sides};
    int found = 0;
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT; r++) {
        int is_paired = role_mirror((Role)r) != (Role)r;
        if (skeleton_find_role(skeleton, (Role)r) < 0)
            continue;
        out.likelihood[r] = probability(signs->log_odds[r]) * (is_paired ? out.sides : 1);
        if (!found++ || out.likelihood[r] < out.evidence.confidence)
            out.evidence.confidence = out.likelihood[r];
    }
    out.is_nobody = signs->has_limbs && !signs->is_creature && !roles_are_human(skeleton) &&
                    !roles_are_partly_human(skeleton);
    if (signs->is_creature)
        note_animal(signs, &out);
    if (found)
        note_signs(signs, facing, &out.evidence);
    return out;
}
