// Calls of Linux that Swift's module Glibc leaves out, and a variable that it cannot show.
#ifndef FOLIO_CSYSTEM_SHIM_H
#define FOLIO_CSYSTEM_SHIM_H
#ifdef __linux__
#include <errno.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/socket.h>
// The headers show these two only to a program that asks for GNU extensions.
int pipe2(int descriptors[2], int flags);
int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
int close(int descriptor);
// The headers show this, too, only to a program that asks for GNU extensions.
static const int folio_set_pipe_size = 1031;
/// A descriptor that can be read once the file is written to; below 0 and errno where it fails. Here
/// since its constants come to Swift as numbers of another type.
static inline int folio_watch(const char *path) {
  int descriptor = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (descriptor < 0 || inotify_add_watch(descriptor, path, IN_MODIFY) >= 0) return descriptor;
  int code = errno;
  close(descriptor);
  errno = code;
  return -1;
}
#endif

#include <stdint.h>
#include <time.h>
/// The nanoseconds that a clock of the system tells. Read here: in an optimised build Swift finds the
/// members of a timespec in a module that nobody can import.
static inline int64_t folio_clock_nanoseconds(clockid_t clock) {
  struct timespec time = {0, 0};
  // It fails only for a clock that does not exist.
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// The local time of a moment, in the zone that the variable TZ names, as YYYY-MM-DD HH:MM:SS ZONE;
/// how many bytes it has, 0 where it cannot be told.
static inline size_t folio_local_time(int64_t seconds, char *text, size_t capacity) {
  time_t moment = (time_t)seconds;
  struct tm parts;
  if (localtime_r(&moment, &parts) == NULL) return 0;
  return strftime(text, capacity, "%Y-%m-%d %H:%M:%S %Z", &parts);
}

/// How many seconds the zone in use is ahead of UTC at a moment; 0 where it cannot be told.
static inline int64_t folio_zone_offset(int64_t seconds) {
  time_t moment = (time_t)seconds;
  struct tm parts;
  return localtime_r(&moment, &parts) == NULL ? 0 : (int64_t)parts.tm_gmtoff;
}

#include <sys/resource.h>
/// Raises the number of descriptors that this process may have at once as far as the system lets it,
/// to `wanted` at most, and never lowers it; gives the number. Here since the name of the limit comes
/// to Swift as another type on every system.
static inline uint64_t folio_raise_descriptors(uint64_t wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  if (limit.rlim_cur >= wanted) return limit.rlim_cur;
  rlim_t before = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : before;
}

extern char **environ;
/// The variables that a program started now would inherit.
static inline char **folio_environment(void) { return environ; }
#endif
