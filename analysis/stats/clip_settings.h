/* The settings with which a clip was computed, from its history: lines such as "smooth --cutoff 8 # note". Clips with
 * different settings are not comparable.
 *
 * Not options at all are those that the source determines: the import line, a neutral pose, the noise of a recording,
 * the mass of a capsule body. Not settings are options of the subject (--mass, --sex, ...) and stages that make another
 * motion (trim, retarget, ...). A cutoff that smooth chose, with a note "automatic", has the value "auto". */
#ifndef KANE_STATS_CLIP_SETTINGS_H
#define KANE_STATS_CLIP_SETTINGS_H

#include "analysis/base/status.h"

/* Receives an option; name NULL: a stage begins. value "": a flag. */
typedef Status VisitOption(void *context, const char *stage, const char *name, const char *value, Error *err);

/* Visits the options of a history in their order. STATUS_NO_MEMORY, or what visit returns. */
Status history_visit_options(const char *history, VisitOption *visit, void *context, Error *err);

/* Returns 1 if an option of a stage (name NULL: the stage) is a setting. */
int option_is_setting(const char *stage, const char *name);

/* Settings with a column of their own, as words of the options. */
typedef enum ClipSetting {
    SETTING_BODY_MODEL,
    SETTING_SMOOTH_METHOD,
    SETTING_KINEMATICS_SCHEME,
    SETTING_CONTACT_METHOD,
    SETTING_COUNT
} ClipSetting;

enum { SETTING_SIZE = 24, SETTINGS_SIZE = 768, TARGET_NAME_SIZE = 256 };

typedef struct ClipSettings {
    char kane_version[SETTING_SIZE]; /* of the program that wrote the clip file */
    char word[SETTING_COUNT][SETTING_SIZE]; /* "": not in the history */
    char text[SETTINGS_SIZE]; /* all settings, "body --model deleva; smooth --method butterworth --cutoff 8" */
    char target[TARGET_NAME_SIZE]; /* file name of the last retargeting's --to, no setting; "": not retargeted */
    double smooth_cutoff_hz;  /* as used; NaN: none */
} ClipSettings;

/* The number of an option ("cutoff", Hz; "noise", m per square root of Hz) in the last smooth line; NaN: none. history
 * may be NULL. */
double history_filter_number(const char *history, const char *option);

/* kane_version "": this program. history may be NULL. */
Status clip_settings_find(const char *history, const char *kane_version, ClipSettings *out, Error *err);

#endif
