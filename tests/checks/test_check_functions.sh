#!/bin/sh
# tests/checks/check_functions.py finds planted violations with file and line, and nothing else.
# usage: tests/checks/test_check_functions.sh   (from the top of the project)
set -u
check=$(realpath tests/checks/check_functions.py)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

# expect NAME EXIT LINE...: the check of folder `a` exits with EXIT and prints these lines, no others.
expect() {
    name=$1 exit=$2
    shift 2
    found=$("$check" a) && code=0 || code=$?
    found=$(printf '%s\n' "$found" | sed '$d')
    wanted=$(for line in "$@"; do printf '%s\n' "$line"; done)
    if [ "$code" -ne "$exit" ] || [ "$found" != "$wanted" ]; then
        printf '%s: exit %s, found:\n%s\n' "$name" "$code" "$found"
        failed=1
    fi
    rm -rf a
    mkdir -p a
}
mkdir a

cat >a/good.h <<'C'
/* f(int a, int b, int c, int d, int e, int f, int g); !a || !b || !c || !d || !e */
#define LANE_LOCAL static inline
#define WIDE(a, b, c, d, e, f, g) ((a) + (b)) /* no function */
int six(int a, const char *(*name)(int, int, int), int c[2][3],
        int d, int e, struct S { int x, y; } *f);
int none(void);
typedef struct View {
    int (*each)(int a, int b, int c, int d, int e, int f);
    double x, y;
} View;
const char *text = "f(int a, int b, int c, int d, int e, int f, int g); !a || !b || !c || !d || !e";
C
cat >a/good.c <<'C'
#include "a/good.h"
LANE_LOCAL int nearby(int a, int b, int c, int d, int e, int f, int g) { return a + b + c + d + e + f + g; }
static const int table[] = {1, 2, 3, 4, 5, 6, 7, 8};
int calls(View *v)
{
    int sum = nearby(1, 2, 3, 4, 5, 6, 7) + none(), a = '"', b = '\'';
    if (!v || !v->each || !v->x || !v[0].y)
        return !a && !b && !sum && !v->x && !v->y;
    return f(!a, !b) || !a > 1 || !g(b) || a == 1 || b == 2 || !(a + b);
}
C
expect good 0

cat >a/public.h <<'C'
void seven(int a, int b, int c,
           int (*d)(int, int), int e /* , */, int f,
           int g);
typedef void Kernel(int a, int b, int c, int d, int e, int f, int g);
struct Table { void (*run)(int, int, int, int, int, int, int); int (*plain)(int); };
void takes(void (*call)(int, int, int, int, int, int, int, ...));
static inline int LANE_NAME(twin)(int a, int b, int c, int d, int e, int f, int g) { return a; }
C
printf 'void seven(int a, int b, int c, int (*d)(int, int), int e, int f, int g) {}\n' >a/public.c
printf 'void other(int a, int b, int c, int d, int e, int f, int g) {}\n' >>a/public.c
expect public 1 'a/public.h:1: seven has 7 parameters' 'a/public.h:4: Kernel has 7 parameters' \
    'a/public.h:5: run has 7 parameters' 'a/public.h:6: call has 8 parameters' 'a/public.h:7: twin has 7 parameters' \
    'a/public.c:2: other has 7 parameters'

# wide NUMBER...: functions with seven parameters, fNUMBER
wide() {
    for i in "$@"; do
        printf 'static int f%s(int a, int b, int c, int d, int e, int f, int g) { return a; }\n' "$i"
    done
}
wide 1 2 3 4 5 6 7 8 9 >a/others.c
expect 'nine others' 0
wide 1 2 3 4 5 >a/x.c
cp a/x.c a/y.c
expect 'ten others' 1 "$(for f in x y; do for i in 1 2 3 4 5; do echo "a/$f.c:$i: f$i has 7 parameters"; done; done)" \
    '10 functions that are not public have more than 6 parameters: at most 9 may'

cat >a/ladder.c <<'C'
int f(void)
{
    if (!a || !b->c || !*d ||
        !e[1].f || !(*g))
        return 1;
    status = a && b->c && c && d[2] && *e ? 0 : fail(a == NULL || b == NULL || !c || !d || e->f == NULL);
    while (x && (!a || !b || !c || !d || !f(e)))
        x = 0;
}
C
expect ladder 1 'a/ladder.c:3: a ladder of 5 null checks: take from an arena, ask once' \
    'a/ladder.c:6: a ladder of 5 null checks: take from an arena, ask once' \
    'a/ladder.c:6: a ladder of 5 null checks: take from an arena, ask once'

awk 'BEGIN { for (i = 0; i < 120; i++) s = s "x"; print "/* ä */"; print s; print s "ä" }' >a/line.c
mkdir tests
cp a/line.c tests/line.c
expect line 1 'a/line.c:3: a line of 121 characters' 'tests/line.c:3: a line of 121 characters'
rm -r tests

for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf '#include "a/h%s.h"\n' $i; done >a/twelve.c
{ cat a/twelve.c; printf '#include <stdio.h>\n  # include "a/h13.h"\n'; } >a/thirteen.c
expect includes 1 'a/thirteen.c: includes 13 headers of the project'

mkdir a/b a/c
: >a/b/plant.h
: >a/c/plant.h
expect names 1 'a/c/plant.h: a/b/plant.h has the same name'

printf 'int f(Status s)\n{\n    return s == STATUS_OK;\n}\nStatus g(void) { return STATUS_OK; }\n' >a/status.c
expect statuses 1 'a/status.c:3: a status compared with STATUS_OK: test it as a truth value'

printf 'int f(void) { return (1; }\n' >a/open.c
expect unbalanced 1 "a/open.c: line 1: '}' closes nothing"
expect nothing 1 'no sources in a'

[ "$failed" -eq 0 ] && echo "checks: functions: every planted error is found"
exit $failed
