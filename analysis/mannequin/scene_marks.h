/* Marks drawn with a scene: springs, tendons, particles, contact forces. World axes, m. */
#ifndef KANE_MANNEQUIN_SCENE_MARKS_H
#define KANE_MANNEQUIN_SCENE_MARKS_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

typedef enum MarkKind { MARK_LINE, MARK_DOT, MARK_FORCE } MarkKind;

typedef struct SceneMark {
    MarkKind kind;
    int first, second; /* line: points of /shapes; dot: particle; force: point of /contact */
    double radius;     /* fraction of the scene size */
    Vec3 tint;         /* red, green, blue, 0 to 1, sRGB */
} SceneMark;

typedef struct SceneMarks {
    const Clip *clip;
    double size;     /* m, scene size: lines, dots and arrows are fractions of it */
    double newton;   /* m per N: the weight of all bodies is half the scene size long */
    int count;
    SceneMark *mark; /* [count] */
} SceneMarks;

enum { SCENE_MARKS_MAX = 8192 };  /* further marks are dropped */

/* Lists the marks of a clip; without /shapes only forces, and those only if has_forces. size: m. Keeps a pointer to the
 * clip; the marks are in the arena. */
Status scene_marks_init(SceneMarks *m, const Clip *clip, double size, int has_forces, Arena *arena, Error *err);

/* World position of a mark in a frame, given the joint poses position, orientation [joint]: both ends of a line or
 * arrow, a dot twice. Returns 0 if the mark is absent. */
int scene_mark_pose(const SceneMarks *m, int mark, int frame, const Vec3 *position, const Quat *orientation,
                    Vec3 end[2]);

#endif
