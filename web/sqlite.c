/* SQLite calls as SQL text, see include/sqlite3.h: a database is a growing SQL script; a statement is its text and the
 * literals of its bound values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

struct sqlite3_stmt {
    sqlite3 *db;
    char *sql;    /* owned */
    int count;
    char **value; /* [count] owned literals; NULL for SQL NULL */
};

/* Counts the parameters. Statements of an index contain no question marks except parameters. */
static int count_values(const char *sql)
{
    int count = 0;
    for (; *sql; sql++)
        count += *sql == '?';
    return count;
}

int sqlite3_prepare_v3(sqlite3 *db, const char *sql, int size, unsigned flags, sqlite3_stmt **out, const char **rest)
{
    (void)size;
    (void)flags;
    (void)rest;
    int count = count_values(sql);
    sqlite3_stmt *made = calloc(1, sizeof *made);
    if (made)
        *made = (sqlite3_stmt){db, strdup(sql), count, calloc((size_t)count + 1, sizeof *made->value)};
    *out = made;
    return made && made->sql && made->value ? SQLITE_OK : SQLITE_NOMEM;
}

/* Stores a literal, which the statement owns until the parameter is bound again. */
static int keep(sqlite3_stmt *statement, int index, char *literal)
{
    free(statement->value[index - 1]);
    statement->value[index - 1] = literal;
    return literal ? SQLITE_OK : SQLITE_NOMEM;
}

int sqlite3_bind_null(sqlite3_stmt *statement, int index)
{
    keep(statement, index, NULL);
    return SQLITE_OK;
}

/* For the first parameter also sets the ID of the last row: in tables with an ID it is the first column. */
int sqlite3_bind_int64(sqlite3_stmt *statement, int index, sqlite3_int64 value)
{
    char *literal;
    if (index == 1)
        statement->db->last = value;
    return keep(statement, index, asprintf(&literal, "%lld", value) < 0 ? NULL : literal);
}

/* Prints with an exponent, so that SQLite parses a real number. NaN becomes NULL, as in SQLite; infinity becomes a
 * literal that overflows. */
int sqlite3_bind_double(sqlite3_stmt *statement, int index, double value)
{
    char *literal;
    if (isnan(value))
        return sqlite3_bind_null(statement, index);
    if (isinf(value))
        return keep(statement, index, strdup(value > 0 ? "9e999" : "-9e999"));
    return keep(statement, index, asprintf(&literal, "%.17e", value) < 0 ? NULL : literal);
}

int sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text, int size, sqlite3_destructor_type release)
{
    (void)size;
    (void)release;
    if (!text)
        return sqlite3_bind_null(statement, index);
    char *literal = malloc(2 * strlen(text) + 3), *to = literal;
    if (!literal)
        return SQLITE_NOMEM;
    *to++ = '\'';
    for (; *text; text++) {
        if (*text == '\'')
            *to++ = '\'';
        *to++ = *text;
    }
    *to++ = '\'';
    *to = 0;
    return keep(statement, index, literal);
}

int sqlite3_bind_blob64(sqlite3_stmt *statement, int index, const void *bytes, unsigned long long size,
                        sqlite3_destructor_type release)
{
    static const char digit[] = "0123456789abcdef";
    const unsigned char *at = bytes;
    char *literal = malloc(2 * (size_t)size + 4), *to = literal;
    (void)release;
    if (!literal)
        return SQLITE_NOMEM;
    *to++ = 'x';
    *to++ = '\'';
    for (size_t i = 0; i < (size_t)size; i++) {
        *to++ = digit[at[i] >> 4];
        *to++ = digit[at[i] & 15];
    }
    *to++ = '\'';
    *to = 0;
    return keep(statement, index, literal);
}

/* Appends the statement to the script, with each ? replaced by its literal. */
int sqlite3_step(sqlite3_stmt *statement)
{
    int index = 0;
    for (const char *at = statement->sql; *at; at++) {
        const char *value = *at == '?' ? statement->value[index++] : NULL;
        if (*at != '?')
            putc(*at, statement->db->script);
        else
            fputs(value ? value : "NULL", statement->db->script);
    }
    fputs(";\n", statement->db->script);
    return SQLITE_DONE;
}

int sqlite3_finalize(sqlite3_stmt *statement)
{
    if (!statement)
        return SQLITE_OK;
    for (int i = 0; statement->value && i < statement->count; i++)
        free(statement->value[i]);
    free(statement->value);
    free(statement->sql);
    free(statement);
    return SQLITE_OK;
}

int sqlite3_exec(sqlite3 *db, const char *sql, int (*row)(void *, int, char **, char **), void *context, char **error)
{
    (void)row;
    (void)context;
    (void)error;
    fprintf(db->script, "%s;\n", sql);
    return SQLITE_OK;
}

int sqlite3_reset(sqlite3_stmt *statement)
{
    (void)statement;
    return SQLITE_OK;
}

sqlite3_int64 sqlite3_last_insert_rowid(sqlite3 *db)
{
    return db->last;
}

sqlite3 *sqlite3_db_handle(sqlite3_stmt *statement)
{
    return statement->db;
}

const char *sqlite3_errmsg(sqlite3 *db)
{
    (void)db;
    return "out of memory";
}

int sqlite3_system_errno(sqlite3 *db)
{
    (void)db;
    return 0;
}
