/* See clip_settings.h. */
#include "analysis/stats/clip_settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/names.h"
#include "analysis/base/version.h"
#include "analysis/math/elementary.h"

#define IS_ANY(name, names) (name_index(names, (int)(sizeof(names) / sizeof *(names)), name) >= 0)

static int is_of_source(const char *name, int is_creature)
{
    return !strcmp(name, "neutral-pose") || !strcmp(name, "noise") ||
           (is_creature && (!strcmp(name, "mass") || !strcmp(name, "model")));
}

int option_is_setting(const char *stage, const char *name)
{
    static const char *const stages[] = {"body", "smooth", "kinematics", "diff", "contact", "torque", "angles",
                                         "anatomy"};
    static const char *const subject[] = {"mass", "sex", "age", "stature", "segments", "external", "springs"};
    return IS_ANY(stage, stages) && !(name && IS_ANY(name, subject));
}

/* Visits the options of a line, which is modified. */
static Status visit_line(char *line, VisitOption *visit, void *context, Error *err)
{
    char *note = strstr(line, " # ");
    int is_automatic = note && !strncmp(note, " # automatic", strlen(" # automatic"));
    if (note)
        *note = 0;
    int is_creature = strstr(line, " --model capsules") != NULL;
    char *option = strstr(line, " --");
    if (option)
        *option = 0;
    Status status = visit(context, line, NULL, NULL, err);
    while (option && !status) {
        char *name = option + strlen(" --");
        option = strstr(name, " --");
        if (option)
            *option = 0;
        char *value = name + strcspn(name, " ");
        if (*value)
            *value++ = 0;
        if (!is_of_source(name, is_creature))
            status = visit(context, line, name, is_automatic && !strcmp(name, "cutoff") ? "auto" : value, err);
    }
    return status;
}

Status history_visit_options(const char *history, VisitOption *visit, void *context, Error *err)
{
    char *text = strdup(history), *rest = text, *line;
    Status status = text ? STATUS_OK : error_no_memory(err);
    while (!status && rest && (line = strsep(&rest, "\n")))
        if (*line && strncmp(line, "import", strlen("import")) != 0)
            status = visit_line(line, visit, context, err);
    free(text);
    return status;
}

static const char *const setting_options[][2] = {
    [SETTING_BODY_MODEL] = {"body", "model"},
    [SETTING_SMOOTH_METHOD] = {"smooth", "method"},
    [SETTING_KINEMATICS_SCHEME] = {"kinematics", "scheme"},
    [SETTING_CONTACT_METHOD] = {"contact", "method"},
};
_Static_assert(sizeof setting_options / sizeof *setting_options == SETTING_COUNT, "an option for every ClipSetting");

/* Appends an option to the text of all settings. */
static void add_text(ClipSettings *out, const char *stage, const char *name, const char *value)
{
    size_t used = strlen(out->text);
    if (name)
        snprintf(out->text + used, sizeof out->text - used, " --%s%s%s", name, *value ? " " : "", value);
    else
        snprintf(out->text + used, sizeof out->text - used, "%s%s", used ? "; " : "", stage);
}

/* Takes "hero.bvh" of "hero.bvh@1a2b3c4d". */
static void take_target(ClipSettings *out, const char *value)
{
    const char *digest = strrchr(value, '@');
    size_t length = digest ? (size_t)(digest - value) : strlen(value);
    snprintf(out->target, TARGET_NAME_SIZE, "%.*s", (int)length, value);
}

static Status take_option(void *context, const char *stage, const char *name, const char *value, Error *err)
{
    ClipSettings *out = context;
    (void)err;
    if (!strcmp(stage, "diff"))
        stage = "kinematics"; /* its name in 0.1 */
    if (option_is_setting(stage, name))
        add_text(out, stage, name, value);
    if (name && !strcmp(stage, "retarget") && !strcmp(name, "to"))
        take_target(out, value);
    for (int i = 0; name && i < SETTING_COUNT; i++)
        if (!strcmp(stage, setting_options[i][0]) && !strcmp(name, setting_options[i][1]))
            snprintf(out->word[i], SETTING_SIZE, "%s", value);
    return STATUS_OK;
}

/* Reads "8.25" or "1.2e-6" in any locale; NaN for other text. */
static double decimal(const char *text)
{
    double value = 0, unit = 1;
    int digits = 0;
    for (int fraction = 0; (*text >= '0' && *text <= '9') || (*text == '.' && !fraction); text++) {
        if (*text == '.') {
            fraction = 1;
            continue;
        }
        value = 10 * value + (*text - '0');
        unit *= fraction ? 10 : 1;
        digits++;
    }
    double power = digits && *text == 'e' ? elementary_pow(10, fmin(300, abs(atoi(text + 1)))) : 1;
    double number = value / unit;
    return !digits ? NAN : *text == 'e' && text[1] == '-' ? number / power : number * power;
}

double history_filter_number(const char *history, const char *option)
{
    static const char stage[] = "smooth ";
    char word[SETTING_SIZE];
    double value = NAN;
    snprintf(word, sizeof word, " --%s ", option);
    for (const char *line = history; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *at = strstr(line, word), *end = line + strcspn(line, "\n");
        if (!strncmp(line, stage, strlen(stage)))
            value = at && at < end ? decimal(at + strlen(word)) : NAN;
    }
    return value;
}

Status clip_settings_find(const char *history, const char *kane_version, ClipSettings *out, Error *err)
{
    *out = (ClipSettings){.smooth_cutoff_hz = history_filter_number(history, "cutoff")};
    snprintf(out->kane_version, SETTING_SIZE, "%s", *kane_version ? kane_version : KANE_VERSION);
    Status status = history ? history_visit_options(history, take_option, out, err) : STATUS_OK;
    if (history && !*out->word[SETTING_BODY_MODEL] && strstr(history, " --model capsules"))
        snprintf(out->word[SETTING_BODY_MODEL], SETTING_SIZE, "capsules"); /* of the source, not an option */
    return status;
}
