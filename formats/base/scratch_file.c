/* See scratch_file.h. */
#include "formats/base/scratch_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "analysis/base/arena.h"

enum { PAGE = 4096, RANGES = 256, PERIOD_US = 10000, TEXT = 8192 };

/* A mapping of the file in this process. */
typedef struct Range {
    uintptr_t begin, end;
    uint64_t offset; /* in the file */
} Range;

/* Of the process, as its allocator is: arrays are freed by free(), which reports nothing. The system's list of mappings
 * is therefore the only one. */
static struct {
    int descriptor; /* 0: none */
    unsigned long long inode;
    size_t resident;
} scratch;

/* ---- The list of mappings; called by a signal handler: no stdio, no memory ---- */

static uint64_t read_number(const char **at, unsigned base)
{
    uint64_t value = 0;
    for (;; (*at)++) {
        unsigned c = (unsigned char)**at, digit = c - '0' < 10 ? c - '0' : c - 'a' < 6 ? c - 'a' + 10 : base;
        if (digit >= base)
            return value;
        value = value * base + digit;
    }
}

/* Reads "begin-end rw-s offset device:device inode path"; returns 1 for a shared mapping of the file. */
static int read_range(const char *line, Range *range)
{
    range->begin = read_number(&line, 16);
    line++;
    range->end = read_number(&line, 16);
    int is_shared = strlen(line) > 5 && line[4] == 's';
    if (!is_shared)
        return 0;
    line += 6;
    range->offset = read_number(&line, 16);
    for (int i = 0; i < 2; i++) {
        line++;
        read_number(&line, 16);
    }
    line++;
    return read_number(&line, 10) == scratch.inode;
}

/* Moves the lines of text out, those of the file to range; returns the bytes of the last, incomplete line, which it
 * moves to the start. */
static size_t take_lines(char *text, size_t size, Range *range, int *count)
{
    char *line = text, *end;
    while ((end = memchr(line, '\n', size - (size_t)(line - text)))) {
        *end = 0;
        if (*count < RANGES && read_range(line, &range[*count]))
            ++*count;
        line = end + 1;
    }
    size_t rest = size - (size_t)(line - text);
    memmove(text, line, rest);
    return rest;
}

/* Lists the mappings of the file; returns their number. */
static int list_ranges(Range range[RANGES])
{
    char text[TEXT];
    size_t held = 0;
    ssize_t got;
    int count = 0, maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (maps < 0)
        return 0;
    while (held < sizeof text && (got = read(maps, text + held, sizeof text - held)) > 0)
        held = take_lines(text, held + (size_t)got, range, &count);
    close(maps);
    return count;
}

/* Bytes of the process in memory. */
static size_t resident_bytes(void)
{
    char text[128] = "";
    const char *at = text;
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    if (got <= 0)
        return 0;
    read_number(&at, 10); /* the size of the address space */
    at++;
    return read_number(&at, 10) * PAGE;
}

/* Takes the file's pages out of the process. They stay in the system's cache, or on disk. */
static void release(int signal)
{
    int before = errno;
    Range range[RANGES];
    (void)signal;
    if (resident_bytes() > scratch.resident)
        for (int i = 0, count = list_ranges(range); i < count; i++)
            (void)madvise((void *)range[i].begin, range[i].end - range[i].begin, MADV_DONTNEED);
    errno = before;
}

/* ---- Arrays ---- */

/* Returns the first place in the file without a mapping. */
static uint64_t find_place(uint64_t bytes)
{
    Range range[RANGES];
    int count = list_ranges(range), is_free = 0;
    uint64_t place = 0;
    while (!is_free) {
        is_free = 1;
        for (int i = 0; i < count; i++) {
            uint64_t end = range[i].offset + (range[i].end - range[i].begin);
            if (place < end && range[i].offset < place + bytes) {
                place = end;
                is_free = 0;
            }
        }
    }
    return place;
}

/* Zeroes and reserves bytes of the file, so that writing to a full disk fails here and not at the array. */
static int reserve(uint64_t place, uint64_t bytes)
{
    (void)fallocate(scratch.descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)place, (off_t)bytes);
    return fallocate(scratch.descriptor, 0, (off_t)place, (off_t)bytes) == 0;
}

/* Puts the whole pages of an array into the file; the ends, which the allocator's header shares, stay in memory. */
static int put_array(void *array, size_t bytes)
{
    uintptr_t first = ((uintptr_t)array + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    uintptr_t last = ((uintptr_t)array + bytes) & ~(uintptr_t)(PAGE - 1);
    if ((uintptr_t)array < (uintptr_t)sbrk(0)) /* in the heap, whose pages stay after free() */
        return 0;
    uint64_t place = find_place(last - first);
    return reserve(place, last - first) &&
           mmap((void *)first, last - first, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, scratch.descriptor,
                (off_t)place) != MAP_FAILED;
}

/* ---- The file ---- */

static int open_unnamed(const char *folder)
{
    char *path;
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0 || asprintf(&path, "%s/.kane-scratch-XXXXXX", folder) < 0)
        return file;
    if ((file = mkostemp(path, O_CLOEXEC)) >= 0)
        unlink(path);
    free(path);
    return file;
}

static void start_timer(long microseconds)
{
    struct itimerval timer = {{0, microseconds}, {0, microseconds}};
    struct sigaction action = {.sa_handler = microseconds ? release : SIG_IGN, .sa_flags = SA_RESTART};
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &timer, NULL);
}

void scratch_file_open(const char *folder, size_t resident)
{
    struct stat info;
    int file = open_unnamed(folder);
    if (file < 0 || fstat(file, &info)) {
        if (file >= 0)
            close(file);
        return;
    }
    scratch.descriptor = file;
    scratch.inode = info.st_ino;
    scratch.resident = resident;
    memory_back_large(put_array);
    start_timer(PERIOD_US);
}

void scratch_file_close(void)
{
    if (!scratch.descriptor)
        return;
    memory_back_large(NULL);
    start_timer(0);
    close(scratch.descriptor);
    scratch.descriptor = 0;
}
