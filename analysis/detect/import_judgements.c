/* See import_judgements.h. */
#include "analysis/detect/import_judgements.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/evidence/judgement.h"
#include "analysis/math/elementary.h"

static const double degrees = 57.29577951308232; /* per rad */

/* The family's answer in place of the file's own. */
static void follow_family(int is_overruled, Judgement *out)
{
    if (!is_overruled)
        return;
    double confidence = fmin(out->confidence, 0.9995);
    out->evidence = (Evidence){0};
    evidence_add(&out->evidence, elementary_log(confidence / (1 - confidence)), "other clips of its skeleton");
}

static Judgement unit_judgement(const ImportGuess *e)
{
    Judgement out = {JUDGED_UNIT, "", e->unit_confidence, e->unit_evidence};
    import_guess_unit(e, out.value);
    follow_family(e->overruled_unit, &out);
    return out;
}

static Judgement up_judgement(const ImportGuess *e)
{
    Judgement out = {JUDGED_UP, "", e->up_confidence, e->up_evidence};
    snprintf(out.value, sizeof out.value, "%s", up_axis_name(e->up));
    follow_family(e->overruled_up, &out);
    return out;
}

static Judgement rate_judgement(const ImportGuess *e)
{
    const RateJudgement *rate = &e->motion.rate;
    Judgement out = {JUDGED_RATE, "", e->fps_confidence, e->rate_is_unstated ? e->guessed_rate : rate->evidence};
    snprintf(out.value, sizeof out.value, "%.6g fps", e->fps);
    size_t used = strlen(out.value);
    if (e->rate_is_unstated)
        snprintf(out.value + used, sizeof out.value - used, ", guessed: the file states none");
    else if (rate->is_contradicted)
        snprintf(out.value + used, sizeof out.value - used, ", contradicted: the motion shows %.4g fps", rate->fps);
    return out;
}

static Judgement front_judgement(const ImportGuess *e)
{
    const FacingJudgement *facing = &e->motion.facing;
    Judgement out = {JUDGED_FRONT, "", facing->is_shown ? facing->evidence.confidence : NAN, facing->evidence};
    const char *sides = e->roles.sides_are_named ? "left and right as named" : "left and right by the motion";
    snprintf(out.value, sizeof out.value, "%s", facing->is_shown ? sides : "not shown");
    if (facing->is_contradicted) {
        snprintf(out.value, sizeof out.value, "left and right are exchanged");
        out.confidence = 1 - out.confidence;
        evidence_reverse(&out.evidence);
    }
    return out;
}

static Judgement level_judgement(const ImportGuess *e)
{
    const LeanJudgement *lean = &e->motion.lean;
    Judgement out = {JUDGED_LEVEL, "", lean->frames > 0 ? lean->evidence.confidence : NAN, lean->evidence};
    snprintf(out.value, sizeof out.value, "%s", lean->frames > 0 ? "the world is level" : "not shown");
    if (lean->is_leaning) {
        snprintf(out.value, sizeof out.value, "leans by %.0f degrees%s", lean->angle * degrees,
                 e->is_levelled ? ", levelled" : "");
        out.confidence = 1 - out.confidence;
        evidence_reverse(&out.evidence);
    }
    return out;
}

static const char *const paths[] = {[LOCOMOTION_PATH] = "as recorded", [LOCOMOTION_IN_PLACE] = "steps in place",
                                    [LOCOMOTION_TREADMILL] = "treadmill", [LOCOMOTION_CYCLING] = "pedals"};

static Judgement path_judgement(const ImportGuess *e)
{
    const LocomotionJudgement *locomotion = &e->motion.locomotion;
    Judgement out = {JUDGED_PATH, "", locomotion->evidence.confidence, locomotion->evidence};
    snprintf(out.value, sizeof out.value, "%s", paths[locomotion->kind]);
    if (out.confidence >= 1) { /* no human legs */
        snprintf(out.value, sizeof out.value, "not shown");
        out.confidence = NAN;
    }
    if (locomotion->kind != LOCOMOTION_PATH) {
        out.confidence = 1 - out.confidence;
        evidence_reverse(&out.evidence);
    }
    return out;
}

static Judgement roles_judgement(const ImportGuess *e)
{
    const RoleJudgement *roles = &e->role_judgement;
    int are_found = roles->evidence.confidence > 0;
    double confidence = are_found ? roles->evidence.confidence : e->roles.is_creature ? roles->animal : NAN;
    Judgement out = {JUDGED_ROLES, "", confidence, roles->evidence};
    snprintf(out.value, sizeof out.value, "%s", are_found && e->roles.by_shape ? "of a person, by shape"
                                                : are_found ? "by name" : e->roles.is_creature ? ROLES_OF_AN_ANIMAL
                                                                                               : "none");
    return out;
}

Status import_judgements_record(const ImportGuess *guess, Provenance *provenance, Error *err)
{
    static Judgement (*const all[])(const ImportGuess *) = {unit_judgement, up_judgement, rate_judgement,
                                                            front_judgement, level_judgement, path_judgement,
                                                            roles_judgement};
    Status status = STATUS_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && !status; i++) {
        Judgement judgement = all[i](guess);
        status = judgement_record(provenance, &judgement, err);
    }
    return status;
}

int import_lacks_support(const Clip *clip)
{
    Judgement path;
    int is_judged = judgement_recall(&clip->provenance, JUDGED_PATH, &path);
    return (is_judged && strcmp(path.value, paths[LOCOMOTION_CYCLING]) == 0) ||
           locomotion_legs_lack(&clip->skeleton) == LEGS_LACK_SHANKS;
}
