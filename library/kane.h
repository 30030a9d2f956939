/* kane as a library: motion capture to joint torques, in a dozen calls.
 *
 *     KaneError error;
 *     KaneOptions *options = kane_options_create();
 *     KaneClip *clip = NULL;
 *     if (kane_options_set(options, "body-mass", "62", &error) || kane_open("walk.bvh", options, &clip, &error) ||
 *         kane_run(clip, options, &error))
 *         fprintf(stderr, "walk.bvh:%d:%d: %s\n", error.line, error.column, error.text);
 *     size_t shape[3];
 *     const double *torque = kane_array(clip, "/dynamics/torque", shape);   // [frame][joint][xyz], Nm
 *
 * Functions that can fail return 0 or a KaneStatus and fill *error, which may be NULL. Nothing is printed. Only one
 * thread at a time may be in kane_open and kane_save, because Debian's libhdf5 is not made for more; others may work on
 * clips of their own. Objects belong to the caller until their destroy or close, both of which accept NULL. Units are
 * SI; the world is right-handed, +Y up; quaternions are (w, x, y, z), child to parent.
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
    KANE_BAD_INPUT, /* the data is wrong */
    KANE_IO,        /* the operating system refused a read or a write */
    KANE_LIMIT,     /* a limit with an option was exceeded */
    KANE_NO_MEMORY,
    KANE_NO_RESULT,
    KANE_USAGE,     /* the caller asked for something that makes no sense */
    KANE_INTERNAL   /* a defect of kane */
} KaneStatus;

typedef struct KaneError {
    KaneStatus status;
    int line, column; /* 1-based, of a text file; 0: not known */
    char text[512];   /* one sentence */
} KaneError;

/* "0.1.0". */
KANE_API const char *kane_version(void);

/* ---- Options of the stages: import, body, smooth, kinematics, contact, torque, angles; of simulate and track ---- */

/* The command whose options they are. */
typedef enum KaneCommand {
    KANE_COMMAND_RUN = 0,  /* kane_open, kane_run */
    KANE_COMMAND_SIMULATE, /* kane_simulate */
    KANE_COMMAND_TRACK     /* kane_track */
} KaneCommand;

/* With the defaults of `kane run`, or of another command; NULL without memory. */
KANE_API KaneOptions *kane_options_create(void);
KANE_API KaneOptions *kane_options_create_for(KaneCommand command);
KANE_API void kane_options_destroy(KaneOptions *options);

/* Sets an option by its name in the command, as in ("smooth-cutoff", "8") or ("max-frames", "100000"); a flag takes the
 * value NULL. Texts are copied. KANE_USAGE for an unknown name or a value that it does not take. */
KANE_API int kane_options_set(KaneOptions *options, const char *option, const char *value, KaneError *error);

/* The same for an option that is a number; KANE_USAGE for one that is not. */
KANE_API int kane_options_set_number(KaneOptions *options, const char *option, double value, KaneError *error);

/* ---- Clips ---- */

/* Opens a BVH file (as its import options state; NULL: the defaults) or the first container of a file.
 * Containers are read in a child process with limits, so that a damaged one becomes an error. On failure *clip is
 * NULL. */
KANE_API int kane_open(const char *path, const KaneOptions *options, KaneClip **clip, KaneError *error);
KANE_API void kane_close(KaneClip *clip);

/* Runs the stages behind import. On failure the clip can only be closed. */
KANE_API int kane_run(KaneClip *clip, const KaneOptions *options, KaneError *error);

/* Simulates a scene in MJCF, as `kane simulate SCENE.xml`: the clip has /simulation, /contact, /dof and /dynamics.
 * KANE_NO_RESULT where the scene becomes unstable: *clip is then the clip until there. On every other failure it is
 * NULL. options: of KANE_COMMAND_SIMULATE; NULL: the defaults. */
KANE_API int kane_simulate(const char *scene, const KaneOptions *options, KaneClip **clip, KaneError *error);

/* Simulates the body of a clip, which was run, under torques that follow its motion, as `kane track`: fills /tracking.
 * options: of KANE_COMMAND_TRACK, without scenes; NULL: the defaults. On failure the clip can only be closed. */
KANE_API int kane_track(KaneClip *clip, const KaneOptions *options, KaneError *error);

/* Stores the container that `kane run` would: under a temporary name, synced, renamed. KANE_BAD_INPUT where a file that
 * is no container of kane's is in the way; on failure what was there is there still. */
KANE_API int kane_save(const KaneClip *clip, const char *path, KaneError *error);

/* ---- What a clip holds; all pointers are valid until the clip is run or closed ---- */

KANE_API int kane_frame_count(const KaneClip *clip);
KANE_API int kane_joint_count(const KaneClip *clip);
KANE_API double kane_frame_time(const KaneClip *clip); /* s */
KANE_API double kane_total_mass(const KaneClip *clip); /* kg; 0 before the stages were run */

/* Of a joint from 0 to kane_joint_count - 1, else NULL or -1. The parent of joint 0 is -1; parents come first. */
KANE_API const char *kane_joint_name(const KaneClip *clip, int joint);
KANE_API const char *kane_joint_role(const KaneClip *clip, int joint); /* "left_knee"; "" where it has none */
KANE_API int kane_joint_parent(const KaneClip *clip, int joint);

/* The joint of a role, -1 where there is none. */
KANE_API int kane_find_role(const KaneClip *clip, const char *role);

/* One line a stage with its resolved options. */
KANE_API const char *kane_history(const KaneClip *clip);

/* An array of float64 by its path in a container, and its shape, 1 where it has fewer axes; shape may be NULL. NULL
 * where the clip has not got it (yet), and where no array has that path. docs/formats/clip_file.md lists all, with
 * dimensions, unit and axes; among them are
 *     /time                  [frame] s
 *     /motion/root_position  [frame][xyz] m, world          /motion/rotation      [frame][joint][wxyz] to the parent
 *     /body/mass             [joint] kg                     /kinematics/position  [frame][joint][xyz] m, world
 *     /contact/foot_force    [frame][left, right][xyz] N    /dynamics/torque      [frame][joint][xyz] Nm, world
 *     /dynamics/power        [frame][joint] W               /anatomy/angle        [frame][coordinate] rad */
KANE_API const double *kane_array(const KaneClip *clip, const char *path, size_t shape[3]);

/* ---- Damped springs ---- */

/* x'' = -omega^2 (x - rest) - 2 zeta omega x' over a step, exact for a step of any length: coefficients once, then any
 * number of springs and steps. n steps of dt are one of n dt. */
typedef struct KaneSpring {
    double position_by_position, position_by_velocity; /* 1, s */
    double velocity_by_position, velocity_by_velocity; /* 1/s, 1 */
} KaneSpring;

/* omega: angular frequency, rad/s; zeta: damping ratio, 1 is critical; dt: length of the step, s. Each is finite and
 * not negative, else KANE_USAGE and *spring is zeroed. */
KANE_API int kane_spring_set(KaneSpring *spring, double omega, double zeta, double dt, KaneError *error);

/* Moves position and velocity one step towards rest. */
KANE_API void kane_spring_step(const KaneSpring *spring, double rest, double *position, double *velocity);

#ifdef __cplusplus
}
#endif

#endif
