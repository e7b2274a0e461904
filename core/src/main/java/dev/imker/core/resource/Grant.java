package dev.imker.core.resource;

import dev.imker.model.Granted;

/**
 * What an attempt has taken, of its machine and of the pool.
 *
 * @param own of the machine, a whole machine's cores counted
 * @param shared of the pool
 */
public record Grant(Demand own, Demand shared, Granted told) {
  public static final Grant ONE_CORE = new Grant(Demand.ONE_CORE, Demand.NOTHING, Granted.ONE_CORE);

  /** Whether it is what a task gets that asks for nothing. */
  public boolean isPlain() {
    return own.isPlain() && told.isPlain();
  }
}
