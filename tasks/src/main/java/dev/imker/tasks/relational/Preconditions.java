package dev.imker.tasks.relational;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Preconditions, such as {@code In(d,from)}, {@code !In(d,to)} or {@code Differs(from,to)}. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Preconditions {
  String[] value();
}
