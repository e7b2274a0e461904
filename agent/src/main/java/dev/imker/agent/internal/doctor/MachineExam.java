package dev.imker.agent.internal.doctor;

import dev.imker.agent.ExamFinding;
import dev.imker.agent.OwnerActive;
import dev.imker.agent.internal.confine.Bubblewrap;
import dev.imker.agent.internal.confine.Confinements;
import dev.imker.agent.internal.platform.PlatformProbe;
import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.platform.RuntimeCatalogue;
import dev.imker.agent.internal.platform.Runtimes;
import dev.imker.agent.internal.policy.Policy;
import dev.imker.agent.internal.process.ControlGroups;
import dev.imker.agent.internal.process.PosixSpawnExecutor;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks of the machine itself. */
public final class MachineExam {
  private static final long LITTLE_DISK_BYTES = 1L << 30;
  private static final int OLDEST_JAVA = 25;

  private final Path data;
  private final Optional<Path> policyFile;
  private final Programs programs;
  private final List<ExamFinding> findings = new ArrayList<>();

  public MachineExam(Path data, Optional<Path> policyFile, Map<String, String> env) {
    this.data = data;
    this.policyFile = policyFile;
    this.programs = new Programs(env.getOrDefault("PATH", ""));
  }

  public List<ExamFinding> findings() {
    examineJava();
    examineUser();
    examineFolder();
    examineMemory();
    Policy policy = examinePolicy();
    examineSandbox(policy);
    examineGroups();
    examineRuntimes();
    return findings;
  }

  private void examineJava() {
    int version = Runtime.version().feature();
    String text = System.getProperty("java.vendor") + " " + Runtime.version();
    if (version < OLDEST_JAVA) {
      findings.add(ExamFinding.bad("java", text, "Install a JDK " + OLDEST_JAVA + " or newer."));
    } else if (PosixSpawnExecutor.isSupported()) {
      findings.add(ExamFinding.fine("java", text));
    } else {
      findings.add(
          ExamFinding.note(
              "java",
              text + ", without direct access to the system",
              "Tasks start more slowly and memory limits are not enforced. On Linux with"
                  + " glibc 2.34 or newer, start Java with --enable-native-access=ALL-UNNAMED."));
    }
  }

  private void examineUser() {
    String user = System.getProperty("user.name");
    if (user.equals("root")) {
      findings.add(
          ExamFinding.note(
              "user",
              "the agent would run as root",
              "Run it as an ordinary user; outside a sandbox, tasks can do whatever their"
                  + " user can."));
    } else {
      findings.add(ExamFinding.fine("user", user));
    }
  }

  private void examineFolder() {
    try {
      Path probe = Files.createTempFile(Files.createDirectories(data), "doctor", ".tmp");
      Files.delete(probe);
      long free = Files.getFileStore(data).getUsableSpace();
      String text = data + ", " + free / (1 << 20) + " MB free";
      findings.add(
          free < LITTLE_DISK_BYTES
              ? ExamFinding.note(
                  "folder",
                  text,
                  "Inputs and results need disk space: free some, or use --data DIR.")
              : ExamFinding.fine("folder", text));
    } catch (IOException e) {
      findings.add(
          ExamFinding.bad(
              "folder",
              data + " cannot be written (" + e.getMessage() + ")",
              "Choose another folder with --data DIR."));
    }
  }

  private void examineMemory() {
    long free = PlatformProbe.availableMemoryBytes() >> 20;
    findings.add(
        ExamFinding.fine("memory", free + " MB available, " + PlatformProbe.cores() + " cores"));
  }

  private Policy examinePolicy() {
    try {
      Policy policy = Policy.find(policyFile, data, OwnerActive.SCREEN);
      boolean none = policyFile.isEmpty() && !Files.exists(data.resolve(Policy.FILE));
      findings.add(
          ExamFinding.fine(
              "policy",
              none
                  ? "none: the whole machine is lent to everybody while nobody uses its screen"
                  : "understood: " + policyFile.orElse(data.resolve(Policy.FILE))));
      return policy;
    } catch (ImkerException e) {
      findings.add(
          ExamFinding.bad(
              "policy", String.valueOf(e.getMessage()), "docs/agent.md lists all settings."));
      return Policy.GENEROUS;
    }
  }

  private void examineSandbox(Policy policy) {
    Bubblewrap.Attempt attempt = Confinements.tryOut(policy, data, programs);
    Confinements.networkTrouble(policy, programs)
        .ifPresent(
            trouble ->
                findings.add(
                    ExamFinding.note(
                        "network",
                        trouble,
                        "Install pasta (package passt) or slirp4netns, and let this user"
                            + " open /dev/net/tun; or set 'network: no' in the policy.")));
    if (attempt.sandbox().isPresent()) {
      findings.add(ExamFinding.fine("sandbox", attempt.sandbox().get().inWords() + " works"));
      return;
    }
    String advice =
        "Install bubblewrap, for example with: apt-get install bubblewrap. If it is"
            + " installed, the system may forbid user namespaces (sysctl"
            + " kernel.unprivileged_userns_clone,"
            + " kernel.apparmor_restrict_unprivileged_userns).";
    boolean demanded = policy.sandbox() == Policy.SandboxMode.ON;
    String text = attempt.reason() + "; tasks run as plain processes of this user";
    findings.add(
        demanded
            ? ExamFinding.bad("sandbox", attempt.reason() + ", and the policy requires it", advice)
            : ExamFinding.note("sandbox", text, advice));
  }

  /** For an agent started from the same place; a service may have more. */
  private void examineGroups() {
    ControlGroups.Attempt attempt = ControlGroups.examine();
    findings.add(
        attempt.groups().isPresent()
            ? ExamFinding.fine("processes", attempt.inWords())
            : ExamFinding.note(
                "processes",
                "processes of a task are tracked by " + attempt.inWords(),
                "That is enough for most uses. As a service ('imker agent install') the"
                    + " agent can create control groups, which also catch processes that detach"
                    + " from a task, and limit its memory."));
  }

  private void examineRuntimes() {
    try {
      RuntimeCatalogue catalogue = RuntimeCatalogue.with(data.resolve("runtimes.txt"));
      Map<String, String> present =
          new Runtimes(data.resolve("runtimes.properties"), programs, catalogue).present();
      findings.add(ExamFinding.fine("runtimes", String.join(", ", present.keySet())));
    } catch (ImkerException e) {
      findings.add(
          ExamFinding.bad("runtimes", String.valueOf(e.getMessage()), "Correct that line."));
    }
  }
}
