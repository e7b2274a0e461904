package dev.imker.testbase;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Warnings and errors that the tests of this class provoke on purpose: regular expressions, each
 * found somewhere in "LEVEL logger message". Every other one fails the class (see {@link
 * LogWatcher}).
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface ExpectedLogs {
  String[] value();
}
