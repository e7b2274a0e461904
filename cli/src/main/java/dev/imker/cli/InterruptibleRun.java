package dev.imker.cli;

import dev.imker.charts.Cancellation;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.function.Function;

/**
 * Work that Ctrl-C ends early, and that keeps what it has got until then. A second Ctrl-C ends the
 * process at once.
 *
 * <p>A shutdown hook would not do: libraries that write files want to add hooks of their own, which
 * is too late then. So the signal itself is caught, by the class that every JDK has for it, found
 * by name because compilers warn of it.
 */
final class InterruptibleRun {
  private volatile boolean interrupted;

  <T> T run(Function<Cancellation, T> work) {
    catchInterrupt();
    return work.apply(() -> interrupted);
  }

  private void catchInterrupt() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Field usual = handler.getField("SIG_DFL");
      Object interrupt = signal.getConstructor(String.class).newInstance("INT");
      var handle = signal.getMethod("handle", signal, handler);
      Object own =
          Proxy.newProxyInstance(
              InterruptibleRun.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                if (!method.getName().equals("handle")) {
                  return method.invoke(this, arguments);
                }
                interrupted = true;
                handle.invoke(null, interrupt, usual.get(null));
                return null;
              });
      handle.invoke(null, interrupt, own);
    } catch (ReflectiveOperationException e) {
      // Without it Ctrl-C ends the process, as usual.
      interrupted = false;
    }
  }
}
