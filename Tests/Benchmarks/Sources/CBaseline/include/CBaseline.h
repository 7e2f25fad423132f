#ifndef FOLIO_BASELINE_H
#define FOLIO_BASELINE_H

#include <stddef.h>
#include <stdint.h>

#include "Load.h"

/// The engine's version, such as "LMDB 0.9.24".
const char *baseline_engine(void);

/// What an error code of the functions below means.
const char *baseline_text(int code);

/// Called with each record: the number of its database in the order of their names, its key, its
/// value.
typedef void (*baseline_record)(void *context, int database, const void *key, size_t key_bytes,
                                const void *value, size_t value_bytes);

/// Called with each database that has a name, in the order of the names, before its records.
typedef void (*baseline_name)(void *context, const char *name);

/// Reads every record of the data file in `folder`, which may be open elsewhere while nobody writes.
///
/// 0, or an error code.
int baseline_dump(const char *folder, void *context, baseline_name name, baseline_record record);

/// Called with each database, the unnamed one as "", and the bytes of the pages in use for it.
typedef void (*baseline_size)(void *context, const char *name, size_t bytes);

/// Tells what the pages of each database of the data file in `folder` take, as `baseline_dump` reads.
///
/// 0, or an error code.
int baseline_sizes(const char *folder, void *context, baseline_size size);

/// A put, or a deletion, within the bytes of a script.
struct baseline_step {
  /// The number of the database, in the order of their names.
  int database;
  int is_deletion;
  size_t key_start;
  size_t key_bytes;
  size_t value_start;
  size_t value_bytes;
};

/// An environment of the engine, with all databases it has opened.
struct baseline;

/// Opens the environment of `folder` with the engine's default flags, which are the durable ones.
///
/// 0, or an error code.
int baseline_open(const char *folder, size_t map_bytes, struct baseline **opened);

/// Closes it.
void baseline_close(struct baseline *baseline);

/// Runs write transactions, each with its steps in order, each committed before the next begins.
///
/// `ends` has for each transaction the number of the step after its last; the first one begins with
/// step `first`. `nanoseconds` is what all of them took together.
///
/// 0, or an error code.
int baseline_replay(struct baseline *baseline, const unsigned char *bytes,
                    const struct baseline_step *steps, size_t first, const size_t *ends,
                    size_t transactions, int64_t *nanoseconds);

/// Gets the keys of some steps, in the order of `wanted`, in one read transaction, and calls `record`
/// with each.
///
/// 0, or an error code.
int baseline_get(struct baseline *baseline, const unsigned char *bytes,
                 const struct baseline_step *steps, const size_t *wanted, size_t count,
                 void *context, baseline_record record);

/// Makes a terminal for a program to show its progress on: gives the end to read from, and in
/// `program` the other one. -1 where none is to be had.
int baseline_terminal(int *program);

#endif
