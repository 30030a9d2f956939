/* A stage, one step of the pipeline from clip to clip, described as data.
 *
 * A stage declares what it needs and fills. Only stage_apply acts on this: it rejects a clip that lacks a group, drops
 * stale groups, updates /dof, marks the groups that exist and writes the history line. In-memory runs by `kane run`,
 * `kane batch` and libkane therefore give the same bytes as separate commands in a pipe. Nothing here prints or exits:
 * failures are errors, the rest are notes. */
#ifndef KANE_STAGES_STAGE_H
#define KANE_STAGES_STAGE_H

#include "analysis/anatomy/family.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/skeleton.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/detect/take.h"
#include "analysis/math/lane_width.h"
#include "analysis/model/dof_motion.h"
#include "formats/container/container.h"
#include "formats/source/source.h"
#include "pipeline/stages/option.h"

/* The history line of a command in a clip file: its name and resolved options, as they would be typed. */

/* Appends a line such as "smooth --method butterworth --cutoff 8", with the note (may be NULL) after " # ". stage_apply
 * removes lines that a stage makes stale. */
Status history_add(Clip *clip, const Command *command, const void *resolved, const char *note, Error *err);

typedef struct Stage {
    Command command;
    void (*defaults)(OptionValues *values); /* NULL: all zero */
    unsigned needs; /* ClipGroups that it requires */
    unsigned fills; /* ClipGroups that it computes or changes; those computed from them become stale */
    int reads_motion; /* 1: requires only motion, so its command also reads motion files */
    unsigned adapts; /* ClipGroups that would be stale but are updated by the stage itself */

    /* Further groups that these options require; NULL: none. */
    unsigned (*needs_with)(const OptionValues *values);

    /* Rejects options that conflict with each other or the clip, and fills in those that follow from others. Nothing
     * has been dropped from the clip yet; clip NULL: not read yet. NULL: no check. */
    Status (*check)(OptionValues *values, const Clip *clip, Error *err);

    /* Returns whether the stage keeps what the clip already has instead of filling it; why[size] receives the message.
     * NULL: never. */
    int (*keeps)(const OptionValues *values, const Clip *clip, char *why, size_t size);

    /* Fills the groups; computed ones are empty before. values is a copy in which the stage replaces "auto", so that
     * the history has resolved options. */
    Status (*apply)(OptionValues *values, Clip *clip, Notes *notes, Error *err);

    /* What the command does in place of stage_apply: applies the stage and recomputes what the clip had. NULL:
     * stage_apply. */
    Status (*apply_and_recompute)(const OptionValues *values, Clip *clip, Notes *notes, Error *err);
} Stage;

/* All stages in the order of `kane --help`; pipeline/stages/NAME.c defines stage_NAME. */
#define STAGES_OF_MOTION(STAGE) \
    STAGE(trim) STAGE(resample) STAGE(mirror) STAGE(retarget) STAGE(scale) STAGE(body) STAGE(smooth) STAGE(kinematics) \
    STAGE(contact) STAGE(torque) STAGE(angles)
#ifdef __EMSCRIPTEN__ /* no simulation in a browser */
#define STAGES STAGES_OF_MOTION
#else
#define STAGES(STAGE) STAGES_OF_MOTION(STAGE) STAGE(track)
#endif

#define STAGE_DECLARE(name) extern const Stage stage_##name;
STAGES(STAGE_DECLARE)

/* NULL if no stage has that name. */
const Stage *stage_find(const char *name);

void stage_defaults(const Stage *stage, OptionValues *values);

/* STATUS_BAD_INPUT, with joint and advice, if the motion deviates too far from the axes of the degrees of freedom. */
Status stage_check_axes(const Clip *clip, const DofMisfit *misfit, Error *err);

/* Applies one stage; values is not modified. notes may be NULL. On failure the clip can only be freed. */
Status stage_apply(const Stage *stage, const OptionValues *values, Clip *clip, Notes *notes, Error *err);

/* Returns the vector width: KANE_LANES=1|2|4|8 in the environment, for tests that compare bits; LANES_AUTO if it is not
 * set. STATUS_USAGE if it is invalid. */
Status stage_lanes(LaneWidth *lanes, Error *err);

/* Reading the history: the options with which a stage was applied. */

/* Reads the options with which a stage was last applied; those not in the history keep their defaults. *file receives
 * the name of a file that it read, of which only name and digest are stored, or "" (at most size - 1 bytes).
 * STATUS_BAD_INPUT names what this version does not support. */
Status history_read(const Clip *clip, const Stage *stage, OptionValues *values, char *file, size_t size, Error *err);

/* Repeats the history of the clip on its source: import, then each stage with its recorded options. Values that import
 * detected are detected again; if clips with the same skeleton were decided together (kane batch), the recorded values,
 * texts and confidences are used. Files named in the history are read from the source's directory. STATUS_BAD_INPUT
 * names what cannot be repeated: a different source, a line of no stage, a file that is missing or has changed. On
 * failure *out is empty. */
Status history_rerun(const Clip *clip, const char *source, Clip *out, Error *err);

/* Returns whether the history has a line of the stage. */
int history_has(const Clip *clip, const Stage *stage);

/* Returns whether the last line of a stage contains a word, such as "--external". */
int history_line_has(const Clip *clip, const Stage *stage, const char *word);

/* The pipeline of `kane run`: from a motion file through body, smooth, kinematics, contact, torque and angles to a clip
 * file.
 *
 * One set of values for import, stages and storage, used by `kane import`, `kane run`, every worker of `kane batch`,
 * `kane retarget` for clips without contacts, and libkane. */

/* Reading a motion file into a clip. */

typedef struct ImportOptions {
    ImportGuessDef guess;
    SourceDef limits;
} ImportOptions;

extern const Command import_command;         /* its options fill an ImportOptions */
extern const Option import_limit_options[];  /* fill a SourceDef; the same names in all commands that read motion */

extern const OptionKind option_unit; /* double, m: "cm", or a number of metres */
extern const OptionKind option_up;   /* UpAxis */

ImportOptions import_defaults(void);

/* Reads skeleton and motion and detects unit, axes and rate; no notes, trust or provenance. */
Status import_judge(const ImportOptions *given, const char *path, Clip *out, ImportGuess *decision, Error *err);

/* Reads path ("-": standard input) into a clip with provenance and history line. Notes: oddities of the file, and what
 * was detected. */
Status import_read(const ImportOptions *given, const char *path, Clip *out, Notes *notes, Error *err);

/* The stages after import, in order; retarget only if a character is given. */
enum { CHAIN_LENGTH = 7, CHAIN_GROUPS = 4 + CHAIN_LENGTH };
extern const Stage *const chain_stages[CHAIN_LENGTH];

typedef enum ChainAnatomy { CHAIN_ANATOMY, CHAIN_NO_ANATOMY } ChainAnatomy;

typedef struct Pipeline {
    ImportOptions import;
    OptionValues stage[CHAIN_LENGTH]; /* of chain_stages */
    int length;                       /* count of stages that run */
    ChainAnatomy anatomy;             /* whether angles runs */
    ContainerDef container;
} Pipeline;

extern const Option storage_options[]; /* fill a ContainerDef */

/* Returns the defaults of all stages, with the complete chain. */
Pipeline pipeline_defaults(void);

/* Ends the chain with this stage. */
void pipeline_end_with(Pipeline *chain, const Stage *last);

/* Returns whether body detects the neutral pose from the file's own skeleton: no retargeting, and no option sets the
 * pose. */
int pipeline_stands(const Pipeline *chain);

/* Sets the detections shared by the files of a skeleton (NULL: the file is judged alone), and what was detected of this
 * file with the same options (NULL: to be detected). Both are not owned. */
void pipeline_follow(Pipeline *chain, const Family *family, const FamilyMember *own);

/* Fills groups with the options of the chain, named as in `kane run`: storage, limits of the reader, import, then the
 * stages that run. Returns the count of groups. */
int pipeline_groups(Pipeline *chain, OptionGroup groups[CHAIN_GROUPS]);

/* Describes everything that determines the bytes of a clip file: version and all options. Equal source content and
 * description give equal bytes. The caller frees *text. */
Status pipeline_describe(const Pipeline *chain, char **text, Error *err);

/* Reads the first clip of a clip file, or a motion file (or a take of it) with the import options; path "-" is motion
 * from standard input. */
Status pipeline_open(const Pipeline *chain, const char *path, Clip *out, Notes *notes, Error *err);

/* Imports a motion file for the stages that follow; messages name import's options as in `kane run`. */
Status pipeline_import(const Pipeline *chain, const char *path, Clip *out, Notes *notes, Error *err);

/* Runs the stages on a clip in memory; messages name options as in `kane run` (--contact-external). On failure the clip
 * can only be freed; notes (may be NULL) name the stage. */
Status pipeline_run(const Pipeline *chain, Clip *clip, Notes *notes, Error *err);

/* Runs stage i alone, 0 .. chain->length - 1 in ascending order, for callers that show progress. */
Status pipeline_run_stage(const Pipeline *chain, int i, Clip *clip, Notes *notes, Error *err);

/* Access of `kane batch` to options of the stage body. */

/* Sets the neutral pose of the clips with this skeleton, used unless a clip confidently contradicts it (NULL: none),
 * and the clip's own as neutral_vote_of measures it (NULL: to be measured); not owned. values are of stage_body. */
void body_follow(OptionValues *values, const NeutralAngles *family, const NeutralVote *own);

/* Returns whether the options leave the neutral pose to be detected. */
int body_follows(const OptionValues *values);

/* Settings of GRF estimation, for stages that repeat it. */

/* Makes the settings from options of the contact stage for this clip. The caller frees *bridged, to which def refers;
 * NULL if there is none. */
Status contact_def_find(const OptionValues *values, const Clip *clip, ContactEstimateDef *def, uint8_t **bridged,
                        Error *err);

/* kane scale: the scaled clip with its computed groups. */

/* Applies stage_scale, then kinematics, contact, torque and angles with the options of the history, and notes the
 * change of the torques. On failure the clip can only be freed. */
Status scale_and_rerun(const OptionValues *values, Clip *clip, Notes *notes, Error *err);

/* kane resample: the resampled clip with its computed groups. */

/* Applies stage_resample, then kinematics, contact, torque and angles, as far as the clip had them, with the options of
 * its history; measured forces are interpolated linearly. */
Status resample_and_rerun(const OptionValues *values, Clip *clip, Notes *notes, Error *err);

#endif
