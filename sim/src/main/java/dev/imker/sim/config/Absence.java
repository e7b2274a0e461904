package dev.imker.sim.config;

/** When a machine is absent. */
public interface Absence {
  /** Whether it is absent in that minute (step) of the simulation. */
  boolean contains(int minute);
}
