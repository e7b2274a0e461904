package dev.imker.bench.packing;

import dev.imker.core.resource.Demand;
import dev.imker.core.resource.Grant;
import dev.imker.core.resource.ResourceKinds;
import dev.imker.core.resource.Stock;
import dev.imker.model.Platform.Resource;
import dev.imker.model.job.Requirements;
import dev.imker.sim.SimRun;
import dev.imker.sim.config.Arrival;
import dev.imker.sim.config.Machines;
import dev.imker.sim.config.SimConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Tasks begin in the order of their submission, which is drawn, on the machine with the fewest free
 * cores where they fit; while the first fits nowhere, all wait.
 */
final class FirstInFirstOut {
  private record Task(int project, Demand demand, long steps) {}

  private record End(long atStep, Stock machine, Grant grant) {}

  private final ResourceKinds kinds = new ResourceKinds();
  private final Stock pool = new Stock(kinds);
  private final List<Stock> machines = new ArrayList<>();
  private final List<Task> queue = new ArrayList<>();
  private final PriorityQueue<End> ends =
      new PriorityQueue<>(Comparator.comparingLong(End::atStep));
  private final SortedMap<String, double[]> takenAndHad = new TreeMap<>();
  private final double[] waited;

  FirstInFirstOut(SimConfig config, long seed) {
    Random random = new Random(seed);
    for (Machines kind : config.machines()) {
      for (int i = 0; i < kind.count(); i++) {
        machines.add(stock(kind));
      }
    }
    waited = new double[config.arrivals().size()];
    for (int p = 0; p < waited.length; p++) {
      Arrival arrival = config.arrivals().get(p);
      Demand demand = Demand.of(arrival.needs().alternatives().getFirst(), kinds);
      for (int i = 0; i < arrival.count(); i++) {
        queue.add(new Task(p, demand, Math.max(1, Math.round(arrival.runTimes().draw(random)))));
      }
    }
    Collections.shuffle(queue, random);
  }

  private Stock stock(Machines kind) {
    Stock stock = new Stock(kinds);
    int gpus = kind.platform().gpus();
    Map<String, Resource> others =
        gpus == 0
            ? Map.of()
            : Map.of(
                "gpus", Resource.of(IntStream.range(0, gpus).mapToObj(Integer::toString).toList()));
    long cores = (long) kind.platform().cores() * Requirements.HUNDREDTHS;
    stock.has(cores, kind.platform().memoryBytes(), kind.platform().diskBytes(), others);
    return stock;
  }

  SimRun run() {
    long now = 0;
    int[] counts = new int[waited.length];
    for (Task task : queue) {
      Stock machine = tightest(task.demand);
      while (machine == null) {
        End next = ends.remove();
        count(next.atStep - now);
        now = next.atStep;
        next.machine.giveBack(next.grant, pool);
        machine = tightest(task.demand);
      }
      ends.add(new End(now + task.steps, machine, machine.take(task.demand, 0, pool)));
      waited[task.project] += now;
      counts[task.project]++;
    }
    for (int p = 0; p < waited.length; p++) {
      waited[p] /= counts[p];
    }
    SortedMap<String, SimRun.Used> used = new TreeMap<>();
    takenAndHad.forEach(
        (name, sums) -> used.put(name, new SimRun.Used(0, 100 * sums[0] / sums[1])));
    return new SimRun(0, 0, 0, (int) now, new int[0], waited, 0, 0, used, null);
  }

  private @Nullable Stock tightest(Demand demand) {
    return machines.stream()
        .filter(machine -> machine.fits(demand, 0, pool))
        .min(Comparator.comparingLong(Stock::coresFree))
        .orElse(null);
  }

  private void count(long steps) {
    for (Stock machine : machines) {
      machine
          .view()
          .forEach(
              (name, amount) -> {
                double[] sums = takenAndHad.computeIfAbsent(name, key -> new double[2]);
                sums[0] += (double) amount.taken() * steps;
                sums[1] += (double) amount.has() * steps;
              });
    }
  }
}
