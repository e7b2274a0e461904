package dev.imker.bench.wire;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Messages a second and request times of our sessions, next to a raw Netty pipe and a gRPC stream
 * in the same run. The receivers are processes of their own; contenders are measured in turns, and
 * what is printed are medians over the rounds. Prints tables in Markdown.
 *
 * <p>Arguments: {@code --seconds=N} for each measurement in a round, {@code --rounds=N}, {@code
 * --only=imker,netty} for some of imker, imker-inline, netty-ws, netty, grpc and slow.
 */
public final class WireBench {

  private static final List<String> CONTENDERS =
      List.of("imker", "imker-inline", "netty-ws", "netty", "grpc");
  private static final int[] PAYLOADS = {16, 64, 1024};
  private static final String[] TIMES = {
    "p50 idle", "p99 idle", "p50 loaded", "p99 loaded", "p99.9 loaded"
  };
  private static final int WARM_UPS = 4;
  private static final PrintStream OUT = System.out;

  private final double seconds;
  private final int rounds;
  private final List<String> only;
  private final Map<String, Samples> figures = new LinkedHashMap<>();
  private final List<String> names = new ArrayList<>();

  private WireBench(double seconds, int rounds, List<String> only) {
    this.seconds = seconds;
    this.rounds = rounds;
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
    String only = option(args, "--only=", "");
    new WireBench(
            Double.parseDouble(option(args, "--seconds=", "1")),
            Integer.parseInt(option(args, "--rounds=", "5")),
            only.isEmpty() ? List.of() : List.of(only.split(",", -1)))
        .runAll();
  }

  private static String option(String[] args, String prefix, String standard) {
    return Arrays.stream(args)
        .filter(arg -> arg.startsWith(prefix))
        .map(arg -> arg.substring(prefix.length()))
        .findFirst()
        .orElse(standard);
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
    List<Competitor> competitors = new ArrayList<>();
    try {
      for (String key : CONTENDERS) {
        if (only.isEmpty() || only.contains(key)) {
          competitors.add(Competitor.start(WireBench.class, key, contender(key)));
          names.add(competitors.getLast().name());
        }
      }
      for (int warmUp = 0; warmUp < WARM_UPS; warmUp++) {
        for (Competitor competitor : competitors) {
          competitor.messagesPerSecond(PAYLOADS[0], seconds);
          competitor.requestMicros(seconds / 2);
        }
      }
      for (int round = 0; round < rounds; round++) {
        measure(competitors);
      }
    } finally {
      for (Competitor competitor : competitors) {
        competitor.close();
      }
    }
    printTables();
    if (only.isEmpty() || only.contains("slow")) {
      SlowReader.run(OUT);
    }
  }

  private void measure(List<Competitor> competitors) throws Exception {
    for (int payload : PAYLOADS) {
      for (Competitor competitor : competitors) {
        long cpuBefore = competitor.cpuNanos();
        double rate = competitor.messagesPerSecond(payload, seconds);
        figure(rate(payload)).add(competitor.name(), rate);
        figure(cpu(payload))
            .add(competitor.name(), (competitor.cpuNanos() - cpuBefore) / (rate * seconds));
      }
    }
    for (Competitor competitor : competitors) {
      double[] idle = competitor.requestMicros(seconds);
      figure(TIMES[0]).add(competitor.name(), idle[0]);
      figure(TIMES[1]).add(competitor.name(), idle[1]);
    }
    for (Competitor competitor : competitors) {
      double[] loaded = competitor.requestMicrosUnderLoad(seconds);
      for (int i = 0; i < loaded.length; i++) {
        figure(TIMES[2 + i]).add(competitor.name(), loaded[i]);
      }
    }
  }

  private Samples figure(String name) {
    return figures.computeIfAbsent(name, _ -> new Samples());
  }

  private static String rate(int payload) {
    return "rate " + payload;
  }

  private static String cpu(int payload) {
    return "cpu " + payload;
  }

  private void printTables() {
    String imker = names.getFirst();
    OUT.println("\n| one way, messages/s | 16 B | 64 B | 1 KiB |\n|---|---:|---:|---:|");
    for (String name : names) {
      OUT.print("| " + name);
      for (int payload : PAYLOADS) {
        OUT.printf(Locale.ROOT, " | %,.0f", figure(rate(payload)).median(name));
      }
      OUT.println(" |");
    }
    for (String name : names.subList(1, names.size())) {
      OUT.print("| " + imker + " / " + name);
      for (int payload : PAYLOADS) {
        OUT.printf(Locale.ROOT, " | %.2f ×", figure(rate(payload)).ratio(imker, name));
      }
      OUT.println(" |");
    }
    OUT.println("\n| CPU ns/message, both processes | 16 B | 64 B | 1 KiB |\n|---|---:|---:|---:|");
    for (String name : names) {
      OUT.print("| " + name);
      for (int payload : PAYLOADS) {
        OUT.printf(Locale.ROOT, " | %,.0f", figure(cpu(payload)).median(name));
      }
      OUT.println(" |");
    }
    OUT.println(
        "\n| request/response, µs | "
            + String.join(" | ", TIMES)
            + " |\n|---|---:|---:|---:|---:|---:|");
    for (String name : names) {
      OUT.print("| " + name);
      for (String time : TIMES) {
        OUT.printf(Locale.ROOT, " | %.1f", figure(time).median(name));
      }
      OUT.println(" |");
    }
    for (String name : names.subList(1, names.size())) {
      OUT.print("| " + imker + " / " + name);
      for (String time : TIMES) {
        OUT.printf(Locale.ROOT, " | %.2f ×", figure(time).ratio(imker, name));
      }
      OUT.println(" |");
    }
  }
}
