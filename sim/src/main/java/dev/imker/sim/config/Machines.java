package dev.imker.sim.config;

import org.jspecify.annotations.Nullable;

/**
 * Machines of one kind.
 *
 * @param slowdown how many times longer a task takes than on the reference machine
 * @param away when they are not available, such as office hours; null: never
 * @param jitterMinutes how far each machine's way and return differ from those hours
 */
public record Machines(
    String name,
    int count,
    double benchmarkMillis,
    double slowdown,
    Failures failures,
    @Nullable Absence away,
    int jitterMinutes) {}
