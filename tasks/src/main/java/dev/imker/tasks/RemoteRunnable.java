package dev.imker.tasks;

import java.io.Serializable;

/** A {@link Runnable} that can travel; see {@link RemoteCallable}. */
@FunctionalInterface
public interface RemoteRunnable extends Runnable, Serializable {}
