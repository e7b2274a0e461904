package dev.imker.server.drop;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * Ends a server at a chosen step: every call of the folder, the database and the pool is two steps,
 * one before it has happened and one after.
 */
final class Killing {
  /** The server is dead from here on. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1;

    Killed(String where) {
      super(where);
    }
  }

  /** What happens at the chosen step. */
  @FunctionalInterface
  interface Event {
    void happen(String where) throws Exception;
  }

  private final int atStep;
  private final Event event;
  private int steps;

  /**
   * @param atStep from 1 on; 0 means never
   */
  Killing(int atStep) {
    this(
        atStep,
        where -> {
          throw new Killed(where);
        });
  }

  /** The server lives on, but not before something else has happened. */
  Killing(int atStep, Event event) {
    this.atStep = atStep;
    this.event = event;
  }

  int steps() {
    return steps;
  }

  /** The same object, in the hands of a server that may die. */
  <T> T wrap(Class<T> type, T real) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> call(real, method, arguments)));
  }

  private Object call(Object real, Method method, Object[] arguments) throws Throwable {
    step("before " + method.getName());
    try {
      Object result = method.invoke(real, arguments);
      step("after " + method.getName());
      return result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private void step(String where) throws Exception {
    if (++steps == atStep) {
      event.happen("step " + steps + ", " + where);
    }
  }
}
