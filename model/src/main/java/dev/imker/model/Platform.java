package dev.imker.model;

import java.util.Map;
import java.util.Set;

/** What a node is and has, as its agent found it. */
public record Platform(
    String os,
    String osVersion,
    String arch,
    String hostName,
    int cores,
    int gpus,
    long memoryBytes,
    long diskBytes,
    double benchmarkMillis,
    Map<String, String> runtimes,
    Set<String> labels) {
  public Platform {
    runtimes = Map.copyOf(runtimes);
    labels = Set.copyOf(labels);
  }
}
