/* Unit, up axis and meaning of positions of the files of one skeleton (family.h). */
#include "analysis/angles/family.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/base/fnv.h"
#include "analysis/detect/position_meaning.h"
#include "analysis/detect/up_axis.h"
#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

/* Upper bound of a vote: one error in two thousand. */
static const double surest = 0.9995;

/* ---- Key ---- */

static uint64_t hash_number(uint64_t hash, double value)
{
    int64_t whole = (int64_t)value;
    return fnv_bytes(hash, &whole, sizeof whole);
}

/* Whether a joint's OFFSET is the initial position of the subject: that of the root, or of its only child. */
static int is_start_position(const Skeleton *s, int joint)
{
    int children = 0;
    for (int j = 1; j < s->joint_count; j++)
        children += s->parent[j] == 0;
    return joint == 0 || (s->parent[joint] == 0 && children == 1);
}

/* Quantization step: a power of two, at most a thousandth of the longest OFFSET, so that digits of the file do not fall
 * half way between steps. */
static double offset_step(const Skeleton *s)
{
    double longest = 0, step = 1;
    for (int j = 1; j < s->joint_count; j++)
        if (!is_start_position(s, j))
            longest = fmax(longest, vec3_norm(s->offset[j]));
    while (longest > 0 && 2048 * step < longest)
        step *= 2;
    while (longest > 0 && 1024 * step > longest)
        step /= 2;
    return step;
}

void family_key(const Skeleton *s, char key[FAMILY_KEY_SIZE])
{
    uint64_t hash = FNV_START;
    double step = offset_step(s);
    for (int j = 0; j < s->joint_count; j++) {
        hash = fnv_bytes(hash, s->name[j], strlen(s->name[j]) + 1);
        hash = hash_number(hash, s->parent[j]);
        hash = hash_number(hash, s->channels ? s->channels[j] : 0);
        if (is_start_position(s, j))
            continue;
        hash = hash_number(hash, rint(s->offset[j].x / step));
        hash = hash_number(hash, rint(s->offset[j].y / step));
        hash = hash_number(hash, rint(s->offset[j].z / step));
    }
    snprintf(key, FAMILY_KEY_SIZE, "%016llx", (unsigned long long)hash);
}

/* ---- Decision ---- */

typedef enum Question { QUESTION_POSITIONS, QUESTION_UP, QUESTION_UNIT, QUESTION_COUNT } Question;

typedef struct Answer {
    double value;      /* the enum, or m per unit */
    double confidence; /* 0: no answer */
} Answer;

static Answer family_answer(const FamilyVote *vote, Question question)
{
    const ImportGuess *e = &vote->guess;
    const ImportGuessDef *d = &vote->def;
    const Answer answer[QUESTION_COUNT] = {
        [QUESTION_POSITIONS] = {e->positions, d->positions == POSITIONS_AUTO ? e->positions_confidence : 0},
        [QUESTION_UP] = {e->up, d->up == UP_AUTO ? e->up_confidence : 0},
        [QUESTION_UNIT] = {e->meters_per_unit, d->meters_per_unit > 0 ? 0 : e->unit_confidence},
    };
    return vote->is_read ? answer[question] : (Answer){0};
}

static int is_same(Answer a, Answer b) { return fabs(a.value - b.value) <= 1e-9 * fabs(b.value); }

static double log_odds(double p)
{
    p = fmin(fmax(p, 1 - surest), surest);
    return elementary_log(p / (1 - p));
}

/* Mean log odds of an answer over the votes. A vote for another answer counts against this one according to its
 * confidence in its own; below 0.5 it counts against both equally. */
static double score(const Answer *vote, int count, Answer answer, int *votes)
{
    double sum = 0;
    int given = 0;
    *votes = 0;
    for (int i = 0; i < count; i++) {
        double p = vote[i].confidence;
        if (!(p > 0))
            continue;
        int agrees = is_same(vote[i], answer);
        sum += log_odds(agrees ? p : fmin(p, 1 - p));
        *votes += agrees;
        given++;
    }
    return sum / given;
}

/* Upper bound of the confidence, so that repetition of an unanimous answer does not increase it. */
static double surest_vote(const Answer *vote, int count)
{
    double max = 0;
    for (int i = 0; i < count; i++)
        max = fmax(max, vote[i].confidence);
    return max;
}

/* The answer with the highest score; of equal ones the one with more votes, then the first. confidence 0: no votes. */
static Answer pool(const Answer *vote, int count)
{
    Answer best = {0};
    double best_score = 0;
    int best_votes = 0;
    for (int i = 0; i < count; i++) {
        int votes;
        if (!(vote[i].confidence > 0))
            continue;
        double s = score(vote, count, vote[i], &votes);
        if (best.confidence > 0 && (s < best_score || (!(s > best_score) && votes <= best_votes)))
            continue;
        best = (Answer){vote[i].value, fmin(1 / (1 + elementary_exp(-s)), surest_vote(vote, count))};
        best_score = s;
        best_votes = votes;
    }
    return best;
}

static double *confidence_at(Family *f, Question question)
{
    double *const confidence[QUESTION_COUNT] = {&f->positions_confidence, &f->up_confidence, &f->unit_confidence};
    return confidence[question];
}

static void settle(Family *f, Question question, const FamilyVote *vote, int count)
{
    Answer answer[FAMILY_CLIPS];
    for (int i = 0; i < count; i++)
        answer[i] = family_answer(&vote[i], question);
    Answer best = pool(answer, count);
    if (question == QUESTION_POSITIONS)
        f->positions = (PositionMeaning)best.value;
    else if (question == QUESTION_UP)
        f->up = (UpAxis)best.value;
    else
        f->meters_per_unit = best.value;
    *confidence_at(f, question) = best.confidence;
}

static Answer answer_of_family(const Family *f, Question question)
{
    const Answer answer[QUESTION_COUNT] = {{f->positions, f->positions_confidence}, {f->up, f->up_confidence},
                                           {f->meters_per_unit, f->unit_confidence}};
    return answer[question];
}

/* Reads the files again that the family overrules, because answers to later questions depend on it. */
static Status read_overruled(ReadVote *read, void *context, int count, const Family *f, Question question,
                             FamilyVote *vote, Error *err)
{
    Status status = STATUS_OK;
    Answer family = answer_of_family(f, question);
    for (int i = 0; i < count && !status; i++) {
        Answer own = family_answer(&vote[i], question);
        if (own.confidence > 0 && !is_same(own, family) && own.confidence < FAMILY_DISSENT) {
            vote[i] = (FamilyVote){.def.family = f};
            status = read(context, i, &vote[i], err);
        }
    }
    return status;
}

Status family_decide(ReadVote *read, void *context, int count, Family *family, Error *err)
{
    FamilyVote vote[FAMILY_CLIPS];
    Status status = STATUS_OK;
    if (count > FAMILY_CLIPS)
        count = FAMILY_CLIPS;
    if (family->positions_confidence > 0 && family->up_confidence > 0 && family->unit_confidence > 0)
        return STATUS_OK;
    for (int i = 0; i < count && !status; i++) {
        vote[i] = (FamilyVote){.def.family = family};
        status = read(context, i, &vote[i], err);
    }
    for (Question q = QUESTION_POSITIONS; q < QUESTION_COUNT && !status; q++) {
        if (*confidence_at(family, q) > 0)
            continue;
        settle(family, q, vote, count);
        if (*confidence_at(family, q) > 0 && q + 1 < QUESTION_COUNT)
            status = read_overruled(read, context, count, family, q, vote, err);
    }
    return status;
}
