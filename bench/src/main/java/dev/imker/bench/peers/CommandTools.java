package dev.imker.bench.peers;

import dev.imker.bench.pool.PoolProcesses;
import dev.imker.cli.api.ApiClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Short commands, two at a time. */
final class CommandTools {
  private static final String BUBBLEWRAP =
      "bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --unshare-all --die-with-parent ";

  private CommandTools() {}

  static void run(int rounds, int count) throws Exception {
    Path folder = Files.createTempDirectory("peers-commands-");
    List<AutoCloseable> running = new ArrayList<>();
    try (PoolProcesses plain = PoolProcesses.start();
        PoolProcesses sandboxed = PoolProcesses.start()) {
      plain.addNode("plain", 2, ImkerPeer.NO_SANDBOX);
      List<Tool> tools = new ArrayList<>();
      tools.add(new Tool("Imker", "SQLite on disk, agent without sandbox", count, pool(plain)));
      tools.add(new Tool("xargs", "-P 2 -n 1", count, n -> Tool.shell(folder, xargs(n, ""))));
      if (Tool.usable("parallel", "parallel")) {
        tools.add(
            new Tool(
                "GNU parallel",
                "-j 2 --will-cite",
                count / 5,
                n -> Tool.shell(folder, "seq " + n + " | parallel --will-cite -j 2 /bin/true {}")));
      }
      if (Tool.usable("gearmand", "gearman-job-server gearman-tools")) {
        Gearman gearman = Gearman.start(folder);
        running.add(gearman);
        tools.add(
            new Tool("gearman", "gearmand in memory, 2 workers, 2 clients", count, gearman::run));
      }
      if (Tool.usable("slurmctld", "slurm-wlm")) {
        Slurm slurm = Slurm.start(folder);
        running.add(slurm);
        tools.add(
            new Tool(
                "Slurm",
                "slurmctld and slurmd without accounting, job arrays, SchedulerParameters of its"
                    + " high-throughput guide",
                Math.max(20, count / 50),
                slurm::run));
      }
      if (Tool.usable("bwrap", "bubblewrap")) {
        sandboxed.addNode("sandboxed", 2, "sandbox: on\n");
        tools.add(new Tool("Imker, sandboxed", "as before, sandbox: on", count, pool(sandboxed)));
        tools.add(
            new Tool(
                "xargs, bubblewrap",
                "-P 2 -n 1 " + BUBBLEWRAP.strip(),
                count,
                n -> Tool.shell(folder, xargs(n, BUBBLEWRAP))));
      }
      Tool.compare("commands", "Commands a second (/bin/true), two at a time", rounds, tools);
    } finally {
      for (AutoCloseable one : running) {
        one.close();
      }
      Tool.deleteTree(folder);
    }
  }

  private static String xargs(int count, String before) {
    return "seq " + count + " | xargs -P 2 -n 1 " + before + "/bin/true";
  }

  private static Tool.Work pool(PoolProcesses pool) {
    return count -> {
      try (ApiClient api = pool.client()) {
        ImkerPeer.runFile(
            api,
            "imker: 1\nname: commands\ncommand: [/bin/true, '${n}']\nsweep: {n: 1..%d}\n"
                .formatted(count),
            count);
      }
    };
  }
}
