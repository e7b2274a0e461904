package dev.imker.client.executor;

import org.jspecify.annotations.Nullable;

/** An argument and the result of a function for it. */
public record Applied<A, B extends @Nullable Object>(A argument, B result) {}
