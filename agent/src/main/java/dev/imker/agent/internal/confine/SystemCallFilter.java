package dev.imker.agent.internal.confine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A seccomp filter as a classic BPF program, against system calls that computations do not need but
 * attacks on the kernel do. Calls that make namespaces, mount, look into other processes, load code
 * into the kernel, or use its keys fail with EPERM; a call of another instruction set (32-bit
 * programs on a 64-bit kernel) ends the process, because its numbers would mean other calls.
 *
 * <p>The program is: arch check, then one comparison per refused call, then the calls whose
 * arguments decide. Numbers are those of the kernel's tables for each architecture; a call that an
 * architecture does not have is -1.
 */
final class SystemCallFilter {
  private static final int LOAD = 0x20; // BPF_LD | BPF_W | BPF_ABS
  private static final int IF_EQUAL = 0x15;
  private static final int IF_AT_LEAST = 0x35;
  private static final int IF_ANY_BIT = 0x45;
  private static final int RETURN = 0x06;

  private static final int NUMBER = 0;
  private static final int ARCHITECTURE = 4;
  private static final int FIRST_ARGUMENT = 16;
  private static final int SECOND_ARGUMENT = 24;

  private static final int ALLOW = 0x7fff0000;
  private static final int KILL = 0x80000000;
  private static final int FAIL = 0x00050000;
  private static final int EPERM = 1;
  private static final int ENOSYS = 38;
  private static final int EAFNOSUPPORT = 97;

  /** Programs for the x32 variant of x86_64 have this bit in their numbers. */
  private static final int X32 = 0x40000000;

  /** All flags of clone that make a namespace. */
  private static final int NEW_NAMESPACES = 0x7e020000;

  private static final List<Integer> TERMINAL_INJECTION = List.of(0x5412, 0x541c);

  /** Unix, IPv4, IPv6, netlink (the resolver of glibc asks it for addresses). */
  private static final List<Integer> ADDRESS_FAMILIES = List.of(1, 2, 10, 16);

  /** A call that always fails: its numbers on x86_64 and aarch64. */
  private record Refused(int intel, int arm, int error) {}

  private static final List<Refused> REFUSED =
      List.of(
          no(165, 40), // mount
          no(166, 39), // umount2
          no(155, 41), // pivot_root
          no(161, 51), // chroot
          no(428, 428), // open_tree
          no(429, 429), // move_mount
          no(430, 430), // fsopen
          no(431, 431), // fsconfig
          no(432, 432), // fsmount
          no(433, 433), // fspick
          no(442, 442), // mount_setattr
          no(467, 467), // open_tree_attr
          no(272, 97), // unshare
          no(308, 268), // setns
          no(101, 117), // ptrace
          no(310, 270), // process_vm_readv
          no(311, 271), // process_vm_writev
          no(312, 272), // kcmp
          no(438, 438), // pidfd_getfd
          no(440, 440), // process_madvise
          no(248, 217), // add_key
          no(249, 218), // request_key
          no(250, 219), // keyctl
          no(321, 280), // bpf
          no(298, 241), // perf_event_open
          no(323, 282), // userfaultfd
          no(300, 262), // fanotify_init
          no(303, 264), // name_to_handle_at
          no(304, 265), // open_by_handle_at
          no(246, 104), // kexec_load
          no(320, 294), // kexec_file_load
          no(175, 105), // init_module
          no(313, 273), // finit_module
          no(176, 106), // delete_module
          no(169, 142), // reboot
          no(167, 224), // swapon
          no(168, 225), // swapoff
          no(163, 89), // acct
          no(103, 116), // syslog
          no(179, 60), // quotactl
          no(443, 443), // quotactl_fd
          no(180, 42), // nfsservctl
          no(164, 170), // settimeofday
          no(227, 112), // clock_settime
          no(159, 171), // adjtimex
          no(305, 266), // clock_adjtime
          no(170, 161), // sethostname
          no(171, 162), // setdomainname
          no(153, 58), // vhangup
          no(212, 18), // lookup_dcookie
          no(172, -1), // iopl
          no(173, -1), // ioperm
          no(154, -1), // modify_ldt
          no(134, -1), // uselib
          no(136, -1), // ustat
          no(139, -1), // sysfs
          no(156, -1), // _sysctl
          // Programs have another way for these, and take it when the kernel does not know them.
          new Refused(425, 425, ENOSYS), // io_uring_setup
          new Refused(426, 426, ENOSYS), // io_uring_enter
          new Refused(427, 427, ENOSYS), // io_uring_register
          new Refused(435, 435, ENOSYS)); // clone3: its flags lie where a filter cannot look

  private static Refused no(int intel, int arm) {
    return new Refused(intel, arm, EPERM);
  }

  /** What differs between architectures. */
  private enum Architecture {
    INTEL(0xc000003e, 56, 16, 41),
    ARM(0xc00000b7, 220, 29, 198);

    private final int audit;
    private final int clone;
    private final int ioctl;
    private final int socket;

    Architecture(int audit, int clone, int ioctl, int socket) {
      this.audit = audit;
      this.clone = clone;
      this.ioctl = ioctl;
      this.socket = socket;
    }

    int number(Refused refused) {
      return this == INTEL ? refused.intel : refused.arm;
    }
  }

  private record Instruction(int code, int ifTrue, int ifFalse, int value) {}

  private final List<Instruction> program = new ArrayList<>();

  private SystemCallFilter() {}

  /** The filter for this machine; empty where its calls are not known here. */
  static Optional<byte[]> ofThisMachine() {
    return switch (System.getProperty("os.arch").toLowerCase(Locale.ROOT)) {
      case "amd64", "x86_64" -> Optional.of(of(Architecture.INTEL));
      case "aarch64" -> Optional.of(of(Architecture.ARM));
      default -> Optional.empty();
    };
  }

  private static byte[] of(Architecture architecture) {
    SystemCallFilter filter = new SystemCallFilter();
    filter.build(architecture);
    return filter.bytes();
  }

  private void build(Architecture architecture) {
    add(LOAD, 0, 0, ARCHITECTURE);
    add(IF_EQUAL, 1, 0, architecture.audit);
    add(RETURN, 0, 0, KILL);
    add(LOAD, 0, 0, NUMBER);
    if (architecture == Architecture.INTEL) {
      add(IF_AT_LEAST, 0, 1, X32);
      add(RETURN, 0, 0, KILL);
    }
    for (Refused refused : REFUSED) {
      int number = architecture.number(refused);
      if (number >= 0) {
        add(IF_EQUAL, 0, 1, number);
        add(RETURN, 0, 0, FAIL | refused.error);
      }
    }
    add(IF_EQUAL, 0, 4, architecture.clone);
    add(LOAD, 0, 0, FIRST_ARGUMENT);
    add(IF_ANY_BIT, 0, 1, NEW_NAMESPACES);
    add(RETURN, 0, 0, FAIL | EPERM);
    add(RETURN, 0, 0, ALLOW);
    oneOf(architecture.ioctl, SECOND_ARGUMENT, TERMINAL_INJECTION, FAIL | EPERM, ALLOW);
    oneOf(architecture.socket, FIRST_ARGUMENT, ADDRESS_FAMILIES, ALLOW, FAIL | EAFNOSUPPORT);
    add(RETURN, 0, 0, ALLOW);
  }

  /** Decides about a call by whether its argument is one of the given values. */
  private void oneOf(int number, int argument, List<Integer> values, int listed, int other) {
    add(IF_EQUAL, 0, 2 + 2 * values.size(), number);
    add(LOAD, 0, 0, argument);
    for (int value : values) {
      add(IF_EQUAL, 0, 1, value);
      add(RETURN, 0, 0, listed);
    }
    add(RETURN, 0, 0, other);
  }

  private void add(int code, int ifTrue, int ifFalse, int value) {
    program.add(new Instruction(code, ifTrue, ifFalse, value));
  }

  private byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(program.size() * 8).order(ByteOrder.nativeOrder());
    for (Instruction instruction : program) {
      bytes
          .putShort((short) instruction.code)
          .put((byte) instruction.ifTrue)
          .put((byte) instruction.ifFalse)
          .putInt(instruction.value);
    }
    return bytes.array();
  }
}
