package dev.imker.core.resource;

import dev.imker.model.Granted;

/**
 * What an attempt has taken, of its machine and of the pool.
 *
 * @param own of the machine, a whole machine's cores counted
 * @param shared of the pool
 * @param text that of what it is told
 */
public record Grant(Demand own, Demand shared, Granted told, String text) {
  public static final Grant ONE_CORE = of(Demand.ONE_CORE, Demand.NOTHING, Granted.ONE_CORE);

  static Grant of(Demand own, Demand shared, Granted told) {
    return new Grant(own, shared, told, told.text());
  }

  /** Whether it is what a task gets that asks for nothing. */
  public boolean isPlain() {
    return own.isPlain() && text.isEmpty();
  }
}
