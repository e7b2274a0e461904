/*
 * Runs a command in a sandbox of its own. Takes those of bubblewrap's options that Imker uses, and
 * makes the same of them in less time: mounts are cloned with their final flags (Linux 5.12), the
 * user of the task is taken without another program, and no list of mounts is read.
 *
 *   imker-box --args FD -- COMMAND [ARGUMENTS]
 *
 * FD has the options, each ended by a NUL. Everything is set up before anything of the task runs:
 *
 *   the box      in the agent's namespaces; waits, and ends with the code of the command
 *   └ the first  of new namespaces (process 1 there); makes the mounts, gives up all rights for
 *     │          good, installs the filter of system calls; ends with the command, and the kernel
 *     │          then ends all the rest
 *     └ the command
 *
 * Any step that fails ends it before the command: there is no sandbox with a part missing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#define VERSION "1"

enum { NOT_SET_UP = 125, NOT_EXECUTABLE = 126, NOT_FOUND = 127 };
enum { DETACH = 2, PRIVATE_SLAVE_REC = (1 << 19) | (1 << 14) }; /* of umount2 and mount */

static const char *const COVERED_IN_PROC[] = {"sys", "sysrq-trigger", "irq", "bus"};
static const char *const DEVICES[] = {"null", "zero", "full", "random", "urandom", "tty"};

/* What is done inside, in the order in which it is asked for. */
struct step {
  enum { BIND, TMPFS, DIR, SYMLINK, PROC, DEV, READ_ONLY } what;
  const char *from, *to;
  unsigned long long attributes;
  int data; /* a descriptor with the content of a file, or -1 */
  int optional;
};

static struct step *steps;
static size_t step_count;
static const char *folder = "/";
static unsigned long namespaces = CLONE_NEWNS;
static int no_nested_users, filter_fd = -1;
static long user = -1;
static struct sock_fprog filter;
static char **environment;
static size_t environment_count;
static int root = -1; /* the root folder that is being made */
static int box_lives[2]; /* a pipe that the box never writes to; it ends with the box */
static mode_t mask;

static void die(int code, const char *format, ...) {
  int error = errno;
  va_list arguments;
  va_start(arguments, format);
  fputs("imker-box: ", stderr);
  vfprintf(stderr, format, arguments);
  if (error) fprintf(stderr, ": %s", strerror(error));
  fputc('\n', stderr);
  va_end(arguments);
  _exit(code);
}

static void must(long result, const char *what, const char *which) {
  if (result < 0) die(NOT_SET_UP, "%s %s", what, which);
}

static void *space(void *old, size_t bytes) {
  void *made = realloc(old, bytes);
  if (!made) die(NOT_SET_UP, "memory");
  return made;
}

/* ---------------------------------------------------------------- options */

static char *read_all(int fd, size_t *length) {
  size_t size = 1 << 16, used = 0;
  char *text = space(NULL, size);
  for (ssize_t got; (got = read(fd, text + used, size - used)) != 0; used += (size_t)got) {
    must(got, "cannot read", "a descriptor");
    if (used + (size_t)got == size) text = space(text, size *= 2);
  }
  close(fd);
  *length = used;
  return text;
}

static long number(const char *word) {
  char *end;
  errno = 0;
  long value = strtol(word, &end, 10);
  if (errno || *end || end == word || value < 0 || value > 0x7ffffffe) die(NOT_SET_UP, "not a number: %s", word);
  return value;
}

static struct step *add(int what, const char *from, const char *to) {
  steps = space(steps, (step_count + 1) * sizeof *steps);
  struct step *step = &steps[step_count++];
  *step = (struct step){.what = what, .from = from, .to = to, .data = -1};
  return step;
}

static void show(const char *from, const char *to, unsigned long long attributes, int optional) {
  struct step *step = add(BIND, from, to);
  step->attributes = MOUNT_ATTR_NOSUID | attributes;
  step->optional = optional;
}

static void set_variable(const char *name, const char *value) {
  size_t length = strlen(name) + strlen(value) + 2;
  char *entry = space(NULL, length);
  snprintf(entry, length, "%s=%s", name, value);
  environment = space(environment, (environment_count + 2) * sizeof *environment);
  environment[environment_count++] = entry;
  environment[environment_count] = NULL;
}

/* Reads options up to the end; a word that is not known must not be passed over. */
static void read_options(char *text, size_t length) {
  char *end = text + length, *word = text;
  if (length == 0 || end[-1]) die(NOT_SET_UP, "the options do not end");
#define NEXT (word < end ? (given = word, word += strlen(word) + 1, given) : (die(NOT_SET_UP, "%s lacks a value", option), ""))
  while (word < end) {
    char *option = word, *given;
    word += strlen(word) + 1;
    errno = 0;
    if (!strcmp(option, "--unshare-user")) namespaces |= CLONE_NEWUSER;
    else if (!strcmp(option, "--unshare-pid")) namespaces |= CLONE_NEWPID;
    else if (!strcmp(option, "--unshare-ipc")) namespaces |= CLONE_NEWIPC;
    else if (!strcmp(option, "--unshare-uts")) namespaces |= CLONE_NEWUTS;
    else if (!strcmp(option, "--unshare-cgroup-try")) namespaces |= CLONE_NEWCGROUP;
    else if (!strcmp(option, "--unshare-net")) namespaces |= CLONE_NEWNET;
    else if (!strcmp(option, "--disable-userns")) no_nested_users = 1;
    else if (!strcmp(option, "--clearenv")) environment_count = 0;
    else if (!strcmp(option, "--user")) user = number(NEXT);
    else if (!strcmp(option, "--seccomp")) filter_fd = (int)number(NEXT);
    else if (!strcmp(option, "--chdir")) folder = NEXT;
    else if (!strcmp(option, "--proc")) add(PROC, "", NEXT);
    else if (!strcmp(option, "--dev")) add(DEV, "", NEXT);
    else if (!strcmp(option, "--tmpfs")) add(TMPFS, "", NEXT);
    else if (!strcmp(option, "--dir")) add(DIR, "", NEXT);
    else if (!strcmp(option, "--remount-ro")) add(READ_ONLY, "", NEXT);
    else {
      char *first = NEXT, *second = NEXT;
      if (!strcmp(option, "--setenv")) set_variable(first, second);
      else if (!strcmp(option, "--symlink")) add(SYMLINK, first, second);
      else if (!strcmp(option, "--bind")) show(first, second, MOUNT_ATTR_NODEV, 0);
      else if (!strcmp(option, "--ro-bind")) show(first, second, MOUNT_ATTR_NODEV | MOUNT_ATTR_RDONLY, 0);
      else if (!strcmp(option, "--dev-bind-try")) show(first, second, 0, 1);
      else if (!strcmp(option, "--ro-bind-data")) {
        show("", second, MOUNT_ATTR_NODEV | MOUNT_ATTR_RDONLY, 0);
        steps[step_count - 1].data = (int)number(first);
      } else die(NOT_SET_UP, "unknown option %s", option);
    }
  }
#undef NEXT
}

static void read_filter(void) {
  size_t length;
  filter.filter = (struct sock_filter *)read_all(filter_fd, &length);
  filter.len = (unsigned short)(length / sizeof(struct sock_filter));
  if (length == 0 || length % sizeof(struct sock_filter) || length / sizeof(struct sock_filter) > 4096)
    die(NOT_SET_UP, "not a filter of system calls");
}

/* ---------------------------------------------------------------- mounts */

/* Inside the new root whatever links lie there: those of a task lead nowhere else. */
static int open_inside(const char *path, unsigned long long flags) {
  struct open_how how = {.flags = flags | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
  return (int)syscall(SYS_openat2, root, path, &how, sizeof how);
}

/* Makes a folder with those above it and returns it. */
static int make_folder(const char *path) {
  int found = open_inside(path, O_PATH | O_DIRECTORY);
  if (found >= 0) return found;
  if (errno != ENOENT) die(NOT_SET_UP, "cannot open %s", path);
  char *above = strdup(path), *slash;
  while ((slash = strrchr(above, '/')) && slash != above && !slash[1]) *slash = 0;
  if (!slash || !slash[1]) die(NOT_SET_UP, "cannot make %s", path);
  const char *name = path + (slash + 1 - above);
  char *last = strdup(name);
  last[strcspn(last, "/")] = 0;
  slash[slash == above] = 0;
  int parent = make_folder(above);
  must(mkdirat(parent, last, 0755), "cannot make", path);
  close(parent);
  free(above);
  free(last);
  must(found = open_inside(path, O_PATH | O_DIRECTORY | O_NOFOLLOW), "cannot open", path);
  return found;
}

/* The folder that a path is in; its last part is put into name. */
static int folder_of(const char *path, const char **name) {
  char *above = strdup(path), *slash = strrchr(above, '/');
  if (!slash || !slash[1]) die(NOT_SET_UP, "not a file's path: %s", path);
  *name = path + (slash + 1 - above);
  slash[slash == above] = 0;
  int parent = make_folder(above);
  free(above);
  return parent;
}

static int make_file(const char *path) {
  int found = open_inside(path, O_PATH);
  if (found >= 0) return found;
  const char *name;
  int parent = folder_of(path, &name);
  int made = openat(parent, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0444);
  must(made, "cannot make", path);
  close(made);
  close(parent);
  must(found = open_inside(path, O_PATH | O_NOFOLLOW), "cannot open", path);
  return found;
}

static void set_attributes(int tree, const char *path, unsigned flags, unsigned long long attributes,
                           unsigned long long propagation) {
  struct mount_attr how = {.attr_set = attributes, .propagation = propagation};
  must(syscall(SYS_mount_setattr, tree, path, AT_EMPTY_PATH | flags, &how, sizeof how), "cannot restrict", path);
}

static int clone_tree(int at, const char *path) {
  return (int)syscall(SYS_open_tree, at, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE | AT_EMPTY_PATH);
}

static void attach(int tree, int place, const char *path) {
  must(syscall(SYS_move_mount, tree, "", place, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH),
       "cannot mount on", path);
  close(tree);
  close(place);
}

static int new_mount(const char *type, const char *const *settings, unsigned attributes) {
  int context = (int)syscall(SYS_fsopen, type, FSOPEN_CLOEXEC);
  must(context, "cannot make a", type);
  for (; settings && *settings; settings += 2)
    must(syscall(SYS_fsconfig, context, settings[1] ? FSCONFIG_SET_STRING : FSCONFIG_SET_FLAG, settings[0],
                 settings[1], 0), "cannot set", settings[0]);
  must(syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0), "cannot make a", type);
  int made = (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, attributes);
  must(made, "cannot mount a", type);
  close(context);
  return made;
}

static int new_tmpfs(void) {
  static const char *const mode[] = {"mode", "0755", NULL};
  return new_mount("tmpfs", mode, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
}

static int is_folder(int tree) {
  struct stat about;
  must(fstat(tree, &about), "cannot look at", "a mount");
  return S_ISDIR(about.st_mode);
}

static int place_for(int tree, const char *path) { return is_folder(tree) ? make_folder(path) : make_file(path); }

/* Apart from the machine's mounts: what appears there later would come without the attributes. */
static void mount_tree(int tree, const char *path, unsigned long long attributes) {
  set_attributes(tree, "", AT_RECURSIVE, attributes, MS_PRIVATE);
  attach(tree, place_for(tree, path), path);
}

static void mount_source(const struct step *step) {
  int tree = clone_tree(AT_FDCWD, step->from);
  if (tree >= 0) mount_tree(tree, step->to, step->attributes);
  else if (!step->optional || errno != ENOENT) die(NOT_SET_UP, "cannot show %s", step->from);
}

static const char *below(const char *base, const char *name) {
  size_t length = strlen(base) + strlen(name) + 2;
  char *path = space(NULL, length);
  snprintf(path, length, "%s/%s", base, name);
  return path;
}

/* Settings of the kernel that root's number may write, whatever rights are gone. */
static void mount_proc(const char *path) {
  int proc = new_mount("proc", NULL, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
  int covered[sizeof COVERED_IN_PROC / sizeof *COVERED_IN_PROC];
  attach(proc, make_folder(path), path);
  for (size_t i = 0; i < sizeof covered / sizeof *covered; i++) {
    const char *place = below(path, COVERED_IN_PROC[i]);
    int found = open_inside(place, O_PATH);
    if (found < 0 && errno == ENOENT) continue;
    must(found, "cannot open", place);
    if (faccessat(found, "", W_OK, AT_EMPTY_PATH) == 0 || (errno != EACCES && errno != EROFS)) {
      int tree = clone_tree(found, "");
      must(tree, "cannot cover", place);
      set_attributes(tree, "", AT_RECURSIVE, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC, 0);
      attach(tree, found, place);
    } else close(found);
  }
}

static void link_to(const char *target, const char *path) {
  const char *name;
  int parent = folder_of(path, &name);
  must(symlinkat(target, parent, name), "cannot make", path);
  close(parent);
}

static void mount_dev(const char *path) {
  static const char *const terminals[] = {"mode", "620", "ptmxmode", "666", NULL};
  attach(new_tmpfs(), make_folder(path), path);
  for (size_t i = 0; i < sizeof DEVICES / sizeof *DEVICES; i++) {
    int tree = clone_tree(AT_FDCWD, below("/dev", DEVICES[i]));
    must(tree, "cannot show", DEVICES[i]);
    mount_tree(tree, below(path, DEVICES[i]), MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
  }
  static const char *const streams[] = {"stdin", "stdout", "stderr"};
  for (int i = 0; i < 3; i++) {
    char target[] = "/proc/self/fd/0";
    target[sizeof target - 2] += (char)i;
    link_to(target, below(path, streams[i]));
  }
  link_to("/proc/self/fd", below(path, "fd"));
  link_to("/proc/kcore", below(path, "core"));
  close(make_folder(below(path, "shm")));
  const char *pts = below(path, "pts");
  attach(new_mount("devpts", terminals, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC), make_folder(pts), pts);
  link_to("pts/ptmx", below(path, "ptmx"));
}

/* A file that only the mount leads to. */
static void mount_data(int fd, const char *path, unsigned long long attributes) {
  static const char *const hidden = "/.data";
  size_t length;
  char *data = read_all(fd, &length);
  int file = openat(root, hidden + 1, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0444);
  must(file, "cannot make", path);
  for (size_t done = 0; done < length;) {
    ssize_t wrote = write(file, data + done, length - done);
    must(wrote, "cannot write", path);
    done += (size_t)wrote;
  }
  close(file);
  int tree = clone_tree(root, hidden + 1);
  must(tree, "cannot mount", path);
  must(unlinkat(root, hidden + 1, 0), "cannot remove", hidden);
  set_attributes(tree, "", 0, attributes, 0);
  attach(tree, make_file(path), path);
}

static void make_mounts(void) {
  must(syscall(SYS_mount, NULL, "/", NULL, PRIVATE_SLAVE_REC, NULL), "cannot keep mounts from", "others");
  root = new_tmpfs();
  /* It lies above the root folder, from where paths still begin below it: sources are all to be seen. */
  must(syscall(SYS_move_mount, root, "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH), "cannot mount on", "/");
  for (struct step *step = steps; step < steps + step_count; step++) {
    int found;
    switch (step->what) {
      case BIND:
        if (step->data >= 0) mount_data(step->data, step->to, step->attributes);
        else mount_source(step);
        break;
      case TMPFS: attach(new_tmpfs(), make_folder(step->to), step->to); break;
      case DIR: close(make_folder(step->to)); break;
      case SYMLINK: link_to(step->from, step->to); break;
      case PROC: mount_proc(step->to); break;
      case DEV: mount_dev(step->to); break;
      case READ_ONLY:
        must(found = open_inside(step->to, O_PATH), "cannot open", step->to);
        set_attributes(found, "", 0, MOUNT_ATTR_RDONLY, 0);
        close(found);
    }
  }
  must(fchdir(root), "cannot enter", "the new root");
  must(syscall(SYS_pivot_root, ".", "."), "cannot take", "the new root");
  must(syscall(SYS_umount2, ".", DETACH), "cannot leave", "the old root");
  must(chdir("/"), "cannot enter", "/");
}

/* ---------------------------------------------------------------- rights */

static void write_file(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  must(file, "cannot open", path);
  must(write(file, text, strlen(text)), "cannot write", path);
  close(file);
}

/* The agent's user stays what it is; no other is known inside. */
static void map_user(uid_t uid, gid_t gid) {
  char line[64];
  write_file("/proc/self/setgroups", "deny");
  snprintf(line, sizeof line, "%u %u 1", uid, uid);
  write_file("/proc/self/uid_map", line);
  snprintf(line, sizeof line, "%u %u 1", gid, gid);
  write_file("/proc/self/gid_map", line);
}

static void raise_loopback(void) {
  struct ifreq loopback = {.ifr_name = "lo"};
  int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  must(any, "cannot reach", "the loopback device");
  must(ioctl(any, SIOCGIFFLAGS, &loopback), "cannot look at", "the loopback device");
  loopback.ifr_flags |= IFF_UP;
  must(ioctl(any, SIOCSIFFLAGS, &loopback), "cannot start", "the loopback device");
  close(any);
}

static void keep_capabilities(unsigned kept) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{.effective = kept, .permitted = kept}};
  must(syscall(SYS_capset, &header, data), "cannot give up", "rights");
}

/* The kernel forgets it when the user changes, and says nothing of a box that has ended already. */
static void end_with_box(void) {
  struct pollfd box = {.fd = box_lives[0], .events = POLLIN};
  must(prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "cannot end", "with the box");
  if (poll(&box, 1, 0)) _exit(NOT_SET_UP);
}

/* For good: nothing that is started from here can have more. */
static void give_up_rights(void) {
  for (int right = 0; prctl(PR_CAPBSET_READ, right, 0, 0, 0) >= 0; right++)
    must(prctl(PR_CAPBSET_DROP, right, 0, 0, 0), "cannot give up", "a right");
  must(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), "cannot give up", "rights");
  if (user >= 0) {
    must(syscall(SYS_setgroups, 0, NULL), "cannot leave", "groups");
    must(syscall(SYS_setresgid, user, user, user), "cannot become", "the task's group");
    must(syscall(SYS_setresuid, user, user, user), "cannot become", "the task's user");
  }
  keep_capabilities(0);
  must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "cannot refuse", "new rights");
  must(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), "cannot close", "the first process");
  end_with_box();
  if (filter.len) must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0), "cannot filter", "system calls");
}

/* ---------------------------------------------------------------- processes */

static int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

static int wait_for(pid_t child) {
  int status;
  for (pid_t ended; (ended = waitpid(-1, &status, __WALL)) != child;)
    if (ended < 0 && errno != EINTR) die(NOT_SET_UP, "cannot wait");
  return code_of(status);
}

/* A file without a first line that names its interpreter is the shell's, which finds it as we did. */
static void run_script(char **command) {
  static char *const shell[] = {"sh", "-c", "exec \"$0\" \"$@\""};
  size_t count = 1;
  while (command[count - 1]) count++;
  char **words = space(NULL, sizeof shell + count * sizeof *words);
  memcpy(words, shell, sizeof shell);
  memcpy(words + sizeof shell / sizeof *shell, command, count * sizeof *words);
  execv("/bin/sh", words);
}

/* While there is no task to hear it. */
static void end_if_told(void) {
  sigset_t waiting;
  sigpending(&waiting);
  if (sigismember(&waiting, SIGTERM)) _exit(128 + SIGTERM);
}

static void run(char **command) {
  if (chdir(folder)) die(NOT_EXECUTABLE, "cannot enter %s", folder);
  umask(mask);
  environ = environment;
  execvp(command[0], command);
  if (errno == ENOEXEC) run_script(command);
  if (errno == ENOENT) {
    errno = 0;
    die(NOT_FOUND, "command not found: %s", command[0]);
  }
  die(NOT_EXECUTABLE, "cannot start %s", command[0]);
}

static void first(char **command, uid_t uid, gid_t gid, const sigset_t *signals) {
  close(box_lives[1]);
  end_with_box();
  if (namespaces & CLONE_NEWUSER) {
    map_user(uid, gid);
    if (no_nested_users) write_file("/proc/sys/user/max_user_namespaces", "0");
  }
  if (namespaces & CLONE_NEWNET) raise_loopback();
  make_mounts();
  give_up_rights();
  must(syscall(SYS_close_range, 3, ~0U, 0), "cannot close", "descriptors");
  end_if_told();
  pid_t child = vfork();
  must(child, "cannot start", command[0]);
  if (child == 0) {
    sigprocmask(SIG_SETMASK, signals, NULL);
    run(command);
  }
  _exit(wait_for(child));
}

int main(int count, char **words) {
  if (count == 2 && !strcmp(words[1], "--version")) return puts("imker-box " VERSION) < 0;
  if (count < 5 || strcmp(words[1], "--args") || strcmp(words[3], "--"))
    die(NOT_SET_UP, "usage: imker-box --args FD -- COMMAND [ARGUMENTS]");
  mask = umask(0);
  environment = space(NULL, sizeof *environment);
  *environment = NULL;
  size_t length;
  char *options = read_all((int)number(words[2]), &length);
  read_options(options, length);
  if (!(namespaces & CLONE_NEWPID)) die(NOT_SET_UP, "processes have to be apart");
  if (!(namespaces & CLONE_NEWUSER) == (user <= 0)) die(NOT_SET_UP, "either a user or its namespace is needed");
  if (filter_fd >= 0) read_filter();
  uid_t uid = geteuid();
  gid_t gid = getegid();
  /* Only the task hears that it is to end; the box ends with it. */
  sigset_t all, former;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &former);
  end_if_told(); // none that waits is inherited
  must(pipe2(box_lives, O_CLOEXEC), "cannot make", "a pipe");
  struct clone_args how = {.flags = namespaces, .exit_signal = SIGCHLD};
  pid_t child = (pid_t)syscall(SYS_clone3, &how, sizeof how);
  must(child, "cannot make", "namespaces");
  if (child == 0) first(words + 4, uid, gid, &former);
  keep_capabilities(user > 0 ? 1u << CAP_KILL : 0); // the signal of its end is of its user, to the task's
  return wait_for(child);
}
