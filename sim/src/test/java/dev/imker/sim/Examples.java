package dev.imker.sim;

import dev.imker.sim.config.SimConfig;
import dev.imker.sim.config.SimFiles;
import java.nio.file.Path;

/** The configurations that are shipped. */
public final class Examples {
  private Examples() {}

  public static SimConfig read(String fileName) {
    return SimFiles.read(path(fileName));
  }

  static Path path(String fileName) {
    return Path.of(System.getProperty("imker.root", ".."), "examples", "sim", fileName);
  }

  public static SimResult run(SimConfig config, String strategy, int seeds) {
    return Simulator.run(config, strategy, seeds, false, SimRequest.DEFAULT_UNTIL_MINUTES, false);
  }
}
