package dev.imker.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that runs in the pool, as one with {@code @Async} runs on another thread. It
 * may return a {@link java.util.concurrent.CompletableFuture}, or its callers wait for it.
 *
 * <p>In the pool there is no Spring: the method is called on an object that the constructor without
 * arguments has made, with nothing injected. Arguments and result are of the types that travel.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface ImkerTask {}
