/* Options of the stage contact, and the settings of the estimate that follow from them. */
#ifndef KANE_STAGES_CONTACT_OPTIONS_H
#define KANE_STAGES_CONTACT_OPTIONS_H

#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/contact/contact_estimate.h"
#include "pipeline/stages/measured_options.h"
#include "pipeline/stages/option.h"

typedef enum ContactMethod { CONTACT_ESTIMATE = 0, CONTACT_NONE, CONTACT_EXTERNAL } ContactMethod;

typedef enum Support { SUPPORT_AUTO = 0, SUPPORT_NONE } Support;

typedef struct ContactOptions {
    ContactMethod method;
    const char *external;
    MeasuredOptions measured;
    double threshold; /* N */
    double friction;
    double ground; /* m; NaN: from the clip */
    Support support;
    int reduce_residual;
    int no_root_path; /* a result, not an option: the root does not translate, so no ground height is reported */
} ContactOptions;

extern const Option contact_options[];

void contact_defaults(OptionValues *values);

/* Makes the settings from options of the contact stage for this clip. The caller frees *bridged, to which def refers;
 * NULL if there is none. */
Status contact_def_find(const OptionValues *values, const Clip *clip, ContactEstimateDef *def, uint8_t **bridged,
                        Error *err);

/* Estimates the GRFs with the default options. */
Status contact_estimated(const Clip *clip, Contact *out, LaneWidth *lanes, Error *err);

#endif
