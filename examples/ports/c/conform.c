/* Speaks the protocol of docs/conformance.md for slotkey.h. */

#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slotkey.h"

enum { FIELDS = 5 }; /* number, operation, and at most three more */

static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/* Decodes a field in place. */
static struct slotkey_bytes bytes(char *field)
{
    struct slotkey_bytes b = {(unsigned char *)field, strlen(field) / 2};
    if (strcmp(field, "-") == 0) b.data = NULL;
    for (size_t i = 0; b.data != NULL && i < b.len; i++) field[i] = (char)(digit(field[2 * i]) << 4 | digit(field[2 * i + 1]));
    return b;
}

static long long number(const char *field) { return strtoll(field, NULL, 10); }

static void print_hashes(struct slotkey_bytes key)
{
    printf("%08" PRIx32 "\t%08" PRIx32, slotkey_fnv1a32(key.data, key.len), slotkey_hash32(key.data, key.len));
}

static void print_key(struct slotkey_bytes key)
{
    if (key.data == NULL) putchar('-');
    for (size_t i = 0; i < key.len; i++) printf("%02x", key.data[i]);
}

static void answer(char **f, int fields)
{
    static int holder[SLOTKEY_MAX_SIZE];
    const char *operation = f[1];
    if (strcmp(operation, "hash") == 0 && fields == 3) {
        print_hashes(bytes(f[2]));
    } else if (strcmp(operation, "slot") == 0 && fields == 4) {
        struct slotkey_bytes key = bytes(f[2]);
        int slot = slotkey_slot(key.data, key.len, number(f[3]));
        if (slot < 0) {
            printf("error\tsize %s is not 1 to %d", f[3], SLOTKEY_MAX_SIZE);
            return;
        }
        print_hashes(key);
        printf("\t%d", slot);
    } else if (strcmp(operation, "owns") == 0 && fields == 5) {
        struct slotkey_bytes key = bytes(f[2]);
        int owns = slotkey_owns(key.data, key.len, number(f[3]), number(f[4]));
        if (owns < 0) printf("error\tthere is no index %s of %s", f[4], f[3]);
        else fputs(owns ? "true" : "false", stdout);
    } else if (strcmp(operation, "key") == 0 && fields == 4) {
        print_key(slotkey_routing_key(bytes(f[2]), bytes(f[3])));
    } else if (strcmp(operation, "deal") == 0 && fields == 4) {
        if (slotkey_deal(number(f[2]), number(f[3]), holder) < 0) {
            printf("error\t%s members cannot share %s slots", f[3], f[2]);
            return;
        }
        for (int s = 0; s < number(f[2]); s++) printf("%s%d", s > 0 ? "," : "", holder[s]);
    } else {
        fputs("error\tunknown request", stdout);
    }
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    printf("slotkey-port/1\tC\tgcc %s\tnul bytes deal\n", __VERSION__);
    fflush(stdout);
    for (ssize_t len; (len = getline(&line, &room, stdin)) > 0;) {
        char *f[FIELDS] = {line};
        int fields = 1;
        if (line[len - 1] == '\n') line[len - 1] = '\0';
        for (char *tab = line; fields < FIELDS && (tab = strchr(tab, '\t')) != NULL;) {
            *tab++ = '\0';
            f[fields++] = tab;
        }
        if (fields < 2) return 1;
        printf("%s\t", f[0]);
        answer(f, fields);
        putchar('\n');
    }
    free(line);
    return fflush(stdout) == 0 && !ferror(stdin) ? 0 : 1;
}
