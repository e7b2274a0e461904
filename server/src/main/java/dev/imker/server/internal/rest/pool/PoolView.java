package dev.imker.server.internal.rest.pool;

import dev.imker.server.internal.rest.jobs.CountsView;
import java.util.List;

/**
 * The pool as a whole.
 *
 * @param files where the server keeps files; empty for whoever is no admin
 */
public record PoolView(
    String name,
    String version,
    long epoch,
    CountsView tasks,
    int agents,
    int slots,
    List<String> urls,
    String files) {}
