// The system's calls that change files, each standing between a program and the C library.
//
// A program that this is linked into calls these in place of the library's, and so do the libraries
// it uses. Until it is told to watch a folder, every call goes straight through. Linux alone.
#ifndef FOLIO_CRASH_INTERPOSER_H
#define FOLIO_CRASH_INTERPOSER_H

#include <stdint.h>

// Kinds of calls. Making a link counts as a rename.
enum {
  crash_call_any = -1,
  crash_call_open = 0,
  crash_call_write = 1,
  crash_call_sync = 2,
  crash_call_rename = 3,
  crash_call_truncate = 4,
  crash_call_unlink = 5,
  crash_call_make_folder = 6,
  crash_call_kinds = 7
};

// What happens at a call.
enum {
  crash_act_nothing = 0,
  // It fails with the error given.
  crash_act_fail = 1,
  // A write does its first pages, and says so; one that has no first page, and every other call,
  // fails with the error given.
  crash_act_short = 2,
  // The process is killed before the call, after the first pages of a write, or after the call.
  crash_act_kill_before = 3,
  crash_act_kill_half = 4,
  crash_act_kill_after = 5,
  // It is done, and says that it failed with the error given: as where a device fails late.
  crash_act_fail_late = 6
};

// What a recording leaves out, so that what reads it can be seen to notice.
enum {
  crash_lie_files_not_synced = 1,
  crash_lie_folders_not_synced = 2,
  crash_lie_synced_writes = 4
};

// Calls on files opened from now on below that folder, and on names below it, count.
void crash_watch(const char *folder);

// Writes down every call below the folder from now on; see interposer.c for the form. 0, or an errno.
int crash_record(const char *path, int lies);

// Writes a mark into the recording.
void crash_mark(uint64_t number);

// Makes the calls of a kind act, from the given one on (1 is the next) and that many times.
void crash_arm(int call, long number, int action, int error, long times);

// Lets all calls through, and says how often one acted.
long crash_disarm(void);

// How many calls of a kind there were since the watch began.
long crash_count(int call);

// Forks a process that has one thread.
int crash_fork(void);

// Shuts the file system of a folder down, its journal not written. 0, or an errno.
int crash_shut_down(const char *folder);

// Blocks of 128 KiB and more come from the system from now on, which gives them as zeros, and never
// from the heap, where they are made zeros again each time.
void crash_take_blocks_from_system(void);

#endif
