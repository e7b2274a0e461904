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

  private final int atStep;
  private int steps;

  /**
   * @param atStep from 1 on; 0 means never
   */
  Killing(int atStep) {
    this.atStep = atStep;
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

  private void step(String where) {
    if (++steps == atStep) {
      throw new Killed("step " + steps + ", " + where);
    }
  }
}
