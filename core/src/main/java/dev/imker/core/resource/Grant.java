package dev.imker.core.resource;

import dev.imker.model.Granted;

/**
 * What an attempt has taken, of its machine and of the pool.
 *
 * @param demand the amounts, a whole machine's cores counted
 */
public record Grant(Demand demand, Granted told) {
  public static final Grant ONE_CORE = new Grant(Demand.ONE_CORE, Granted.ONE_CORE);
}
