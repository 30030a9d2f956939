/* See source_table.h. */
#include "formats/source/source_table.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define ADDRESS(name) &source_##name,
static const SourceFormat *const formats[] = {SOURCES(ADDRESS) NULL};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

const SourceFormat *source_at(int index)
{
    int count = 0;
    while (count < index && formats[count])
        count++;
    return formats[count];
}

/* ---- Words ---- */

/* Lists the formats, or only those that have a repair; returns their number. */
static int list_formats(int repaired, const SourceFormat *listed[FORMAT_COUNT])
{
    int count = 0;
    for (int i = 0; formats[i]; i++)
        if (!repaired || formats[i]->repair)
            listed[count++] = formats[i];
    return count;
}

static void put_names(FILE *stream, int repaired)
{
    const SourceFormat *listed[FORMAT_COUNT] = {0};
    int count = list_formats(repaired, listed);
    for (int i = 0; i < count; i++)
        fprintf(stream, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", listed[i]->name);
}

static void put_files(FILE *stream, int repaired)
{
    const SourceFormat *listed[FORMAT_COUNT] = {0};
    int count = list_formats(repaired, listed);
    for (int i = 0; i < count; i++)
        fprintf(stream, "%sFILE%s", i == 0 ? "" : "|", listed[i]->endings[0]);
}

/* The formats are too many to be listed in a line of usage: SOURCE_MOTION_NOTE lists them. */
static void put_motion(FILE *stream, int repaired)
{
    (void)repaired;
    fputs("MOTION", stream);
}

static const struct {
    const char *word;
    void (*put)(FILE *stream, int repaired);
    int repaired;
} words[] = {
    {"{motion}", put_names, 0}, {"{motion-files}", put_motion, 0},
    {"{repair}", put_names, 1}, {"{repair-files}", put_files, 1},
};
enum { WORD_COUNT = sizeof words / sizeof *words };

/* Writes the word that begins at text and returns its length; 0 if there is none. */
static size_t put_word(FILE *stream, const char *text)
{
    for (int i = 0; *text == '{' && i < WORD_COUNT; i++)
        if (strncmp(text, words[i].word, strlen(words[i].word)) == 0) {
            words[i].put(stream, words[i].repaired);
            return strlen(words[i].word);
        }
    return 0;
}

const char *source_words(const char *text, char out[SOURCE_WORDS_SIZE])
{
    FILE *stream = fmemopen(out, SOURCE_WORDS_SIZE, "w");
    out[0] = 0;
    if (!stream)
        return text;
    while (*text) {
        size_t length = put_word(stream, text);
        if (length == 0)
            putc(*text, stream);
        text += length ? length : 1;
    }
    fclose(stream);
    out[SOURCE_WORDS_SIZE - 1] = 0;
    return out;
}

const SourceFormat *source_of_front(const char *front, size_t size)
{
    for (const SourceFormat *const *format = formats; *format; format++)
        if ((*format)->begins(front, size))
            return *format;
    return NULL;
}

static size_t ending_length(const SourceFormat *format, const char *name, size_t length)
{
    for (const char *const *ending = format->endings; *ending; ending++) {
        size_t size = strlen(*ending);
        if (length > size && strncasecmp(name + length - size, *ending, size) == 0)
            return size;
    }
    return 0;
}

const SourceFormat *source_of_name(const char *name, size_t length)
{
    for (const SourceFormat *const *format = formats; *format; format++)
        if (ending_length(*format, name, length) > 0)
            return *format;
    return NULL;
}

int source_has_ending(const char *name)
{
    return source_of_name(name, strlen(name)) != NULL;
}

size_t source_stem(const char *name, size_t length)
{
    const SourceFormat *format = source_of_name(name, length);
    return length - (format ? ending_length(format, name, length) : 0);
}

const FindingInfo *source_finding(const SourceFormat *format, int kind)
{
    return kind < FINDING_KIND_COUNT ? finding_info(kind) : &format->kinds[kind - FINDING_KIND_COUNT];
}

const FindingInfo *source_finding_named(const char *name, size_t length)
{
    for (const SourceFormat *const *format = formats; *format; format++)
        for (int kind = 0; kind < FINDING_KIND_COUNT + (*format)->kind_count; kind++) {
            const FindingInfo *info = source_finding(*format, kind);
            if (strlen(info->name) == length && strncmp(info->name, name, length) == 0)
                return info;
        }
    return NULL;
}
