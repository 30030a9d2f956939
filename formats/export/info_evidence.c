/* See info_evidence.h. */
#include "formats/export/info_evidence.h"

#include <math.h>
#include <string.h>

#include "analysis/evidence/judgement.h"
#include "formats/base/text.h"

/* Texts of a clip file are untrusted. */
static void print_shown(FILE *stream, const char *text) { utf8_put_shown(stream, text, strlen(text)); }

static void print_confidence(FILE *stream, const Judgement *judgement)
{
    double confidence = judgement->confidence;
    if (confidence >= 1 && judgement->evidence.count == 0)
        fputs(" (given)", stream);
    else if (confidence < 0.01)
        fputs(" (<1 %)", stream);
    else if (confidence > 0.99)
        fputs(" (>99 %)", stream);
    else if (!isnan(confidence))
        fprintf(stream, " (%.0f %%)", 100 * confidence);
}

static void print_observations(FILE *stream, const Evidence *evidence, int sign)
{
    for (int rank = 0; rank < JUDGEMENT_SHOWN; rank++) {
        const Observation *seen = evidence_strongest(evidence, sign, rank);
        if (!seen)
            return;
        fprintf(stream, "            %+6.1f  ", seen->log_odds);
        print_shown(stream, seen->text);
        putc('\n', stream);
    }
}

void info_print_evidence(FILE *stream, const Provenance *provenance)
{
    const char *label = "evidence";
    for (JudgementSubject subject = 0; subject < JUDGEMENTS; subject++) {
        Judgement judgement;
        if (!judgement_recall(provenance, subject, &judgement))
            continue;
        fprintf(stream, "%-11s %-6s  ", label, judgement_name(subject));
        print_shown(stream, judgement.value);
        print_confidence(stream, &judgement);
        putc('\n', stream);
        print_observations(stream, &judgement.evidence, 1);
        print_observations(stream, &judgement.evidence, -1);
        label = "";
    }
}

static void put_observations(Json *json, const char *key, const Evidence *evidence, int sign)
{
    json_member_open(json, key, '[');
    for (int rank = 0; rank < JUDGEMENT_SHOWN; rank++) {
        const Observation *seen = evidence_strongest(evidence, sign, rank);
        if (!seen)
            break;
        json_open(json, '{');
        json_member_number(json, "log_odds", seen->log_odds);
        json_member_text(json, "text", seen->text);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void info_put_evidence(Json *json, const Provenance *provenance)
{
    json_line(json, "  ");
    json_member_open(json, "evidence", '{');
    for (JudgementSubject subject = 0; subject < JUDGEMENTS; subject++) {
        Judgement judgement;
        if (!judgement_recall(provenance, subject, &judgement))
            continue;
        json_line(json, "    ");
        json_member_open(json, judgement_name(subject), '{');
        json_member_text(json, "value", judgement.value);
        json_member_number(json, "confidence", judgement.confidence);
        put_observations(json, "for", &judgement.evidence, 1);
        put_observations(json, "against", &judgement.evidence, -1);
        json_close(json, '}');
    }
    json_close(json, '}');
}
