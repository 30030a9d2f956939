# Converts a table of data/ to a C array that is compiled into the program.
# usage: LC_ALL=C awk -v types=sen -v row=RoleWord -v array=role_words -v enum=ROLE_ \
#            -v header=analysis/body/role_name.h -f scripts/tsv_to_c.awk data/roles.tsv
#
# types: one letter per leading column: s text, n number, e an enum member (prefix + the name in capitals, with '_' for
# anything but letters and digits); enum lists the prefixes of the e columns, separated by commas. Further columns are
# for readers. Rows are sorted by their columns, so that text tables can be searched by bisection. -v index_by=1: the
# first column, an enum member, is the index of the row. -v struct=NAME (types sn): the table is one C struct of
# doubles, the constant `array`, with one row per member; -v list=1 adds `array`_list, ConstantName rows with the member
# names. A member without a row does not compile.
BEGIN { FS = "\t"; count = 0; columns = length(types); split(enum, prefix, ",") }
/^#/ || /^[ \t]*$/ { next }
!header_seen { header_seen = 1; next }
NF < columns {
    printf "%s:%d: %d columns wanted, %d found\n", FILENAME, FNR, columns, NF > "/dev/stderr"
    bad = 1
    exit 1
}
{
    text = ""; enums = 0
    for (i = 1; i <= columns; i++) {
        kind = substr(types, i, 1)
        value = $i
        if (kind == "s") { gsub(/[\\"]/, "\\\\&", value); value = "\"" value "\"" }
        if (kind == "e") { gsub(/[^A-Za-z0-9]/, "_", value); value = prefix[++enums] toupper(value) }
        text = text (i > 1 ? ", " : "") value
    }
    # insertion sort by the text of the first column, then by the others
    for (at = count; at > 0 && (first[at] > $1 || (first[at] == $1 && rows[at] > text)); at--) {
        first[at + 1] = first[at]; rows[at + 1] = rows[at]
    }
    first[at + 1] = $1 ""; rows[at + 1] = text; count++
}
END {
    if (bad) exit 1
    printf "/* Made from %s by scripts/tsv_to_c.awk. */\n#include \"%s\"\n\n", FILENAME, header
    if (struct != "") {
        printf "const %s %s = {\n", struct, array
        for (i = 1; i <= count; i++) { split(rows[i], cell, /[", ]+/); printf "    .%s = %s,\n", cell[2], cell[3] }
        printf "};\n"
        if (list) {
            printf "const ConstantName %s_list[] = {\n", array
            for (i = 1; i <= count; i++) { split(rows[i], cell, /[", ]+/); printf "    {\"%s\", offsetof(%s, %s)},\n", cell[2], struct, cell[2] }
            printf "};\nconst int %s_count = %d;\n", array, count
        }
        printf "_Static_assert(sizeof(%s) == %d * sizeof(double), \"a row for every member of %s\");\n", struct, count, struct
        exit
    }
    printf "const %s %s[] = {\n", row, array
    for (i = 1; i <= count; i++) {
        if (index_by) { at = index(rows[i], ", "); printf "    [%s] = {%s},\n", substr(rows[i], 1, at - 1), substr(rows[i], at + 2) }
        else printf "    {%s},\n", rows[i]
    }
    printf "};\n"
    if (index_by) { printf "_Static_assert(sizeof %s / sizeof *%s == %d, \"a row for every index\");\n", array, array, count; exit }
    printf "const int %s_count = %d;\n", array, count
}
