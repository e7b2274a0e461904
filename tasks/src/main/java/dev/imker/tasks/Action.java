package dev.imker.tasks;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a {@link Task} that can be part of a plan. {@link Preconditions}, {@link Effects} and
 * {@link NegativeEffects} declare what it needs and produces; those of the same names in {@link
 * dev.imker.tasks.relational} declare it in textual form.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Action {}
