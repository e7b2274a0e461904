package dev.imker.bench;

import dev.imker.bench.wire.Contender;
import dev.imker.bench.wire.GrpcContender;
import dev.imker.bench.wire.ImkerContender;
import dev.imker.bench.wire.NettyContender;
import dev.imker.bench.wire.NettyWebSocketContender;
import dev.imker.bench.wire.SlowReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Messages a second and request times of our sessions, next to a raw Netty pipe and a gRPC stream
 * in the same run. The receiver is a process of its own. Prints tables in Markdown.
 *
 * <p>Arguments: {@code --seconds=N} for each measurement, {@code --only=imker,netty} for some of
 * imker, imker-inline, netty-ws, netty, grpc and slow.
 */
public final class WireBench {

  private static final int[] PAYLOADS = {16, 64, 1024};
  private static final PrintStream OUT = System.out;

  private final double seconds;
  private final List<String> only;
  private final Map<String, Map<Integer, Double>> rates = new LinkedHashMap<>();
  private final Map<String, Map<Integer, Double>> cpuNanosPerMessage = new LinkedHashMap<>();
  private final Map<String, double[]> idleMicros = new LinkedHashMap<>();
  private final Map<String, double[]> loadedMicros = new LinkedHashMap<>();

  private WireBench(double seconds, List<String> only) {
    this.seconds = seconds;
    this.only = only;
  }

  public static void main(String... args) throws Exception {
    if (args.length == 2 && args[0].equals("--serve")) {
      serve(args[1]);
      return;
    }
    run(args);
    Runtime.getRuntime().halt(0);
  }

  public static void run(String... args) throws Exception {
    List<String> arguments = List.of(args);
    List<String> only =
        arguments.stream()
            .filter(a -> a.startsWith("--only="))
            .flatMap(a -> Arrays.stream(a.substring(7).split(",", -1)))
            .toList();
    double seconds =
        arguments.stream()
            .filter(a -> a.startsWith("--seconds="))
            .mapToDouble(a -> Double.parseDouble(a.substring(10)))
            .findFirst()
            .orElse(4);
    new WireBench(seconds, only).runAll();
  }

  private static Contender contender(String name) {
    return switch (name) {
      case "imker" -> new ImkerContender(false);
      case "imker-inline" -> new ImkerContender(true);
      case "netty" -> new NettyContender();
      case "netty-ws" -> new NettyWebSocketContender();
      case "grpc" -> new GrpcContender();
      default -> throw new IllegalArgumentException("no such contender: " + name);
    };
  }

  /** What the child process does: serve, tell the port, live until its input ends. */
  private static void serve(String name) throws Exception {
    OUT.println("port " + contender(name).serve());
    OUT.flush();
    System.in.transferTo(OutputStream.nullOutputStream());
    Runtime.getRuntime().halt(0);
  }

  private void runAll() throws Exception {
    for (String name : List.of("imker", "imker-inline", "netty-ws", "netty", "grpc")) {
      if (only.isEmpty() || only.contains(name)) {
        measure(name);
      }
    }
    printTables();
    if (only.isEmpty() || only.contains("slow")) {
      SlowReader.run(OUT);
    }
  }

  private void measure(String name) throws Exception {
    Process server = startServer(name);
    try {
      int port = readPort(server);
      Contender contender = contender(name);
      Contender.Client client = contender.connect(port);
      try {
        warmUp(client);
        for (int payload : PAYLOADS) {
          oneWay(client, payload, seconds / 4);
          long cpuBefore = cpuNanos(server);
          double rate = oneWay(client, payload, seconds);
          rates.computeIfAbsent(contender.name(), _ -> new LinkedHashMap<>()).put(payload, rate);
          cpuNanosPerMessage
              .computeIfAbsent(contender.name(), _ -> new LinkedHashMap<>())
              .put(payload, (cpuNanos(server) - cpuBefore) / (rate * seconds));
        }
        requests(client, seconds / 2);
        idleMicros.put(contender.name(), requests(client, seconds));
        loadedMicros.put(contender.name(), requestsUnderLoad(client));
      } finally {
        client.close();
      }
    } finally {
      server.destroy();
      server.waitFor();
    }
  }

  /** Processor time that both processes have used. */
  private static long cpuNanos(Process server) {
    return server.info().totalCpuDuration().orElse(Duration.ZERO).toNanos()
        + ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }

  private static Process startServer(String name) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            WireBench.class.getName(),
            "--serve",
            name));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static int readPort(Process server) throws IOException {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith("port ")) {
        return Integer.parseInt(line.substring(5));
      }
    }
    throw new IOException("the serving process ended early");
  }

  /** The compilers of both processes need their time, more so on a busy machine. */
  private void warmUp(Contender.Client client) throws Exception {
    for (int round = 0; round < 4; round++) {
      oneWay(client, PAYLOADS[0], seconds / 2);
      requests(client, seconds / 8);
    }
  }

  /** Messages a second, counted when the last one is consumed. */
  private static double oneWay(Contender.Client client, int payloadBytes, double seconds)
      throws Exception {
    byte[] payload = new byte[payloadBytes];
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    long sent = 0;
    while (System.nanoTime() < end) {
      for (int i = 0; i < 1000; i++) {
        client.send(payload);
      }
      sent += 1000;
    }
    client.flush();
    client.request(payload);
    return sent / ((System.nanoTime() - start) / 1e9);
  }

  /** 50th, 99th and 99.9th percentile of request times, in microseconds. */
  private static double[] requests(Contender.Client client, double seconds) throws Exception {
    byte[] payload = new byte[16];
    long end = System.nanoTime() + (long) (seconds * 1e9);
    long[] times = new long[1 << 20];
    int count = 0;
    for (long before = System.nanoTime(); before < end && count < times.length; ) {
      client.request(payload);
      long after = System.nanoTime();
      times[count++] = after - before;
      before = after;
    }
    Arrays.sort(times, 0, count);
    return new double[] {
      times[count / 2] / 1e3, times[count * 99 / 100] / 1e3, times[(int) (count * 0.999)] / 1e3
    };
  }

  private double[] requestsUnderLoad(Contender.Client client) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    Thread load = Thread.ofPlatform().daemon().start(() -> flood(client, stop));
    try {
      requests(client, seconds / 2);
      return requests(client, seconds);
    } finally {
      stop.set(true);
      load.join();
    }
  }

  private static void flood(Contender.Client client, AtomicBoolean stop) {
    byte[] payload = new byte[16];
    try {
      while (!stop.get()) {
        client.send(payload);
      }
      client.flush();
    } catch (Exception e) {
      throw new IllegalStateException("flood failed", e);
    }
  }

  private void printTables() {
    OUT.println("\n| one way, messages/s | 16 B | 64 B | 1 KiB |\n|---|---:|---:|---:|");
    rates.forEach(
        (name, byPayload) -> {
          OUT.print("| " + name);
          byPayload.values().forEach(rate -> OUT.printf(" | %,.0f", rate));
          OUT.println(" |");
        });
    ratio("Netty WebSocket");
    ratio("raw Netty");
    ratio("gRPC stream");
    OUT.println("\n| CPU ns/message, both processes | 16 B | 64 B | 1 KiB |\n|---|---:|---:|---:|");
    cpuNanosPerMessage.forEach(
        (name, byPayload) -> {
          OUT.print("| " + name);
          byPayload.values().forEach(nanos -> OUT.printf(" | %,.0f", nanos));
          OUT.println(" |");
        });
    OUT.println(
        "\n| request/response, µs | p50 idle | p99 idle | p50 loaded | p99 loaded | p99.9 loaded |"
            + "\n|---|---:|---:|---:|---:|---:|");
    idleMicros.forEach(
        (name, idle) -> {
          double[] loaded = loadedMicros.getOrDefault(name, new double[3]);
          OUT.printf(
              "| %s | %.1f | %.1f | %.1f | %.1f | %.1f |%n",
              name, idle[0], idle[1], loaded[0], loaded[1], loaded[2]);
        });
  }

  private void ratio(String other) {
    Optional.ofNullable(rates.get("imker"))
        .ifPresent(
            own -> {
              Map<Integer, Double> theirs = rates.get(other);
              if (theirs != null) {
                OUT.print("| imker / " + other);
                own.forEach(
                    (payload, rate) ->
                        OUT.printf(" | %.2f ×", rate / theirs.getOrDefault(payload, Double.NaN)));
                OUT.println(" |");
              }
            });
  }
}
