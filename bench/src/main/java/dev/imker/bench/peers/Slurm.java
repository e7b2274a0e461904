package dev.imker.bench.peers;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A cluster of this machine alone: slurmctld and slurmd, on the loopback. */
final class Slurm implements AutoCloseable {
  private final Path folder;
  private final Path config;
  private final List<Process> processes = new ArrayList<>();

  private Slurm(Path folder, Path config) {
    this.folder = folder;
    this.config = config;
  }

  static Slurm start(Path folder) throws IOException, InterruptedException {
    String host = InetAddress.getLocalHost().getHostName().split("\\.", 2)[0];
    Path state = Files.createDirectories(folder.resolve("state"));
    Path spool = Files.createDirectories(folder.resolve("spool"));
    Path config =
        Files.writeString(
            folder.resolve("slurm.conf"),
            """
            ClusterName=bench
            SlurmctldHost=%1$s(127.0.0.1)
            SlurmctldPort=%2$d
            SlurmdPort=%3$d
            CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
            AuthType=auth/none
            CredType=cred/none
            SlurmUser=root
            StateSaveLocation=%4$s
            SlurmdSpoolDir=%5$s
            SlurmctldPidFile=%4$s/pid
            SlurmdPidFile=%5$s/pid
            ProctrackType=proctrack/pgid
            TaskPlugin=task/none
            JobAcctGatherType=jobacct_gather/none
            SelectType=select/cons_tres
            SelectTypeParameters=CR_Core
            SchedulerParameters=batch_sched_delay=20,default_queue_depth=10000,sched_interval=30,sched_min_interval=20000
            MessageTimeout=60
            MinJobAge=10
            MaxJobCount=50000
            MaxArraySize=20001
            ReturnToService=2
            NodeName=%1$s NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
            PartitionName=all Nodes=%1$s Default=YES MaxTime=INFINITE State=UP
            """
                .formatted(host, Gearman.freePort(), Gearman.freePort(), state, spool));
    Slurm slurm = new Slurm(folder, config);
    slurm.launch("slurmctld", "-D", "-f", config.toString(), "-i");
    slurm.launch("slurmd", "-D", "-f", config.toString());
    slurm.shell("until sinfo -h -o %T | grep -q idle; do sleep 0.2; done");
    return slurm;
  }

  private void launch(String... command) throws IOException {
    ProcessBuilder builder = Tool.process(folder, command);
    builder.environment().put("SLURM_CONF", config.toString());
    processes.add(
        builder
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(command[0] + ".log").toFile())
            .start());
  }

  private void shell(String line) throws IOException, InterruptedException {
    Tool.shell(folder, "export SLURM_CONF=" + config + "; " + line);
  }

  void run(int count) throws IOException, InterruptedException {
    shell(
        "sbatch -Q --array=1-"
            + count
            + " --output=/dev/null --wrap='exec /bin/true'"
            + "; while [ -n \"$(squeue -h | head -n 1)\" ]; do sleep 0.1; done");
  }

  @Override
  public void close() {
    for (Process process : processes.reversed()) {
      var _ = process.destroyForcibly().onExit().join();
    }
  }
}
