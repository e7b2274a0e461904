package dev.imker.tasks.relational;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** As in the library of tasks. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Preconditions {
  String[] value();
}
