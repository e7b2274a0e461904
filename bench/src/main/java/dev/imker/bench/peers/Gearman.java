package dev.imker.bench.peers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** gearmand with two workers that start a command for every job. */
final class Gearman implements AutoCloseable {
  private final Path folder;
  private final int port;
  private final List<Process> processes = new ArrayList<>();

  private Gearman(Path folder, int port) {
    this.folder = folder;
    this.port = port;
  }

  static Gearman start(Path folder) throws IOException, InterruptedException {
    Gearman gearman = new Gearman(folder, freePort());
    String port = Integer.toString(gearman.port);
    gearman.launch("gearmand", "-L", "127.0.0.1", "-p", port, "-l", "stderr", "--user", "root");
    Tool.shell(
        folder, "until gearadmin -h 127.0.0.1 -p " + port + " --status; do sleep 0.05; done");
    for (int i = 0; i < 2; i++) {
      gearman.launch(
          "gearman", "-h", "127.0.0.1", "-p", port, "-w", "-f", "work", "--", "/bin/true");
    }
    return gearman;
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void launch(String... command) throws IOException {
    processes.add(
        Tool.process(folder, command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  void run(int count) throws IOException, InterruptedException {
    String client =
        "seq %d | gearman -h 127.0.0.1 -p %d -n -f work >/dev/null".formatted(count / 2, port);
    Tool.shell(folder, client + " & " + client + "; wait");
  }

  @Override
  public void close() {
    for (Process process : processes) {
      var _ = process.destroyForcibly().onExit().join();
    }
  }
}
