/* A mass as in mass.c that at the time `when` tries what `attack` says to get out of its sandbox, or to leave
   something behind. An attempt that can fail is told in the log, and doStep answers Error: "refused: NAME: why" or
   "ESCAPED: NAME". */
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <linux/bpf.h>
#include <locale.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hostile_attacks.h"
#include "mass_model.h"

extern char** environ;

enum { attack = first_own, when, which };

static const variable variables[];

/* What an attempt came to. */
typedef enum { failed, done, goes_on } outcome;
/* The parameter `which` of this FMU. */
static int chosen;
static char detail[200];

static outcome of(long result) { return result < 0 ? failed : done; }

static outcome readable(const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  char byte;
  if (file < 0) return failed;
  const ssize_t count = read(file, &byte, 1);
  close(file);
  return count == 1 ? done : failed;
}

static outcome writable(const char* path) {
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return failed;
  const char byte = 0;
  const ssize_t count = pwrite(file, &byte, 1, 4096);
  close(file);
  return count == 1 ? done : failed;
}

static outcome creates(const char* path) {
  const int file = open(path, O_WRONLY | O_CREAT, 0600);
  if (file < 0) return failed;
  close(file);
  unlink(path);
  return done;
}

/* A process that lives on for a while where it can be started. */
static outcome child_of(pid_t child) {
  if (child == 0) {
    sleep(600);
    _exit(0);
  }
  return of(child);
}

static outcome read_init_environment(void) { return readable("/proc/1/environ"); }
static outcome read_init_registers(void) { return readable("/proc/1/syscall"); }
static outcome read_init_memory_map(void) { return readable("/proc/1/maps"); }
static outcome write_init_memory(void) { return writable("/proc/1/mem"); }
static outcome open_init_descriptors(void) {
  for (int number = 0; number < 64; ++number) {
    char path[40];
    snprintf(path, sizeof path, "/proc/1/fd/%d", number);
    if (open(path, O_RDONLY) >= 0 || open(path, O_WRONLY) >= 0) return done;
  }
  return failed;
}
static outcome read_init_root(void) {
  return of(open("/proc/1/root/", O_RDONLY | O_DIRECTORY) & open("/proc/1/cwd/", O_RDONLY | O_DIRECTORY));
}
static outcome trace_init(void) { return of(ptrace(PTRACE_ATTACH, 1, 0, 0)); }
static outcome seize_init(void) { return of(ptrace(PTRACE_SEIZE, 1, 0, 0)); }
static outcome process_vm_write_init(void) {
  char byte = 0;
  const struct iovec here = {&byte, 1}, there = {(void*)0x400000, 1};
  return of(process_vm_writev(1, &here, 1, &there, 1, 0));
}
static outcome process_vm_read_init(void) {
  char byte = 0;
  const struct iovec here = {&byte, 1}, there = {(void*)0x400000, 1};
  return of(process_vm_readv(1, &here, 1, &there, 1, 0));
}
static outcome limit_init(void) {
  const struct rlimit none = {0, 0};
  return of(prlimit(1, RLIMIT_CPU, &none, 0));
}
static outcome raise_limits(void) {
  const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
  return of(setrlimit(RLIMIT_AS, &all) & setrlimit(RLIMIT_FSIZE, &all) & setrlimit(RLIMIT_NOFILE, &all));
}
static outcome kill_init(void) { return of(kill(1, SIGKILL)); }
static outcome schedule_init(void) {
  const struct sched_param none = {0};
  return of(sched_setscheduler(1, SCHED_IDLE, &none));
}
static outcome pin_init(void) {
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  return of(sched_setaffinity(1, sizeof first, &first));
}
static outcome put_init_last(void) { return of(setpriority(PRIO_PROCESS, 1, 19)); }
static outcome kill_group(void) { return of(kill(0, SIGTERM)); }
static outcome kill_all(void) { return of(kill(-1, SIGKILL)); }
static outcome queue_signal(void) {
  const union sigval value = {0};
  return of(sigqueue(1, SIGTERM, value));
}
static outcome pidfd_of_init(void) { return of(syscall(SYS_pidfd_open, 1, 0)); }
static outcome fork_child(void) { return child_of(fork()); }
static outcome raw_clone(void) { return child_of((pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }
static outcome raw_clone3(void) {
  struct {
    uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
  } arguments = {.exit_signal = SIGCHLD};
  return child_of((pid_t)syscall(SYS_clone3, &arguments, sizeof arguments));
}
static outcome spawn_program(void) {
  pid_t child;
  char* const arguments[] = {"sleep", "600", 0};
  errno = posix_spawn(&child, "/usr/bin/sleep", 0, 0, arguments, environ);
  return errno == 0 ? done : failed;
}
static outcome become_program(void) {
  char* const arguments[] = {"sleep", "600", 0};
  return of(execve("/usr/bin/sleep", arguments, environ));
}
static outcome call_system(void) { return system("true") == 0 ? done : failed; }
static outcome new_user_namespace(void) { return of(unshare(CLONE_NEWUSER | CLONE_NEWNS)); }
static outcome enter_namespace(void) {
  const int file = open("/proc/self/ns/mnt", O_RDONLY);
  return file < 0 ? failed : of(setns(file, 0));
}
static outcome mount_files(void) { return of(mount("none", "/tmp", "tmpfs", 0, 0)); }
static outcome change_root(void) { return of(chroot("/tmp")); }
static outcome unmount(void) { return of(umount2("/proc", MNT_DETACH)); }
static outcome add_a_key(void) { return of(syscall(SYS_add_key, "user", "macrostep", "x", 1, -5)); }
static outcome search_keys(void) { return of(syscall(SYS_keyctl, 0, -5, 0)); }
static outcome shared_memory(void) { return of(shmget(IPC_PRIVATE, 1 << 20, IPC_CREAT | 0600)); }
static outcome memory_file(void) { return of(memfd_create("macrostep", 0)); }
static outcome message_queue(void) { return of(syscall(SYS_mq_open, "/macrostep", O_CREAT | O_RDWR, 0600, 0)); }
static outcome load_bpf(void) {
  union bpf_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  return of(syscall(SYS_bpf, BPF_PROG_LOAD, &attributes, sizeof attributes));
}
static outcome io_ring(void) {
  char parameters[120] = {0};
  return of(syscall(SYS_io_uring_setup, 1, parameters));
}
/* Its requests are a number that the whole machine shares. */
static outcome old_io_ring(void) {
  unsigned long context = 0;
  return of(syscall(SYS_io_setup, 1, &context));
}
/* Memory that no limit counts. */
static outcome grow_socket(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return failed;
  const int bytes = 4 << 20;
  return of(setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes));
}
static outcome virtual_socket(void) { return of(socket(AF_VSOCK, SOCK_STREAM, 0)); }
static outcome connect_outside(void) {
  const int socket_here = socket(AF_INET, SOCK_STREAM, 0);
  if (socket_here < 0) return failed;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)chosen),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  return of(connect(socket_here, (struct sockaddr*)&address, sizeof address));
}
static outcome read_passwords(void) {
  return readable("/etc/passwd") == done || readable("/etc/shadow") == done || readable("/etc/hostname") == done
             ? done : failed;
}
static outcome read_homes(void) {
  return of(open("/root", O_RDONLY | O_DIRECTORY) & open("/home", O_RDONLY | O_DIRECTORY) &
            open("/work", O_RDONLY | O_DIRECTORY) & open("/var", O_RDONLY | O_DIRECTORY));
}
static outcome write_elsewhere(void) {
  return creates("/macrostep_was_here") == done || creates("/usr/macrostep_was_here") == done ||
                 creates("/dev/macrostep_was_here") == done || creates("/fmus/macrostep_was_here") == done ||
                 creates("/proc/macrostep_was_here") == done
             ? done : failed;
}
static outcome write_worker(void) { return of(open("/macrostep-worker", O_WRONLY)); }
static outcome change_kernel(void) {
  /* Opened alone, so that nothing is changed on the machine where this is possible. */
  static const char* const files[] = {"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe",
                                      "/proc/sys/vm/overcommit_memory", "/proc/irq/default_smp_affinity",
                                      "/proc/sysrq-trigger", "/proc/1/oom_score_adj"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    if (open(files[i], O_WRONLY) >= 0) {
      snprintf(detail, sizeof detail, "%s", files[i]);
      return done;
    }
  }
  return failed;
}
static outcome inherited_descriptors(void) {
  /* 0 to 2 are the null device and the pipe of the output, 3 is the worker's socket. */
  errno = EBADF;
  for (int number = 4; number < 1024; ++number) {
    struct stat what;
    if (fstat(number, &what) == 0) {
      snprintf(detail, sizeof detail, "descriptor %d", number);
      return done;
    }
  }
  return failed;
}
static outcome foreign_environment(void) {
  static const char* const known[] = {"PATH=", "LANG=", "HOME=/tmp", "TMPDIR=/tmp", "PWD=/tmp"};
  errno = ENOENT;
  for (char** one = environ; *one; ++one) {
    int found = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) found |= strncmp(*one, known[i], strlen(known[i])) == 0;
    if (!found) {
      snprintf(detail, sizeof detail, "%s", *one);
      return done;
    }
  }
  return failed;
}
static outcome send_descriptor(void) {
  char byte = 0;
  char control[CMSG_SPACE(sizeof(int))] = {0};
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  return of(sendmsg(3, &message, 0)); /* the worker's socket */
}
static outcome change_devices(void) {
  /* With the rights that it has: nothing is changed on the machine where this is possible. */
  struct stat before;
  if (getuid() == 0 || stat("/dev/null", &before) != 0) return failed;
  return of(chmod("/dev/null", before.st_mode & 07777) & chmod("/dev/full", before.st_mode & 07777));
}
static outcome touch_devices(void) {
  /* Likewise: the times that it has. */
  struct stat before;
  if (stat("/dev/null", &before) != 0) return failed;
  const struct timespec times[2] = {before.st_atim, before.st_mtim};
  return of(utimensat(AT_FDCWD, "/dev/null", times, 0));
}
static outcome set_attribute(void) { return of(syscall(SYS_setxattr, "/tmp", "user.macrostep", "x", 1, 0)); }
/* setxattrat, by its number, as headers need not have it. */
static outcome set_attribute_at(void) {
  const struct { unsigned long value; unsigned size, flags; } given = {(unsigned long)"x", 1, 0};
  return of(syscall(463, AT_FDCWD, "/tmp", 0, "user.macrostep", &given, sizeof given));
}
static outcome signal_by_file(void) { return of(fcntl(3, F_SETOWN, 1)); }
static outcome lease_program(void) {
  const int file = open("/usr/bin/env", O_RDONLY);
  return of(fcntl(file, F_SETLEASE, F_RDLCK));
}
static outcome outlive_parent(void) { return of(prctl(PR_SET_PDEATHSIG, 0)); }
static outcome wait_for_connections(void) {
  const int socket_here = socket(AF_INET, SOCK_STREAM, 0);
  return socket_here < 0 ? failed : of(listen(socket_here, 1));
}
static outcome see_processes(void) {
  errno = ENOENT;
  for (int process = 3; process < 100000; ++process) {
    char path[40], own_thread[40];
    snprintf(path, sizeof path, "/proc/%d", process);
    snprintf(own_thread, sizeof own_thread, "/proc/self/task/%d", process);
    if (access(path, F_OK) == 0 && access(own_thread, F_OK) != 0) return done;
  }
  return failed;
}

/* What goes on, or ends the process. */
static void* spin(void* nothing) {
  for (volatile unsigned i = 0;; ++i) continue;
  return nothing;
}
static outcome leave_threads(void) {
  for (int i = 0; i < 4; ++i) {
    pthread_t thread;
    pthread_create(&thread, 0, spin, 0);
  }
  return goes_on;
}
static void at_exit(void) { spin(0); }
static outcome hang_at_exit(void) {
  atexit(at_exit);
  return goes_on;
}
static outcome change_rounding(void) {
  fesetround(FE_UPWARD);
  return goes_on;
}
static outcome change_locale(void) {
  setlocale(LC_ALL, "");
  return goes_on;
}
static outcome ignore_all(void) {
  for (int number = 1; number < 64; ++number) signal(number, SIG_IGN);
  return goes_on;
}
static outcome close_all(void) {
  for (int number = 0; number < 1024; ++number) close(number);
  spin(0);
  return goes_on;
}
static outcome raise_signal(void) {
  signal(chosen, SIG_DFL);
  raise(chosen);
  return goes_on;
}
static outcome kill_itself(void) {
  kill(getpid(), chosen);
  return goes_on;
}
static int deeper(int depth) {
  volatile char room[4096];
  room[0] = (char)depth;
  return depth < 0 ? 0 : deeper(depth + 1) + room[0];
}
static outcome overflow_stack(void) { return deeper(0) == 1 ? goes_on : done; }
/* Its own limit may be lowered, and is then exhausted like the one it was given. */
static outcome use_processor(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = 1;
  if (setrlimit(RLIMIT_CPU, &limit) != 0) return of(-1);
  for (volatile unsigned i = 0;; ++i) continue;
}
static outcome large_file(void) {
  const int file = open("large", O_WRONLY | O_CREAT, 0600);
  return of(ftruncate(file, (off_t)65 << 20));
}
static outcome stop_itself(void) {
  raise(SIGSTOP);
  return goes_on;
}
static outcome nothing(void) { return goes_on; }
/* These come later. */
static outcome hang_in_start(void) { return goes_on; }
static outcome hang_in_terminate(void) { return goes_on; }
static outcome hang_in_free(void) { return goes_on; }

typedef struct {
  const char* name;
  outcome (*attempt)(void);
} one_attack;

#define ATTACK(name) {#name, name},
static const one_attack attacks[] = {HOSTILE_ATTACKS(ATTACK)};

static bool is_attack(const component* self, const char* name) {
  return strcmp(attacks[(int)self->now.value[attack]].name, name) == 0;
}

static step_end disturb(component* self, double time, double size, double* reached) {
  (void)reached;
  double* value = self->now.value;
  if (time + size <= value[when] || time > value[when]) return step_ok;
  const one_attack* one = &attacks[(int)value[attack]];
  chosen = (int)value[which];
  errno = 0;
  const outcome came = one->attempt();
  if (came == goes_on) return step_ok;
  char text[400];
  snprintf(text, sizeof text, came == done ? "ESCAPED: %s %s" : "refused: %s: %s", one->name,
           came == done ? detail : strerror(errno));
  self->log(self, text);
  return step_error;
}

static bool disturb_start(component* self) {
  if (is_attack(self, "hang_in_start")) spin(0);
  return true;
}

static void disturb_end(component* self, bool freed) {
  if (is_attack(self, freed ? "hang_in_free" : "hang_in_terminate")) spin(0);
}

static const variable variables[] = {
    MASS_VARIABLES,
    [attack] = {"attack", type_integer, is_parameter, 0, 0, -1},
    [when] = {"when", type_real, is_parameter, "s", 0, -1},
    [which] = {"which", type_integer, is_parameter, 0, 0, -1},
};

const model the_model = {
    .name = "hostile",
    .variables = variables,
    .variable_count = sizeof variables / sizeof *variables,
    .start = start,
    .evaluate = evaluate,
    .disturb = disturb,
    .disturb_start = disturb_start,
    .disturb_end = disturb_end,
};
