/* See hand_holds.h. */
#include "pipeline/stages/hand_holds.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/text.h"

static Status find_joint(const char *word, const Skeleton *s, int *joint, Error *err)
{
    char near[256];
    *joint = skeleton_find_name_or_role(s, word);
    if (*joint >= 0)
        return STATUS_OK;
    did_you_mean_joint(word, s, near, sizeof near);
    return error_set(err, STATUS_BAD_INPUT, "--hold: the clip has no joint or role \"%s\"%s; a prop that is a second "
                     "ROOT comes in by --import-root all", word, near);
}

/* Reads HAND=JOINT; changes the text. */
static Status read_hold(char *text, const Skeleton *s, HandHold *out, Error *err)
{
    char *joint = strchr(text, '=');
    int hand = -1;
    if (!joint)
        return error_set(err, STATUS_BAD_INPUT, "--hold: expected HAND=JOINT, found \"%s\"", text);
    *joint++ = 0;
    Status status = find_joint(text, s, &hand, err);
    if (!status)
        status = find_joint(joint, s, &out->joint, err);
    if (status)
        return status;
    out->side = s->role[hand] == ROLE_RIGHT_WRIST;
    if (s->role[hand] != ROLE_LEFT_WRIST && s->role[hand] != ROLE_RIGHT_WRIST)
        return error_set(err, STATUS_BAD_INPUT, "--hold: \"%s\" is no hand of the clip, which has %s and %s", text,
                         "left_wrist", "right_wrist");
    return STATUS_OK;
}

Status hand_holds_parse(const char *text, const Skeleton *skeleton, HandHold *hold, int *count, Error *err)
{
    char *words = strdup(text), *rest = NULL;
    Status status = words ? STATUS_OK : error_no_memory(err);
    *count = 0;
    for (char *w = status ? NULL : strtok_r(words, ",", &rest); w && !status; w = strtok_r(NULL, ",", &rest)) {
        if (*count == MAX_PROPS)
            status = error_set(err, STATUS_BAD_INPUT, "--hold: more than %d joints", MAX_PROPS);
        else
            status = read_hold(w, skeleton, &hold[*count], err);
        *count += !status;
    }
    free(words);
    return status;
}
