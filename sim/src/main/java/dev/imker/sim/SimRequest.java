package dev.imker.sim;

import dev.imker.sim.config.SimException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to simulate.
 *
 * @param strategies as {@link dev.imker.core.strategy.catalogue.Strategies#parse} takes them
 * @param seeds runs per file and strategy; 0: as stated in the file
 * @param untilMinutes when an unfinished run is given up
 * @param speculative hands out running tasks again, whatever the files say
 * @param plotFolder where to write plots; null: none
 */
public record SimRequest(
    List<Path> files,
    List<String> strategies,
    int seeds,
    int untilMinutes,
    boolean speculative,
    @Nullable Path plotFolder) {
  public static final int DEFAULT_UNTIL_MINUTES = 20_000;

  public SimRequest {
    files = List.copyOf(files);
    strategies = List.copyOf(strategies);
    if (files.isEmpty()) {
      throw new SimException("no file to simulate; examples are in examples/sim");
    }
    if (strategies.isEmpty()) {
      throw new SimException("no strategy to simulate");
    }
    if (seeds < 0 || untilMinutes < 1) {
      throw new SimException("seeds and the last minute must be positive");
    }
  }
}
