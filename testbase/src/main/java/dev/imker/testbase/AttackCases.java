package dev.imker.testbase;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Fails a test that makes fewer attacks than it claims. */
final class AttackCases implements InvocationInterceptor {
  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    invocation.proceed();
    check(method.getExecutable(), 1);
  }

  @Override
  public <T> T interceptTestFactoryMethod(
      Invocation<T> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    T tests = invocation.proceed();
    if (!(tests instanceof Collection<?> all)) {
      throw new AssertionError("A factory of attacks returns a collection, so that they count");
    }
    check(method.getExecutable(), all.size());
    return tests;
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    invocation.proceed();
    ExtensionContext template = context.getParent().orElseThrow();
    template
        .getStore(ExtensionContext.Namespace.create(AttackCases.class))
        .getOrComputeIfAbsent(
            "made", key -> new Made(method.getExecutable(), new AtomicInteger()), Made.class)
        .count
        .incrementAndGet();
  }

  private static void check(Method test, int made) {
    int claimed = test.getAnnotation(Attack.class).cases();
    if (made < claimed) {
      throw new AssertionError(
          "%s made %d attacks, and claims %d".formatted(test.getName(), made, claimed));
    }
  }

  /** Closed by JUnit when all invocations of the template are over. */
  private record Made(Method test, AtomicInteger count) implements AutoCloseable {
    @Override
    public void close() {
      check(test, count.get());
    }
  }
}
