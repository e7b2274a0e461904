package dev.imker.tasks;

import java.io.Serializable;

/** A {@link Runnable} that can be sent to other machines; see {@link RemoteCallable}. */
@FunctionalInterface
public interface RemoteRunnable extends Runnable, Serializable {}
