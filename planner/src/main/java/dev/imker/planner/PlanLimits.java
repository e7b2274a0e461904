package dev.imker.planner;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * When planning has to end without a result.
 *
 * @param cancelled asked often, from several threads; must be fast
 */
public record PlanLimits(Duration timeout, BooleanSupplier cancelled) {
  public static PlanLimits of(Duration timeout) {
    return new PlanLimits(timeout, () -> false);
  }

  public static PlanLimits none() {
    return of(Duration.ofDays(365));
  }

  public PlanLimits orWhen(BooleanSupplier alsoCancelled) {
    return new PlanLimits(timeout, () -> cancelled.getAsBoolean() || alsoCancelled.getAsBoolean());
  }
}
