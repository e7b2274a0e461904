package dev.imker.tasks;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a {@link Task} that may become part of a plan. {@link Preconditions}, {@link Effects} and
 * {@link NegativeEffects} say what it needs and brings about; those of the same names in {@link
 * dev.imker.tasks.relational} say so in words.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Action {}
