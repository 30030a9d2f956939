/* Options of a command that reads measured forces. */
#ifndef KANE_STAGES_MEASURED_OPTIONS_H
#define KANE_STAGES_MEASURED_OPTIONS_H

#include <stddef.h>

#include "analysis/contact/plate_record.h"
#include "pipeline/stages/option.h"

typedef enum PlateAlign { PLATE_ALIGN_AUTO = 0, PLATE_ALIGN_NONE } PlateAlign;

typedef struct MeasuredOptions {
    double lag;       /* s, by which the plates are behind the motion; NaN: auto; infinite: not given, which is auto for
                         a C3D file and 0 for a table */
    PlateAlign align; /* of C3D files in space; tables have the axes of the motion */
    PlateZero zero;   /* of C3D files */
} MeasuredOptions;

MeasuredOptions measured_options(void);

/* Rows of the options table: of FIELD(struct, member), a MeasuredOptions. */
#define MEASURED_OPTIONS(type, member)                                                                                 \
    {.name = "lag", .argument = "SECONDS|auto",                                                                        \
     .help = "Delay of the measured forces behind the motion in s; auto = from the loads (default: auto for C3D, 0 "   \
             "for tables)",                                                                                            \
     .kind = &option_lag, .offset = offsetof(type, member.lag), .with = "external"},                                   \
    {.name = "align", .argument = "auto|none",                                                                         \
     .help = "Place of the plates of a C3D file: auto = turned and shifted under the feet, or none (default auto)",    \
     .kind = &option_measured, .offset = offsetof(type, member.align), .choices = plate_aligns, .with = "external"},   \
    {.name = "plate-zero", .argument = "file|unloaded|none",                                                           \
     .help = "Level of the unloaded plates of a C3D file: as its FORCE_PLATFORM:ZERO states, the mean while they are " \
             "unloaded, or none (default file)",                                                                       \
     .kind = &option_measured, .offset = offsetof(type, member.zero), .choices = plate_zeros, .with = "external"}

extern const OptionKind option_lag, option_measured;
extern const char *const plate_aligns[], *const plate_zeros[];

#endif
