/* kane check --again: reruns the history of a clip file and compares the bytes. */
#ifndef KANE_CLI_CHECK_AGAIN_H
#define KANE_CLI_CHECK_AGAIN_H

#include "analysis/base/status.h"
#include "analysis/detect/findings.h"

extern const FindingInfo not_reproduced;

/* Receives the text of a finding. */
typedef void (*ReportAgain)(void *context, const char *text);

/* Reruns the history of the clip file at path on its source and reports each dataset and attribute that differs;
 * nothing if the bytes are equal. */
Status check_again(const char *path, const char *source, ReportAgain report, void *context, Error *err);

#endif
