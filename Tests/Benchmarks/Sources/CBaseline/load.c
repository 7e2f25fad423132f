#define _GNU_SOURCE
#include "Load.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { event_count = 256, buffer_size = 1 << 18, tail_max = 64 };

/* What is known of the answer that a client waits for. */
struct state {
  size_t next;
  int64_t asked_at;
  /* The last bytes of a line so far, since its end may come in two pieces; or its first one. */
  unsigned char tail[tail_max];
  size_t tail_bytes;
  /* PostgreSQL: the header of a message, and what is left of its content. */
  unsigned char header[5];
  size_t header_bytes;
  size_t content_left;
};

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int send_all(int descriptor, const unsigned char *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    bytes += sent;
    count -= (size_t)sent;
  }
  return 0;
}

struct load {
  enum load_protocol protocol;
  const char *mark;
  size_t mark_bytes;
  const struct load_requests *requests;
  const struct load_client *clients;
  struct state *states;
  int64_t *latencies;
  struct load_outcome *outcome;
  unsigned char *buffer;
  size_t answered;
};

static int ask(const struct load *load, size_t number) {
  const struct load_client *client = &load->clients[number];
  struct state *state = &load->states[number];
  size_t request = client->first + state->next;
  size_t start = request ? load->requests->ends[request - 1] : 0;
  state->next++;
  state->tail_bytes = 0;
  state->asked_at = now();
  return send_all(client->descriptor, load->requests->bytes + start,
                  load->requests->ends[request] - start);
}

static int failed(const struct load *load, size_t count) {
  struct load_outcome *outcome = load->outcome;
  if (count >= sizeof outcome->fault) count = sizeof outcome->fault - 1;
  memcpy(outcome->fault, load->buffer, count);
  outcome->fault[count] = 0;
  return -1;
}

/* Whether the answer has ended: 1, 0, or -1 where it is not the one hoped for. */
static int take_line(const struct load *load, struct state *state, size_t count) {
  const unsigned char *bytes = load->buffer;
  if (load->protocol == load_redis) {
    if (state->tail_bytes == 0) state->tail[state->tail_bytes++] = bytes[0];
    if (bytes[count - 1] != '\n') return 0;
    return state->tail[0] == (unsigned char)load->mark[0] ? 1 : failed(load, count);
  }
  size_t taken = count < tail_max ? count : tail_max;
  size_t kept = state->tail_bytes + taken > tail_max ? tail_max - taken : state->tail_bytes;
  memmove(state->tail, state->tail + state->tail_bytes - kept, kept);
  memcpy(state->tail + kept, bytes + count - taken, taken);
  state->tail_bytes = kept + taken;
  if (bytes[count - 1] != '\n') return 0;
  if (state->tail_bytes >= load->mark_bytes &&
      !memcmp(state->tail + state->tail_bytes - load->mark_bytes, load->mark, load->mark_bytes))
    return 1;
  return failed(load, count);
}

static int take_messages(const struct load *load, struct state *state, size_t all) {
  const unsigned char *bytes = load->buffer;
  size_t count = all;
  while (count > 0) {
    if (state->content_left > 0) {
      size_t taken = state->content_left < count ? state->content_left : count;
      state->content_left -= taken;
      bytes += taken;
      count -= taken;
    } else {
      state->header[state->header_bytes++] = *bytes++;
      count--;
      if (state->header_bytes < 5) continue;
      uint32_t length;
      memcpy(&length, state->header + 1, 4);
      state->content_left = ntohl(length) - 4;
      state->header_bytes = 0;
    }
    if (state->header_bytes == 0 && state->content_left == 0) {
      if (state->header[0] == 'E') return failed(load, all);
      if (state->header[0] == 'Z') return 1;
    }
  }
  return 0;
}

static int take(struct load *load, size_t number) {
  const struct load_client *client = &load->clients[number];
  struct state *state = &load->states[number];
  ssize_t count = recv(client->descriptor, load->buffer, buffer_size, MSG_DONTWAIT);
  if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : errno;
  if (count == 0) return ECONNRESET;
  load->outcome->answer_bytes += (uint64_t)count;
  int code = load->protocol == load_postgres ? take_messages(load, state, (size_t)count)
                                             : take_line(load, state, (size_t)count);
  if (code <= 0) return code;
  load->latencies[load->answered++] = now() - state->asked_at;
  return state->next < client->count ? ask(load, number) : 0;
}

static int run(struct load *load, int poll, size_t client_count, size_t total) {
  struct epoll_event events[event_count];
  for (size_t i = 0; i < client_count; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = i};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, load->clients[i].descriptor, &event)) return errno;
  }
  int64_t begin = now();
  for (size_t i = 0; i < client_count; i++) {
    int code = load->clients[i].count ? ask(load, i) : 0;
    if (code) return code;
  }
  while (load->answered < total) {
    int count = epoll_wait(poll, events, event_count, 30000);
    if (count == 0) return ETIMEDOUT;
    if (count < 0 && errno != EINTR) return errno;
    for (int i = 0; i < count; i++) {
      int code = take(load, events[i].data.u64);
      if (code) return code;
    }
  }
  load->outcome->nanoseconds = now() - begin;
  return 0;
}

int load_run(enum load_protocol protocol, const char *mark, const struct load_requests *requests,
             const struct load_client *clients, size_t client_count, int64_t *latencies,
             struct load_outcome *outcome) {
  memset(outcome, 0, sizeof *outcome);
  struct load load = {protocol, mark, strlen(mark), requests, clients,
                      NULL,     latencies, outcome, NULL, 0};
  size_t total = 0;
  for (size_t i = 0; i < client_count; i++) total += clients[i].count;
  int poll = epoll_create1(EPOLL_CLOEXEC);
  if (poll < 0) return errno;
  load.states = calloc(client_count, sizeof *load.states);
  load.buffer = malloc(buffer_size);
  int code = load.states && load.buffer ? run(&load, poll, client_count, total) : ENOMEM;
  free(load.buffer);
  free(load.states);
  close(poll);
  return code;
}

static struct sockaddr_in loopback(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  return address;
}

int load_connect(int port) {
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -errno;
  struct sockaddr_in address = loopback(port);
  int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address)) {
    int code = errno;
    close(descriptor);
    return -code;
  }
  return descriptor;
}

int load_free_port(void) {
  struct sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int code = descriptor < 0 || bind(descriptor, (struct sockaddr *)&address, size) ||
             getsockname(descriptor, (struct sockaddr *)&address, &size);
  if (descriptor >= 0) close(descriptor);
  return code ? 0 : ntohs(address.sin_port);
}

uint64_t load_raise_descriptors(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit)) return 0;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}
