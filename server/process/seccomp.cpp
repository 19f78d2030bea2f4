#include "server/process/seccomp.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <initializer_list>
#include <utility>

namespace macrostep::server {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t native_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t native_architecture = AUDIT_ARCH_AARCH64;
#else
#error "which architecture do system calls have?"
#endif

constexpr std::uint32_t refused = SECCOMP_RET_ERRNO | EPERM;
/// The C library then takes an older call.
constexpr std::uint32_t unknown = SECCOMP_RET_ERRNO | ENOSYS;
/// The numbers of calls of 32-bit programs on x86-64 begin here.
constexpr std::uint32_t first_x32_call = 0x40000000U;

/// Calls that reach into other processes.
constexpr auto reaching_processes =
    std::to_array<int>({SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp,
                        SYS_pidfd_getfd, SYS_pidfd_send_signal, SYS_process_madvise});
/// Calls that reach into the kernel: its keys, its programs, and what few programs need and many
/// attacks use.
constexpr auto reaching_kernel = std::to_array<int>({
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_io_setup,  // its requests are a number that the whole machine shares
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    SYS_syslog,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_fanotify_init,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_vhangup,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef __x86_64__
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
#endif
});
/// Calls that lead out of the namespaces, or into new ones with rights of their own.
constexpr auto changing_namespaces = std::to_array<int>(
    {SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_move_mount,
     SYS_open_tree, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_mount_setattr});
/// Calls that take memory which belongs to no process.
constexpr auto uncounted_memory = std::to_array<int>({
    SYS_memfd_create,
    SYS_shmget,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
#ifdef SYS_memfd_secret
    SYS_memfd_secret,
#endif
});
/// Calls that change files of a read-only mount, or of the host's devices, for who owns them.
constexpr auto changing_rights = std::to_array<int>({
#ifdef __x86_64__
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat,
    452,  // fchmodat2, which older headers do not have
});
/// Attributes of files are memory that no limit counts.
constexpr auto setting_attributes = std::to_array<int>({
    SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
    463,  // setxattrat, which older headers do not have
});
/// Commands that name the process which gets a signal, or hold up who opens a file.
constexpr auto refused_fcntl = std::to_array<int>({F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE});
constexpr auto refused_ioctl = std::to_array<int>({FIOSETOWN, SIOCSPGRP});
constexpr std::uint64_t new_namespaces = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWNS |
                                         CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
/// Allowed socket families. Any other reaches beyond a network namespace (virtual machines,
/// Bluetooth) or deep into the kernel.
constexpr auto socket_families = std::to_array<int>({AF_UNIX, AF_INET, AF_INET6, AF_NETLINK});
/// Options by which the buffers of sockets take more memory, which no limit counts.
constexpr auto buffer_options =
    std::to_array<int>({SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE, SO_RCVBUFFORCE});
/// Calls whose first argument is the process that they change, and may be this one alone.
constexpr auto signals = std::to_array<int>(
    {SYS_kill, SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo});

/// Calls whose first argument is the process whose share of the processor they change, and may be
/// this one or 0 alone: behind many threads of an FMU process 1 would end late.
constexpr auto scheduling = std::to_array<int>(
    {SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_sched_setaffinity});
/// These name a process by their second argument, or a group.
constexpr auto priorities = std::to_array<int>({SYS_setpriority, SYS_ioprio_set});

/// Instructions one after the other. The number of the call is loaded at the beginning of each
/// rule.
class Rules {
 public:
  explicit Rules(std::uint32_t for_other_numbers) {
    load(offsetof(seccomp_data, arch));
    jump(BPF_JEQ, native_architecture, 1, 0);
    answer(for_other_numbers);
    load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
    jump(BPF_JGE, first_x32_call, 0, 1);
    answer(for_other_numbers);
#endif
  }

  void on(int call, std::uint32_t verdict) {
    jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 1);
    answer(verdict);
  }
  template <std::size_t size>
  void refuse(const std::array<int, size>& calls) {
    for (const int call : calls) {
      on(call, refused);
    }
  }
  /// Refuses the call unless its argument is one of the values.
  template <class Values>
  void refuse_unless(int call, std::size_t argument, const Values& values) {
    const auto count = static_cast<std::uint8_t>(std::size(values));
    jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, static_cast<std::uint8_t>(count + 3));
    load(offset_of(argument));
    std::uint8_t left = count;
    for (const auto value : values) {
      jump(BPF_JEQ, static_cast<std::uint32_t>(value), left--, 0);
    }
    answer(refused);
    load(offsetof(seccomp_data, nr));
  }
  /// Refuses the call where its argument is one of the values.
  template <class Values>
  void refuse_values(int call, std::size_t argument, const Values& values) {
    const auto count = static_cast<std::uint8_t>(std::size(values));
    jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, static_cast<std::uint8_t>(2 * count + 2));
    load(offset_of(argument));
    for (const auto value : values) {
      on(static_cast<int>(value), refused);
    }
    load(offsetof(seccomp_data, nr));
  }
  /// Refuses the call where its argument has any of the bits.
  void refuse_with(int call, std::size_t argument, std::uint64_t bits) {
    refuse_by_bits(call, argument, bits, 0, 1);
  }
  /// Refuses the call where its argument has none of the bits.
  void refuse_without(int call, std::size_t argument, std::uint64_t bits) {
    refuse_by_bits(call, argument, bits, 1, 0);
  }

  SeccompFilter end(std::uint32_t verdict) {
    answer(verdict);
    return std::move(instructions_);
  }

 private:
  /// The lower half of an argument: processes and flags have no more.
  static std::size_t offset_of(std::size_t argument) {
    return offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t);
  }
  void refuse_by_bits(int call, std::size_t argument, std::uint64_t bits, std::uint8_t if_set,
                      std::uint8_t if_not) {
    jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 4);
    load(offset_of(argument));
    jump(BPF_JSET, static_cast<std::uint32_t>(bits), if_set, if_not);
    answer(refused);
    load(offsetof(seccomp_data, nr));
  }
  void load(std::size_t offset) {
    instructions_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  void answer(std::uint32_t verdict) {
    instructions_.push_back(BPF_STMT(BPF_RET | BPF_K, verdict));
  }
  void jump(std::uint16_t how, std::uint32_t value, std::uint8_t if_true, std::uint8_t if_false) {
    instructions_.push_back(
        BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | how | BPF_K), value, if_true, if_false));
  }

  SeccompFilter instructions_;
};

}  // namespace

SeccompFilter sandbox_filter(bool of_root) {
  Rules rules(refused);
  rules.refuse(reaching_processes);
  rules.refuse(reaching_kernel);
  rules.refuse(changing_namespaces);
  rules.refuse(uncounted_memory);
  rules.refuse(setting_attributes);
  if (of_root) {
    rules.refuse(changing_rights);
  }
  rules.refuse_with(SYS_clone, 0, new_namespaces);
  rules.on(SYS_clone3, unknown);  // its flags lie in memory, which a filter does not see
  rules.refuse_unless(SYS_socket, 0, socket_families);
  rules.refuse_values(SYS_setsockopt, 2, buffer_options);
  return rules.end(SECCOMP_RET_ALLOW);
}

SeccompFilter init_filter() {
  Rules rules(SECCOMP_RET_KILL_PROCESS);
#ifdef __x86_64__
  rules.on(SYS_poll, SECCOMP_RET_ALLOW);
#endif
  for (const int call : {SYS_ppoll, SYS_wait4, SYS_write, SYS_exit_group, SYS_exit,
                         SYS_rt_sigreturn, SYS_restart_syscall}) {
    rules.on(call, SECCOMP_RET_ALLOW);
  }
#ifdef MACROSTEP_SANITIZED
  // The run time of the thread sanitizer takes memory whenever it likes.
  for (const int call : {SYS_mmap, SYS_munmap, SYS_madvise, SYS_futex}) {
    rules.on(call, SECCOMP_RET_ALLOW);
  }
#endif
  return rules.end(SECCOMP_RET_KILL_PROCESS);
}

SeccompFilter worker_filter(std::int64_t process) {
  Rules rules(refused);
#ifdef __x86_64__
  rules.on(SYS_fork, refused);
  rules.on(SYS_vfork, refused);
#endif
  rules.refuse_without(SYS_clone, 0, CLONE_THREAD);
  rules.on(SYS_clone3, unknown);
  rules.on(SYS_execve, refused);
  rules.on(SYS_execveat, refused);
  rules.on(SYS_pidfd_open, refused);  // process 1 takes that of the worker
  for (const int call : signals) {
    rules.refuse_unless(call, 0, std::array{process});
  }
  for (const int call : scheduling) {
    rules.refuse_unless(call, 0, std::array{std::int64_t{0}, process});
  }
  rules.refuse(priorities);
  rules.refuse_unless(SYS_prlimit64, 0, std::array{std::int64_t{0}, process});
  rules.refuse_values(SYS_prctl, 0, std::array{PR_SET_PDEATHSIG});
  rules.refuse_values(SYS_fcntl, 1, refused_fcntl);
  rules.refuse_values(SYS_ioctl, 1, refused_ioctl);
  return rules.end(SECCOMP_RET_ALLOW);
}

SeccompFilter socket_filter() {
  Rules rules(refused);
  // A descriptor that is sent is closed by who receives it, which may wait for as long as its
  // socket is told to linger.
  rules.on(SYS_sendmsg, refused);
  rules.on(SYS_sendmmsg, refused);
  rules.on(SYS_listen, refused);  // what waits in sockets is memory of the whole machine
  return rules.end(SECCOMP_RET_ALLOW);
}

void apply(SeccompFilter filter) {
  const sock_fprog program{.len = static_cast<unsigned short>(filter.size()),
                           .filter = filter.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    throw_errno("limiting system calls");
  }
}

Descriptor filter_file(const SeccompFilter& filter) {
  auto [reading, writing] = make_pipe();
  const auto size = filter.size() * sizeof(sock_filter);  // about 1 kB: fits the smallest pipe
  if (::write(writing.get(), filter.data(), size) != static_cast<ssize_t>(size)) {
    throw_errno("writing the filter of system calls");
  }
  return std::move(reading);
}

}  // namespace macrostep::server
