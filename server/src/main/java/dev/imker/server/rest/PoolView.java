package dev.imker.server.rest;

import java.util.List;

/** The pool as a whole. */
public record PoolView(
    String name,
    String version,
    long epoch,
    CountsView tasks,
    int agents,
    int slots,
    List<String> urls) {}
