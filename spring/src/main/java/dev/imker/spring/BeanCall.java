package dev.imker.spring;

import dev.imker.tasks.RemoteCallable;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A method call on a new object of its class; it is sent to the pool, so it is independent of
 * Spring.
 */
record BeanCall(
    Class<?> type, String method, List<Class<?>> parameters, List<@Nullable Object> arguments)
    implements RemoteCallable<@Nullable Object> {
  Constructor<?> requireConstructor() {
    try {
      return type.getDeclaredConstructor();
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(
          "%s has no constructor without parameters. Its method %s is an @ImkerTask: the pool calls it on a new object without dependency injection. Move it to a class of its own."
              .formatted(type.getName(), method),
          e);
    }
  }

  @Override
  public @Nullable Object call() throws Exception {
    Constructor<?> constructor = requireConstructor();
    Method called = type.getDeclaredMethod(method, parameters.toArray(Class<?>[]::new));
    constructor.setAccessible(true);
    called.setAccessible(true);
    try {
      Object result = called.invoke(constructor.newInstance(), arguments.toArray());
      return result instanceof Future<?> future ? future.get() : result;
    } catch (InvocationTargetException | ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
