/* kane as a library: motion capture to joint torques, in a dozen calls.
 *
 *     KaneError error;
 *     KaneOptions *options = kane_options_create();
 *     KaneClip *clip = NULL;
 *     if (kane_options_set(options, "body-mass", "62", &error) || kane_open("walk.bvh", options, &clip, &error) ||
 *         kane_run(clip, options, &error))
 *         fprintf(stderr, "walk.bvh:%d:%d: %s\n", error.line, error.column, error.text);
 *     size_t shape[3];
 *     const double *torque = kane_array(clip, "/dynamics/torque", shape);   // [frame][joint][xyz], N m
 *
 * Functions that can fail return KANE_OK (0) or another KaneStatus and then fill *error, which may be NULL. Nothing is
 * printed. Only one thread at a time may be in kane_open or kane_save, because libhdf5 is not built thread-safe in
 * Debian; other threads may work on their own clips. The caller owns objects until their destroy or close function,
 * which accepts NULL. Units are SI; the world is right-handed, +Y up; quaternions are (w, x, y, z), child to parent.
 *
 * Compile and link with `pkg-config --cflags --libs kane`. */
#ifndef KANE_H
#define KANE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KANE_API __attribute__((visibility("default")))

typedef struct KaneClip KaneClip;
typedef struct KaneOptions KaneOptions;

typedef enum KaneStatus {
    KANE_OK = 0,
    KANE_BAD_INPUT, /* invalid data */
    KANE_IO,        /* the operating system refused a read or a write */
    KANE_LIMIT,     /* an adjustable limit was exceeded, such as max-frames */
    KANE_NO_MEMORY,
    KANE_NO_RESULT,
    KANE_USAGE,     /* invalid argument or option */
    KANE_INTERNAL   /* a defect of kane */
} KaneStatus;

typedef struct KaneError {
    KaneStatus status;
    int line, column; /* 1-based position in a text file; 0: unknown */
    char text[512];   /* one sentence */
} KaneError;

/* Returns the version, as `kane --version` prints it. */
KANE_API const char *kane_version(void);

/* ---- Options of the stages: import, body, smooth, kinematics, contact, torque, angles; of simulate and track ---- */

/* The command whose options are set. */
typedef enum KaneCommand {
    KANE_COMMAND_RUN = 0,  /* kane_open, kane_run */
    KANE_COMMAND_SIMULATE, /* kane_simulate */
    KANE_COMMAND_TRACK     /* kane_track */
} KaneCommand;

/* Creates options with the defaults of `kane run`, or of another command; NULL if memory runs out. */
KANE_API KaneOptions *kane_options_create(void);
KANE_API KaneOptions *kane_options_create_for(KaneCommand command);
KANE_API void kane_options_destroy(KaneOptions *options);

/* Sets an option by its name in the command, such as ("smooth-cutoff", "8") or ("max-frames", "100000"); the value of a
 * flag is NULL. Strings are copied. KANE_USAGE for an unknown name or an invalid value. */
KANE_API int kane_options_set(KaneOptions *options, const char *option, const char *value, KaneError *error);

/* Sets a numeric option; KANE_USAGE if the option is not a number. */
KANE_API int kane_options_set_number(KaneOptions *options, const char *option, double value, KaneError *error);

/* ---- Clips ---- */

/* Opens a BVH file, with the import options (NULL: the defaults), or the first clip of a clip file. Clip files are read
 * in a child process with resource limits, so a damaged file returns an error. On failure *clip is NULL. */
KANE_API int kane_open(const char *path, const KaneOptions *options, KaneClip **clip, KaneError *error);
KANE_API void kane_close(KaneClip *clip);

/* Runs all stages after import. After a failure the clip can only be closed. */
KANE_API int kane_run(KaneClip *clip, const KaneOptions *options, KaneError *error);

/* Simulates an MJCF scene like `kane simulate SCENE.xml` and creates a clip with /simulation, /contact, /dof and
 * /dynamics. KANE_NO_RESULT if the scene becomes unstable: *clip then ends before that. After any other failure *clip
 * is NULL. options: of KANE_COMMAND_SIMULATE; NULL: the defaults. */
KANE_API int kane_simulate(const char *scene, const KaneOptions *options, KaneClip **clip, KaneError *error);

/* Simulates the body of a clip with controllers that track its motion, like `kane track`, and fills /tracking. Call
 * kane_run first. options: of KANE_COMMAND_TRACK, without scenes; NULL: the defaults. After a failure the clip can only
 * be closed. */
KANE_API int kane_track(KaneClip *clip, const KaneOptions *options, KaneError *error);

/* Writes the clip file that `kane run` would write: to a temporary file, which is synced and renamed. KANE_BAD_INPUT if
 * path is an existing file that is not a kane clip file. On failure an existing file is unchanged. */
KANE_API int kane_save(const KaneClip *clip, const char *path, KaneError *error);

/* ---- Contents of a clip; pointers are valid until the clip is run or closed ---- */

KANE_API int kane_frame_count(const KaneClip *clip);
KANE_API int kane_joint_count(const KaneClip *clip);
KANE_API double kane_frame_time(const KaneClip *clip); /* s */
KANE_API double kane_total_mass(const KaneClip *clip); /* kg; 0 before kane_run */

/* Valid joints are 0 to kane_joint_count - 1; for others the result is NULL or -1. Parents precede children; the parent
 * of joint 0 is -1. */
KANE_API const char *kane_joint_name(const KaneClip *clip, int joint);
KANE_API const char *kane_joint_role(const KaneClip *clip, int joint); /* "left_knee"; "" without a role */
KANE_API int kane_joint_parent(const KaneClip *clip, int joint);

/* Returns the joint with a role, or -1. */
KANE_API int kane_find_role(const KaneClip *clip, const char *role);

/* Returns one line per stage with its resolved options. */
KANE_API const char *kane_history(const KaneClip *clip);

/* Returns a float64 array by its path in a clip file, and its shape (1 for unused axes; shape may be NULL). Returns
 * NULL if the path is unknown or the clip has no such array yet. docs/formats/clip_file.md lists all arrays with
 * dimensions, unit and axes; among them are
 *     /time                  [frame] s
 *     /motion/root_position  [frame][xyz] m, world          /motion/rotation      [frame][joint][wxyz] to the parent
 *     /body/mass             [joint] kg                     /kinematics/position  [frame][joint][xyz] m, world
 *     /contact/foot_force    [frame][left, right][xyz] N    /dynamics/torque      [frame][joint][xyz] N m, world
 *     /dynamics/power        [frame][joint] W               /angles/angle         [frame][coordinate] rad */
KANE_API const double *kane_array(const KaneClip *clip, const char *path, size_t shape[3]);

/* ---- Live: a simulation that advances while time passes ---- */

/* A character that tracks a clip on its own feet, or a scene. Its bodies are the joints of the clip, or the bodies of
 * the scene without the world. One thread at a time may use it. */
typedef struct KaneLive KaneLive;

/* Creates a character that follows the motion of a clip and then holds its last pose. Call kane_run first; the clip
 * must stay open and unchanged until kane_live_close. options: of KANE_COMMAND_TRACK; NULL: a free root,
 * kane-feedforward, steps of 0.01 s. On failure *live is NULL. */
KANE_API int kane_live_track(const KaneClip *clip, const KaneOptions *options, KaneLive **live, KaneError *error);

/* Creates a simulation of an MJCF file. options: of KANE_COMMAND_SIMULATE; NULL: the defaults. On failure *live is
 * NULL. */
KANE_API int kane_live_simulate(const char *scene, const KaneOptions *options, KaneLive **live, KaneError *error);
KANE_API void kane_live_close(KaneLive *live);

/* Returns to the initial state. */
KANE_API int kane_live_restart(KaneLive *live, KaneError *error);

/* Pushes a body during the next kane_live_advance: force in N, at a point that moves with the body, given by its
 * present place in m, world axes. Calls add up. KANE_USAGE for a body that does not exist or is fixed to the world. */
KANE_API int kane_live_push(KaneLive *live, int body, const double force[3], const double point[3], KaneError *error);

/* Takes the steps that are due after `seconds` more, 0 to 10. The length of a step is the option dt: a multiple of it
 * per frame moves evenly. KANE_NO_RESULT if the simulation diverges: call kane_live_restart. */
KANE_API int kane_live_advance(KaneLive *live, double seconds, KaneError *error);

KANE_API double kane_live_time(const KaneLive *live); /* s, since the start */
KANE_API int kane_live_body_count(const KaneLive *live);
KANE_API const char *kane_live_body_name(const KaneLive *live, int body); /* NULL: no such body */

/* Present poses, and forces in the last step; world axes. The pointers stay valid until kane_live_close, and their
 * contents change with each call. kane_live_torques: of the motors of a body's joint, on the body; NULL for a scene. */
KANE_API const double *kane_live_positions(const KaneLive *live);      /* [body][xyz] m, of joint or frame */
KANE_API const double *kane_live_orientations(const KaneLive *live);   /* [body][wxyz] to the world */
KANE_API const double *kane_live_contact_forces(const KaneLive *live); /* [body][xyz] N */
KANE_API const double *kane_live_torques(const KaneLive *live);        /* [body][xyz] N m */

/* What became of a character: "stands", "steps", "falls", or "held" (the root is not free); "" for a scene. */
KANE_API const char *kane_live_outcome(const KaneLive *live);

/* ---- Damped springs ---- */

/* Coefficients of one step of x'' = -omega^2 (x - rest) - 2 zeta omega x'. The step is the exact solution for any
 * length: n steps of dt equal one step of n dt. One set of coefficients serves any number of springs and steps. */
typedef struct KaneSpring {
    double position_by_position, position_by_velocity; /* 1, s */
    double velocity_by_position, velocity_by_velocity; /* 1/s, 1 */
} KaneSpring;

/* Computes the coefficients. omega: angular frequency, rad/s; zeta: damping ratio, 1 is critical; dt: time step, s. If
 * one is negative or not finite, returns KANE_USAGE and zeroes *spring. */
KANE_API int kane_spring_set(KaneSpring *spring, double omega, double zeta, double dt, KaneError *error);

/* Advances position and velocity by one step. */
KANE_API void kane_spring_step(const KaneSpring *spring, double rest, double *position, double *velocity);

#ifdef __cplusplus
}
#endif

#endif
