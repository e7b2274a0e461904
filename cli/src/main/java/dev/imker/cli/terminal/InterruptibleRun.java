package dev.imker.cli.terminal;

import dev.imker.charts.Cancellation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Work that Ctrl-C ends early, and that keeps what it has got until then. A second Ctrl-C ends the
 * process at once.
 *
 * <p>A shutdown hook would not do: libraries that write files want to add hooks of their own, which
 * is too late then. So the signal itself is caught, by the class that every JDK has for it, found
 * by name because compilers warn of it.
 */
public final class InterruptibleRun {
  private static final int ENDED_BY_INTERRUPT = 130;

  /** One Ctrl-C may come twice, to the process and to its group. */
  private static final long SAME_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private long firstNanos;
  private volatile boolean interrupted;

  public <T> T run(Function<Cancellation, T> work) {
    catchInterrupt();
    return work.apply(() -> interrupted);
  }

  private void catchInterrupt() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object own =
          Proxy.newProxyInstance(
              InterruptibleRun.class.getClassLoader(), new Class<?>[] {handler}, this::called);
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("INT"), own);
    } catch (ReflectiveOperationException e) {
      interrupted = false; // without it Ctrl-C ends the process, as usual
    }
  }

  private Object called(Object proxy, Method method, Object[] arguments)
      throws ReflectiveOperationException {
    if (!method.getName().equals("handle")) {
      return method.invoke(this, arguments);
    }
    interrupt();
    return proxy;
  }

  private synchronized void interrupt() {
    long now = System.nanoTime();
    if (!interrupted) {
      firstNanos = now;
      interrupted = true;
    } else if (now - firstNanos > SAME_NANOS) {
      Runtime.getRuntime().halt(ENDED_BY_INTERRUPT);
    }
  }
}
