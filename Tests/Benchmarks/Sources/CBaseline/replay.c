#include "CBaseline.h"

#include <lmdb.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { databases_max = 64, name_max = 512 };

struct baseline {
  MDB_env *env;
  MDB_dbi dbis[databases_max];
  int count;
};

const char *baseline_engine(void) { return mdb_version(NULL, NULL, NULL); }

const char *baseline_text(int code) { return mdb_strerror(code); }

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Opens each database that the unnamed one has a record of. */
static int open_databases(MDB_txn *txn, struct baseline *baseline, void *context,
                          baseline_name name) {
  MDB_dbi main;
  MDB_cursor *cursor;
  MDB_val key, value;
  char text[name_max];
  int code = mdb_dbi_open(txn, NULL, 0, &main);
  if (code) return code;
  if ((code = mdb_cursor_open(txn, main, &cursor))) return code;
  while (!(code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT))) {
    if (baseline->count == databases_max || key.mv_size >= name_max) {
      code = MDB_DBS_FULL;
      break;
    }
    memcpy(text, key.mv_data, key.mv_size);
    text[key.mv_size] = 0;
    if ((code = mdb_dbi_open(txn, text, 0, &baseline->dbis[baseline->count]))) break;
    baseline->count++;
    if (name) name(context, text);
  }
  mdb_cursor_close(cursor);
  return code == MDB_NOTFOUND ? 0 : code;
}

static int open_environment(const char *folder, size_t map_bytes, unsigned flags,
                            struct baseline *baseline) {
  int code = mdb_env_create(&baseline->env);
  if (code) return code;
  mdb_env_set_maxdbs(baseline->env, databases_max);
  if (map_bytes) mdb_env_set_mapsize(baseline->env, map_bytes);
  code = mdb_env_open(baseline->env, folder, flags, 0600);
  if (code) mdb_env_close(baseline->env);
  return code;
}

static int dump_database(MDB_txn *txn, MDB_dbi dbi, int number, void *context,
                         baseline_record record) {
  MDB_cursor *cursor;
  MDB_val key, value;
  int code = mdb_cursor_open(txn, dbi, &cursor);
  if (code) return code;
  while (!(code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)))
    record(context, number, key.mv_data, key.mv_size, value.mv_data, value.mv_size);
  mdb_cursor_close(cursor);
  return code == MDB_NOTFOUND ? 0 : code;
}

int baseline_dump(const char *folder, void *context, baseline_name name, baseline_record record) {
  struct baseline baseline = {0};
  MDB_txn *txn;
  /* Without the lock file, so that the locks of whoever has the folder open are left alone. */
  int code = open_environment(folder, 0, MDB_RDONLY | MDB_NOLOCK, &baseline);
  if (code) return code;
  if (!(code = mdb_txn_begin(baseline.env, NULL, MDB_RDONLY, &txn))) {
    code = open_databases(txn, &baseline, context, name);
    for (int number = 0; !code && number < baseline.count; number++)
      code = dump_database(txn, baseline.dbis[number], number, context, record);
    mdb_txn_abort(txn);
  }
  mdb_env_close(baseline.env);
  return code;
}

struct sizes {
  void *context;
  baseline_size size;
  MDB_txn *txn;
};

static void size_of(MDB_txn *txn, MDB_dbi dbi, const char *name, const struct sizes *sizes) {
  MDB_stat stat;
  if (mdb_stat(txn, dbi, &stat)) return;
  size_t pages = stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages;
  sizes->size(sizes->context, name, pages * stat.ms_psize);
}

static void size_of_named(void *context, const char *name) {
  const struct sizes *sizes = context;
  MDB_dbi dbi;
  if (!mdb_dbi_open(sizes->txn, name, 0, &dbi)) size_of(sizes->txn, dbi, name, sizes);
}

int baseline_sizes(const char *folder, void *context, baseline_size size) {
  struct baseline baseline = {0};
  struct sizes sizes = {context, size, NULL};
  int code = open_environment(folder, 0, MDB_RDONLY | MDB_NOLOCK, &baseline);
  if (code) return code;
  if (!(code = mdb_txn_begin(baseline.env, NULL, MDB_RDONLY, &sizes.txn))) {
    MDB_dbi main;
    code = open_databases(sizes.txn, &baseline, &sizes, size_of_named);
    if (!code && !(code = mdb_dbi_open(sizes.txn, NULL, 0, &main)))
      size_of(sizes.txn, main, "", &sizes);
    mdb_txn_abort(sizes.txn);
  }
  mdb_env_close(baseline.env);
  return code;
}

int baseline_open(const char *folder, size_t map_bytes, struct baseline **opened) {
  struct baseline *baseline = calloc(1, sizeof *baseline);
  MDB_txn *txn;
  int code = open_environment(folder, map_bytes, 0, baseline);
  if (!code) {
    if (!(code = mdb_txn_begin(baseline->env, NULL, 0, &txn))) {
      if ((code = open_databases(txn, baseline, NULL, NULL)))
        mdb_txn_abort(txn);
      else
        code = mdb_txn_commit(txn);
    }
    if (code) mdb_env_close(baseline->env);
  }
  if (code)
    free(baseline);
  else
    *opened = baseline;
  return code;
}

void baseline_close(struct baseline *baseline) {
  mdb_env_close(baseline->env);
  free(baseline);
}

static int run(struct baseline *baseline, const unsigned char *bytes,
               const struct baseline_step *steps, size_t first, size_t end) {
  MDB_txn *txn;
  int code = mdb_txn_begin(baseline->env, NULL, 0, &txn);
  if (code) return code;
  for (size_t i = first; i < end; i++) {
    const struct baseline_step *step = &steps[i];
    MDB_dbi dbi = baseline->dbis[step->database];
    MDB_val key = {step->key_bytes, (void *)(bytes + step->key_start)};
    MDB_val value = {step->value_bytes, (void *)(bytes + step->value_start)};
    code = step->is_deletion ? mdb_del(txn, dbi, &key, NULL) : mdb_put(txn, dbi, &key, &value, 0);
    if (code) {
      mdb_txn_abort(txn);
      return code;
    }
  }
  return mdb_txn_commit(txn);
}

int baseline_replay(struct baseline *baseline, const unsigned char *bytes,
                    const struct baseline_step *steps, size_t first, const size_t *ends,
                    size_t transactions, int64_t *nanoseconds) {
  int64_t begin = now();
  for (size_t i = 0; i < transactions; i++) {
    int code = run(baseline, bytes, steps, first, ends[i]);
    if (code) return code;
    first = ends[i];
  }
  *nanoseconds = now() - begin;
  return 0;
}

int baseline_get(struct baseline *baseline, const unsigned char *bytes,
                 const struct baseline_step *steps, const size_t *wanted, size_t count,
                 void *context, baseline_record record) {
  MDB_txn *txn;
  int code = mdb_txn_begin(baseline->env, NULL, MDB_RDONLY, &txn);
  if (code) return code;
  for (size_t i = 0; !code && i < count; i++) {
    const struct baseline_step *step = &steps[wanted[i]];
    MDB_val key = {step->key_bytes, (void *)(bytes + step->key_start)};
    MDB_val value;
    if ((code = mdb_get(txn, baseline->dbis[step->database], &key, &value))) break;
    record(context, step->database, key.mv_data, key.mv_size, value.mv_data, value.mv_size);
  }
  mdb_txn_abort(txn);
  return code;
}
