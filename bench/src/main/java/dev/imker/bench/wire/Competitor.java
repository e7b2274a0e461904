package dev.imker.bench.wire;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A contender with its serving process and one connection to it. */
final class Competitor implements AutoCloseable {

  private final Contender contender;
  private final Process server;
  private final Contender.Client client;

  private Competitor(Contender contender, Process server, Contender.Client client) {
    this.contender = contender;
    this.server = server;
    this.client = client;
  }

  /** Starts {@code main --serve key}, which has to print {@code port N}, and connects to it. */
  public static Competitor start(Class<?> main, String key, Contender contender) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), main.getName(), "--serve", key));
    Process server =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new Competitor(contender, server, contender.connect(readPort(server)));
  }

  public String name() {
    return contender.name();
  }

  /** Messages a second, counted when the last one is consumed. */
  public double messagesPerSecond(int payloadBytes, double seconds) throws Exception {
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
  public double[] requestMicros(double seconds) throws Exception {
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

  /** The same while another thread sends one way as fast as it can. */
  public double[] requestMicrosUnderLoad(double seconds) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    Thread load = Thread.ofPlatform().daemon().start(() -> flood(stop));
    try {
      requestMicros(seconds / 2);
      return requestMicros(seconds);
    } finally {
      stop.set(true);
      load.join();
      // The next measurement begins when all of this is consumed.
      client.request(new byte[16]);
    }
  }

  private void flood(AtomicBoolean stop) {
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

  /** Processor time that both processes have used. */
  public long cpuNanos() {
    return server.info().totalCpuDuration().orElse(Duration.ZERO).toNanos()
        + ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }

  @Override
  public void close() {
    client.close();
    server.destroy();
    try {
      server.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
}
