package dev.imker.testbase;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.SplittableRandom;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Runs the trials of a test. */
final class TrialsExtension implements InvocationInterceptor, ParameterResolver {
  private static final String SEED = "imker.seed";

  /** Who runs the tests once for each mutant wants few of them. */
  private static final int MAX_TRIALS = Integer.getInteger("imker.trials", Integer.MAX_VALUE);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == long.class || type == Generator.class;
  }

  /** What JUnit hands over is not used: each trial has its own. */
  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return input(parameter.getParameter().getType(), 0);
  }

  private static Object input(Class<?> type, long seed) {
    return type == long.class ? (Object) seed : new Generator(seed);
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    invocation.skip();
    Method test = method.getExecutable();
    test.setAccessible(true);
    Object target = context.getRequiredTestInstance();
    String given = System.getProperty(SEED);
    if (given != null) {
      attempt(test, target, Long.parseLong(given));
      return;
    }
    SplittableRandom seeds = new SplittableRandom();
    int trials = Math.min(test.getAnnotation(Trials.class).value(), MAX_TRIALS);
    for (int i = trials; i > 0; i--) {
      attempt(test, target, seeds.nextLong());
    }
  }

  private static void attempt(Method test, Object target, long seed) throws Throwable {
    try {
      test.invoke(target, input(test.getParameterTypes()[0], seed));
    } catch (InvocationTargetException e) {
      throw new AssertionError(
          "Failed with seed %d; -Dimker.seed=%d repeats it: %s".formatted(seed, seed, e.getCause()),
          e.getCause());
    }
  }
}
