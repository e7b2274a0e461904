package dev.imker.bench.java;

import java.io.IOException;
import java.io.Serializable;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jppf.JPPFException;
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

  /** A call that leaves a line in a file and never ends. */
  record Endless(String file) implements Callable<Integer>, Serializable {
    @Override
    public Integer call() throws Exception {
      Files.writeString(
          Path.of(file), "begun\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      new CountDownLatch(1).await();
      return 0;
    }
  }

  private final Path folder;
  private final Path config;
  private Process driver;
  private final List<Process> nodes = new ArrayList<>();
  private final JPPFClient client;

  private JppfContender(Path folder, Path config, TypedProperties properties) throws IOException {
    this.folder = folder;
    this.config = config;
    this.driver = launch(DRIVER);
    addNode();
    this.client = new JPPFClient(properties);
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
    TypedProperties properties =
        new TypedProperties()
            .set(org.jppf.utils.configuration.JPPFProperties.DISCOVERY_ENABLED, false);
    properties.setString("jppf.drivers", "driver");
    properties.setString("driver.jppf.server.host", "localhost");
    properties.setInt("driver.jppf.server.port", port);
    return new JppfContender(folder, config, properties);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Another one, which comes by itself when it is ready. */
  public void addNode() throws IOException {
    nodes.add(launch(NODE));
  }

  /** With SIGKILL. */
  public void killFirstNode() throws InterruptedException {
    nodes.removeFirst().destroyForcibly().waitFor();
  }

  /** Kills it with SIGKILL; nodes and clients come back by themselves. */
  public void restartDriver() throws IOException, InterruptedException {
    driver.destroyForcibly().waitFor();
    driver = launch(DRIVER);
  }

  public List<Long> processes() {
    return Stream.concat(Stream.of(driver), nodes.stream()).map(Process::pid).toList();
  }

  public void beginEndless(Path file) throws JPPFException {
    JPPFJob job = new JPPFJob();
    job.add(new Endless(file.toString()));
    var _ = client.submitAsync(job);
  }

  private Process launch(String main) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djppf.config=" + config,
            "-cp",
            System.getProperty("java.class.path"),
            main,
            "noLauncher")
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve(main + ".log").toFile()))
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
    for (long process : processes()) {
      ProcessHandle.of(process).ifPresent(ProcessHandle::destroyForcibly);
    }
    for (Process process : nodes) {
      var _ = process.onExit().join();
    }
    var _ = driver.onExit().join();
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
