package dev.imker.bench;

import dev.imker.bench.agents.AgentsBench;
import dev.imker.bench.java.JavaBench;
import dev.imker.bench.neighbour.NeighbourBench;
import dev.imker.bench.packing.PackingBench;
import dev.imker.bench.peers.PeersBench;
import dev.imker.bench.planner.PlannerBench;
import dev.imker.bench.pool.CoordinationBench;
import dev.imker.bench.pool.TakeOverBench;
import dev.imker.bench.wire.WireBench;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code ./imker bench NAME [ARGS]}: runs one benchmark; without a name, lists them. */
public final class Main {
  interface Benchmark {
    void run(String... args) throws Exception;
  }

  private record Entry(String description, Benchmark benchmark) {}

  private static final Map<String, Entry> BENCHMARKS = new LinkedHashMap<>();

  static {
    add(
        "dispatch",
        "[TASKS] [postgresql]: no-op tasks a second end to end, latency of a single task",
        DispatchBench::run);
    add(
        "spawn",
        "[COUNT [PARALLEL [auto|on|off]]]: processes, in that sandbox, next to xargs",
        SpawnBench::run);
    add("core", "one decision against the length of the queue", CoreBench::main);
    add(
        "packing",
        "[STRATEGY]: tasks of mixed sizes on machines of mixed sizes, next to the best there could"
            + " be",
        PackingBench::run);
    add("store", "row changes a second, recovery, blobs", StoreBench::main);
    add("wire", "messages a second and latency next to Netty and gRPC", WireBench::run);
    add(
        "planner",
        "[FOLDER [SECONDS]]: the example of actions; planning instances next to pddl4j",
        PlannerBench::run);
    add(
        "java",
        "[alone|singles] [LAMBDAS]: Java calls a second and the latency of one, next to JPPF",
        JavaBench::run);
    add(
        "peers",
        "[small] [once] [queues] [calls] [commands] [workflows] [python]: the same work on Imker"
            + " and on what else there is",
        PeersBench::run);
    add("charts", "optimisation of chart strategies next to ta4j", ChartsBench::main);
    add("analyst", "[FILES]: a day of analyses through a drop folder", AnalystBench::run);
    add(
        "agents",
        "10,000 agents on one server, and their return after a restart",
        AgentsBench::run);
    add("tables", "regenerates docs/scheduling.md", TablesBench::main);
    add(
        "realpool",
        "[MINUTES [RUNS [STRATEGIES]]]: 12 agents that are killed again and again, and the"
            + " simulator",
        RealPoolBench::run);
    add(
        "copies",
        "ROOT SEEDS: what copies of running tasks do to the time until all is done",
        CopiesBench::main);
    add("pools", "FIRST LAST: survival on random pools", PoolsBench::main);
    add(
        "neighbour",
        "work of the owner with and without pool tasks beside it",
        NeighbourBench::run);
    add("cpu", "[ROUNDS]: how well the agents' benchmark of a core repeats itself", CpuBench::run);
    add("jobs", "a job of 100,000 tasks submitted, listed, filtered, cancelled", JobsBench::run);
    add("page", "weight of the web page and time until it can be used", PageBench::run);
    add("listings", "[TASKS]: pages, filters, orders over a million tasks", ListingsBench::run);
    add(
        "turns",
        "[TASKS]: how long the loop holds a turn, for every order to a large job",
        TurnsBench::run);
    add(
        "takeover",
        "[TASKS]: how long a standby needs to lead a large pool, next to reading it all",
        TakeOverBench::run);
    add(
        "coordination",
        "[SECONDS]: counters, locks, queues, barriers a second, by where they are kept",
        CoordinationBench::run);
    add("memory", "heap and restart of a server with a million READY tasks", MemoryBench::run);
  }

  private Main() {}

  public static void main(String[] args) throws Exception {
    Entry entry = args.length == 0 ? null : BENCHMARKS.get(args[0]);
    if (entry == null) {
      if (args.length > 0 && !args[0].equals("--help")) {
        System.err.println("imker bench: there is no '" + args[0] + "'");
      }
      System.err.println("usage: ./imker bench NAME [ARGS]");
      BENCHMARKS.forEach((name, e) -> System.err.printf("  %-10s %s%n", name, e.description()));
      System.exit(args.length > 0 && !args[0].equals("--help") ? 2 : 0);
      return;
    }
    entry.benchmark().run(Arrays.copyOfRange(args, 1, args.length));
    System.exit(0);
  }

  private static void add(String name, String description, Benchmark benchmark) {
    BENCHMARKS.put(name, new Entry(description, benchmark));
  }
}
