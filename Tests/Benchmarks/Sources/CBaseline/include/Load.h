#ifndef FOLIO_LOAD_H
#define FOLIO_LOAD_H

#include <stddef.h>
#include <stdint.h>

/// How the end of an answer is known, and whether it is the one that was hoped for.
enum load_protocol {
  /// A line of ours; it ends with the mark, at most 64 bytes.
  load_folio,
  /// A line of RESP; it begins with the mark.
  load_redis,
  /// Messages of PostgreSQL up to the one that says it is ready for the next query; none of them is
  /// an error.
  load_postgres,
};

/// A client: a socket on which everything before the load was said, and which requests are its own.
struct load_client {
  int descriptor;
  /// The number of its first request among all.
  size_t first;
  size_t count;
};

/// The requests of all clients, one after the other: each starts where the one before it ends.
struct load_requests {
  const unsigned char *bytes;
  const size_t *ends;
};

/// What a load came to.
struct load_outcome {
  /// From the first request to the last answer.
  int64_t nanoseconds;
  /// How many bytes the answers had.
  uint64_t answer_bytes;
  /// The beginning of the answer that was another one, where the result is -1.
  char fault[256];
};

/// Lets all clients ask at once, each with one request in flight, until each has all its answers.
///
/// One thread, one epoll: the same for every server, so that none is measured by its client library.
/// `latencies` takes the nanoseconds from each request to the end of its answer, in the order of the
/// answers. 0, the number of an error of the system, or -1 where an answer was not the one hoped for.
int load_run(enum load_protocol protocol, const char *mark, const struct load_requests *requests,
             const struct load_client *clients, size_t client_count, int64_t *latencies,
             struct load_outcome *outcome);

/// Connects to a port of 127.0.0.1, and gives the socket; below 0, the number of the error.
int load_connect(int port);

/// A port of 127.0.0.1 that nobody has; 0 where none is to be had.
int load_free_port(void);

/// Raises the number of descriptors that this process may have to what the system lets it; gives it.
uint64_t load_raise_descriptors(void);

#endif
