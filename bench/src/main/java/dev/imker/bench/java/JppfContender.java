package dev.imker.bench.java;

import java.io.IOException;
import java.io.Serializable;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jppf.client.JPPFClient;
import org.jppf.client.JPPFJob;
import org.jppf.node.protocol.Task;
import org.jppf.utils.TypedProperties;

/**
 * JPPF: a driver and a node as processes of their own, as its manual has them. Without its
 * management the driver of 6.2 throws at every node that comes, and no job ever ends.
 */
public final class JppfContender implements Contender {
  private static final String DRIVER = "org.jppf.server.JPPFDriver";
  private static final String NODE = "org.jppf.node.NodeRunner";

  /** A call that gives back its number. */
  record Echo(int number) implements Callable<Integer>, Serializable {
    @Override
    public Integer call() {
      return number;
    }
  }

  private final Path folder;
  private final List<Process> processes;
  private final JPPFClient client;

  private JppfContender(Path folder, List<Process> processes, JPPFClient client) {
    this.folder = folder;
    this.processes = processes;
    this.client = client;
  }

  public static JppfContender start(int threads) throws IOException {
    Path folder = Files.createTempDirectory("jppf-bench");
    int port = freePort();
    Path config =
        Files.writeString(
            folder.resolve("jppf.properties"),
            """
            jppf.server.host = localhost
            jppf.server.port = %d
            jppf.discovery.enabled = false
            jppf.peer.discovery.enabled = false
            jppf.processing.threads = %d
            """
                .formatted(port, threads));
    List<Process> processes = new ArrayList<>();
    processes.add(launch(folder, config, DRIVER));
    processes.add(launch(folder, config, NODE));
    TypedProperties properties =
        new TypedProperties()
            .set(org.jppf.utils.configuration.JPPFProperties.DISCOVERY_ENABLED, false);
    properties.setString("jppf.drivers", "driver");
    properties.setString("driver.jppf.server.host", "localhost");
    properties.setInt("driver.jppf.server.port", port);
    return new JppfContender(folder, processes, new JPPFClient(properties));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static Process launch(Path folder, Path config, String main) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djppf.config=" + config,
            "-cp",
            System.getProperty("java.class.path"),
            main,
            "noLauncher")
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(main + ".log").toFile())
        .start();
  }

  @Override
  public void calls(int count) throws Exception {
    JPPFJob job = new JPPFJob();
    for (int i = 0; i < count; i++) {
      job.add(new Echo(i));
    }
    List<Task<?>> results = client.submit(job);
    for (int i = 0; i < count; i++) {
      if (!Integer.valueOf(i).equals(results.get(i).getResult())) {
        throw new IllegalStateException(
            "wrong result of call " + i + ": " + results.get(i).getThrowable());
      }
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
    for (Process process : processes) {
      var _ = process.destroyForcibly().onExit().join();
    }
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
