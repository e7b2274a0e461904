package dev.imker.client.executor;

import org.jspecify.annotations.Nullable;

/** What a function made of an argument. */
public record Applied<A, B extends @Nullable Object>(A argument, B result) {}
