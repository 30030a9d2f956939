/* What is drawn of a scene beside its bodies: springs, tendons, particles, contact forces. World axes, m. */
#ifndef KANE_MANNEQUIN_SCENE_MARKS_H
#define KANE_MANNEQUIN_SCENE_MARKS_H

#include "analysis/base/arena.h"
#include "analysis/clip/clip.h"

typedef enum MarkKind { MARK_LINE, MARK_DOT, MARK_FORCE } MarkKind;

typedef struct SceneMark {
    MarkKind kind;
    int first, second; /* line: points of /shapes; dot: particle; force: point of /contact */
    double radius;     /* of the size of the scene */
    Vec3 tint;         /* red, green, blue, 0 to 1, sRGB */
} SceneMark;

typedef struct SceneMarks {
    const Clip *clip;
    double size;     /* m, of the scene: lines, dots and arrows are parts of it */
    double newton;   /* m per N: half of the size at the weight of all bodies */
    int count;
    SceneMark *mark; /* [count] */
} SceneMarks;

enum { SCENE_MARKS_MOST = 8192 }; /* the rest is not shown */

/* None of a clip without /shapes. `size` in m. The clip outlives the marks, which are the arena's. */
Status scene_marks_init(SceneMarks *m, const Clip *clip, double size, Arena *arena, Error *err);

/* Where a mark is at a frame of the clip, whose joints are at position and orientation [joint]: both ends of a line or
 * arrow, a dot twice. 0 where it is not there. */
int scene_mark_place(const SceneMarks *m, int mark, int frame, const Vec3 *position, const Quat *orientation,
                     Vec3 end[2]);

#endif
