package dev.imker.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that runs in the pool, like a method with {@code @Async} on another thread. It
 * may return a {@link java.util.concurrent.CompletableFuture}; otherwise its callers wait for it.
 *
 * <p>There is no Spring in the pool: the method is called on an object created by the no-argument
 * constructor, without injection. Arguments and results must have types that can be sent.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface ImkerTask {}
