package dev.imker.sim.config;

/** When a machine is not there. */
public interface Absence {
  /** Whether it is away in that minute (step) of the simulation. */
  boolean contains(int minute);
}
