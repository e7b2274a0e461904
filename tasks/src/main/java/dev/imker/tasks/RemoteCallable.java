package dev.imker.tasks;

import java.io.Serializable;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A call that can be sent to other machines: a lambda, a method reference, or a record. It is
 * serializable only so that the compiler keeps what identifies a lambda; Java serialisation is
 * never used.
 */
@FunctionalInterface
public interface RemoteCallable<T extends @Nullable Object> extends Callable<T>, Serializable {}
