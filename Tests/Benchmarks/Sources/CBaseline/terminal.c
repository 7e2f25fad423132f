#define _XOPEN_SOURCE 700
#include "CBaseline.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int baseline_terminal(int *program) {
  int own = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (own < 0) return -1;
  const char *name = grantpt(own) || unlockpt(own) ? NULL : ptsname(own);
  *program = name ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
  if (*program >= 0) return own;
  close(own);
  return -1;
}
