/* What hostile.c can try, in the order of its parameter `attack`: X(name) each. */
#ifndef MACROSTEP_TESTS_FMUS_HOSTILE_ATTACKS_H
#define MACROSTEP_TESTS_FMUS_HOSTILE_ATTACKS_H

/* clang-format off */
#define HOSTILE_ATTACKS(X) \
  X(nothing) X(read_init_environment) X(read_init_registers) X(read_init_memory_map) \
  X(write_init_memory) X(open_init_descriptors) X(read_init_root) X(trace_init) X(seize_init) \
  X(process_vm_write_init) X(process_vm_read_init) X(limit_init) X(raise_limits) X(kill_init) \
  X(schedule_init) X(pin_init) X(put_init_last) \
  X(kill_group) X(kill_all) X(queue_signal) X(pidfd_of_init) X(fork_child) X(raw_clone) \
  X(raw_clone3) X(spawn_program) X(become_program) X(call_system) X(new_user_namespace) \
  X(enter_namespace) X(mount_files) X(change_root) X(unmount) X(add_a_key) X(search_keys) \
  X(shared_memory) X(memory_file) X(message_queue) X(load_bpf) X(io_ring) X(virtual_socket) \
  X(old_io_ring) X(grow_socket) \
  X(connect_outside) X(read_passwords) X(read_homes) X(write_elsewhere) X(write_worker) \
  X(change_kernel) \
  X(inherited_descriptors) X(foreign_environment) X(see_processes) X(send_descriptor) \
  X(change_devices) X(touch_devices) X(set_attribute) X(set_attribute_at) X(signal_by_file) X(lease_program) X(outlive_parent) \
  X(wait_for_connections) X(leave_threads) \
  X(hang_at_exit) X(change_rounding) X(change_locale) X(ignore_all) X(close_all) X(raise_signal) \
  X(kill_itself) X(overflow_stack) X(use_processor) X(large_file) X(stop_itself) \
  X(hang_in_terminate) X(hang_in_free) X(hang_in_start)
/* clang-format on */

#endif
