/* A stage: one step from a clip to the next, described as data.
 *
 * What a stage needs and fills is declared, and stage_apply alone acts on it: it refuses a clip that lacks a group,
 * drops what is stale, makes /dof follow, states which groups are there and writes the line of history. What `kane
 * run`, `kane batch` and libkane make in memory therefore equals what the stages make in a pipe, byte for byte. Nothing
 * here prints or ends the process: failures are errors, the rest are notes. */
#ifndef KANE_STAGES_STAGE_H
#define KANE_STAGES_STAGE_H

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

/* The line that a command leaves in a container: its name and its resolved options, as they would be typed. */

/* Appends "smooth --method butterworth --cutoff 8", with a note (may be NULL) behind " # ". Lines that a stage makes
 * untrue are taken out by stage_apply. */
Status history_add(Clip *clip, const Command *command, const void *resolved, const char *note, Error *err);

typedef struct Stage {
    Command command;
    void (*defaults)(OptionValues *values); /* NULL: all zero */
    unsigned needs; /* ClipGroups without which it cannot work */
    unsigned fills; /* ClipGroups that it makes or changes; what is computed from them is stale then */
    int reads_motion; /* 1: it needs nothing but motion, so that its command also reads motion files */
    unsigned adapts; /* ClipGroups that would be stale, which it changes itself to fit what it fills */

    /* Groups that these options need besides; NULL: none. */
    unsigned (*needs_with)(const OptionValues *values);

    /* Refuses options that contradict themselves or the clip, and settles what follows from the others. The clip still
     * has all it came with; NULL before there is one. NULL: nothing can be wrong. */
    Status (*check)(OptionValues *values, const Clip *clip, Error *err);

    /* Whether the clip has brought what the stage would fill, and keeps it; why[size] receives the message. NULL:
     * never. */
    int (*keeps)(const OptionValues *values, const Clip *clip, char *why, size_t size);

    /* Fills the groups, of which those that are computed are empty. values is the stage's own copy: what "auto" became
     * is written into it, so that the history holds resolved options. */
    Status (*apply)(OptionValues *values, Clip *clip, Notes *notes, Error *err);
} Stage;

/* Every stage, in the order of `kane --help`: pipeline/stages/NAME.c defines stage_NAME. */
#define STAGES_OF_MOTION(STAGE) \
    STAGE(trim) STAGE(resample) STAGE(mirror) STAGE(retarget) STAGE(scale) STAGE(body) STAGE(smooth) STAGE(kinematics) \
    STAGE(contact) STAGE(torque) STAGE(angles)
#ifdef __EMSCRIPTEN__ /* nothing is simulated in a browser */
#define STAGES STAGES_OF_MOTION
#else
#define STAGES(STAGE) STAGES_OF_MOTION(STAGE) STAGE(track)
#endif

#define STAGE_DECLARE(name) extern const Stage stage_##name;
STAGES(STAGE_DECLARE)

/* NULL where no stage has that name. */
const Stage *stage_find(const char *name);

void stage_defaults(const Stage *stage, OptionValues *values);

/* How far a joint may be off the axes of its degrees of freedom: STATUS_BAD_INPUT names one that is farther, and states
 * what to do. */
Status stage_check_axes(const Clip *clip, const DofMisfit *misfit, Error *err);

/* Applies one stage; values is not changed. notes may be NULL. On failure the clip can only be freed. */
Status stage_apply(const Stage *stage, const OptionValues *values, Clip *clip, Notes *notes, Error *err);

/* The vector width: KANE_LANES=1|2|4|8 in the environment forces it, so that tests can compare the bits. LANES_AUTO
 * where the variable is not set; STATUS_USAGE where it makes no sense. */
Status stage_lanes(LaneWidth *lanes, Error *err);

/* The history of a clip, read back: with which options a stage was applied. */

/* The options with which a stage was last applied to the clip, from its history: values holds its defaults where
 * it is not informative. *file becomes the name of a file that it read, of which only name and digest are known, or ""
 * (at most size - 1 bytes). STATUS_BAD_INPUT names what this version does not know. */
Status history_read(const Clip *clip, const Stage *stage, OptionValues *values, char *file, size_t size, Error *err);

/* Runs all lines of the clip's history again on its source: import, then each stage with its recorded options. What
 * import detected is detected again; where the clips of a skeleton decided together (kane batch), the recorded
 * decisions are taken, and so are the words and confidences of the line. A file that a line names is looked for beside
 * the source. STATUS_BAD_INPUT names what cannot be repeated: another source, a line that is no stage's, a file that is
 * not there or has other content. On failure *out is empty. */
Status history_rerun(const Clip *clip, const char *source, Clip *out, Error *err);

/* Whether a stage was ever applied to the clip. */
int history_has(const Clip *clip, const Stage *stage);

/* Whether the last line of a stage has a word, such as "--external". */
int history_line_has(const Clip *clip, const Stage *stage, const char *word);

/* The chain of `kane run`: a BVH file, through body, smooth, kinematics, contact, torque and angles, into a container.
 *
 * One set of values for import, the stages and the container's storage. `kane import`, `kane run`, every worker of
 * `kane batch`, `kane retarget` where a clip has no contacts yet, and libkane all run this. */

/* From the path of a motion file to a clip: what `kane import`, `kane run` and every worker of `kane batch` do
 * first. */

typedef struct ImportOptions {
    ImportGuessDef evidence;
    SourceDef limits;
} ImportOptions;

extern const Command import_command;         /* its options are of an ImportOptions */
extern const Option import_limit_options[];  /* of a SourceDef: under the same names in all commands that read motion */

extern const OptionKind option_unit; /* double, m: "cm", or a number of metres */
extern const OptionKind option_up;   /* UpAxis */

ImportOptions import_defaults(void);

/* What a file states of itself, and its skeleton and motion alone, without notes, trust and provenance. */
Status import_judge(const ImportOptions *given, const char *path, Clip *out, ImportGuess *decision, Error *err);

/* Reads path ("-": standard input) into a clip with its provenance and its line of history. Notes: what was read
 * although it is odd, and what was decided. */
Status import_read(const ImportOptions *given, const char *path, Clip *out, Notes *notes, Error *err);

/* The stages behind import, in order; retarget only where a character is given. */
enum { CHAIN_LENGTH = 7, CHAIN_GROUPS = 4 + CHAIN_LENGTH };
extern const Stage *const chain_stages[CHAIN_LENGTH];

typedef enum ChainAnatomy { CHAIN_ANATOMY, CHAIN_NO_ANATOMY } ChainAnatomy;

typedef struct Pipeline {
    ImportOptions import;
    OptionValues stage[CHAIN_LENGTH]; /* of each of chain_stages */
    int length;                       /* how many of them are run */
    ChainAnatomy anatomy;             /* whether the last one is */
    ContainerDef container;
} Pipeline;

extern const Option storage_options[]; /* of a ContainerDef */

/* Every value as its stage has it unless given, the whole chain. */
Pipeline pipeline_defaults(void);

/* So that the chain ends with this stage of it. */
void pipeline_end_with(Pipeline *chain, const Stage *last);

/* Whether its body is measured in the neutral pose of the file's own skeleton, and no option gives that pose. */
int pipeline_stands(const Pipeline *chain);

/* The decisions of the clip's skeleton, which are kept; NULL: it decides alone. */
void pipeline_follow(Pipeline *chain, const Family *family);

/* The options that fill the chain, under their names in `kane run`: storage, limits of the reader, import, then the
 * stages that are run. Returns how many groups these are. */
int pipeline_groups(Pipeline *chain, OptionGroup groups[CHAIN_GROUPS]);

/* Everything that affects the bytes of a clip file, and the version that makes it: a clip whose content and request
 * are the same has the same bytes. The caller frees *text. */
Status pipeline_describe(const Pipeline *chain, char **text, Error *err);

/* A motion file, or a take of it, as the import options state, or the first container of a file; path "-" is motion
 * from standard input. */
Status pipeline_open(const Pipeline *chain, const char *path, Clip *out, Notes *notes, Error *err);

/* Imports a motion file for the stages that follow: messages name import's options as the chain does. */
Status pipeline_import(const Pipeline *chain, const char *path, Clip *out, Notes *notes, Error *err);

/* The stages on a clip in memory; messages name options as the chain does (--contact-external). On failure
 * the clip can only be freed; notes (may be NULL) name the stage. */
Status pipeline_run(const Pipeline *chain, Clip *clip, Notes *notes, Error *err);

/* Stage i of the chain alone, from 0 to chain->length - 1 in this order: what pipeline_run does, for callers that show
 * progress. */
Status pipeline_run_stage(const Pipeline *chain, int i, Clip *clip, Notes *notes, Error *err);

/* What `kane batch` asks of the stage body beside its options. */

/* The neutral pose of the clips of one skeleton, for a clip that does not surely contradict it; not owned. NULL: none.
 * values are of stage_body. */
void body_follow(OptionValues *values, const NeutralAngles *family);

/* Whether these options leave the neutral pose open. */
int body_follows(const OptionValues *values);

/* How the contact stage estimates forces, for stages that estimate them again. */

/* As the options of the contact stage say for this clip. *bridged, which the definition refers to, is the caller's to
 * free; NULL where there is none. */
Status contact_def_find(const OptionValues *values, const Clip *clip, ContactEstimateDef *def, uint8_t **bridged,
                        Error *err);

/* kane scale beyond its stage: the scaled clip with all that was computed from it recomputed. */

/* Applies stage_scale, then kinematics, contact and torque as they were applied before, and reports what became of the
 * torques. On failure the clip can only be freed. */
Status scale_and_rerun(const OptionValues *values, Clip *clip, Notes *notes, Error *err);

/* The stage resample, and all that a clip holds after it. */

/* Applies stage_resample, then kinematics, contact, torque and angles again as far as the clip had them, with the
 * options of its history; measured forces go in straight lines from frame to frame. */
Status resample_and_rerun(const OptionValues *values, Clip *clip, Notes *notes, Error *err);

#endif
