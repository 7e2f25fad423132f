#ifndef FOLIO_BASELINE_H
#define FOLIO_BASELINE_H

#include <stddef.h>
#include <stdint.h>

/// A record that each transaction of the baseline puts: where, and how long its key and value are.
struct baseline_put {
  /// The number of the database, from 0.
  int database;
  size_t key_bytes;
  size_t value_bytes;
  /// Whether the key is new in each transaction, or the same in all.
  int fresh_key;
};

/// Runs `transactions` durable write transactions on a new LMDB environment in `folder`, each of
/// those puts, with the engine's default flags, and gives the nanoseconds that they took; negative
/// is an error of the engine.
int64_t baseline_save(const char *folder, const struct baseline_put *puts, size_t count,
                      int transactions);

#endif
