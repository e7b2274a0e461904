package dev.imker.chaos.simulated;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Keeps the first error in the log of a thread's simulation that no fault explains. */
final class LogWatch extends AppenderBase<ILoggingEvent> {
  private static final String FAILED = "The scheduler failed; stopping this server";
  private static final LogWatch WATCH = new LogWatch();

  private static final ThreadLocal<@Nullable ILoggingEvent> FIRST = new ThreadLocal<>();

  private LogWatch() {}

  /** Takes the place of every other log of this process. */
  static synchronized LogWatch begin() {
    if (WATCH.isStarted()) {
      return WATCH;
    }
    Logger root = (Logger) LoggerFactory.getLogger("dev.imker");
    root.detachAndStopAllAppenders();
    root.setAdditive(false);
    root.setLevel(Level.ERROR);
    WATCH.setContext(root.getLoggerContext());
    WATCH.start();
    root.addAppender(WATCH);
    return WATCH;
  }

  @Override
  protected void append(ILoggingEvent event) {
    boolean explained =
        event.getFormattedMessage().contains(ServerProcess.INJECTED)
            || event.getMessage().equals(FAILED); // told to whoever drives the loop
    if (FIRST.get() == null && !explained) {
      FIRST.set(event);
    }
  }

  @Nullable ILoggingEvent unexpected() {
    return FIRST.get();
  }

  void forget() {
    FIRST.remove();
  }

  static String text(ILoggingEvent event) {
    IThrowableProxy cause = event.getThrowableProxy();
    String trace =
        cause == null
            ? ""
            : " "
                + cause.getClassName()
                + ": "
                + cause.getMessage()
                + Arrays.stream(cause.getStackTraceElementProxyArray())
                    .limit(12)
                    .map(frame -> "\n    " + frame.getSTEAsString())
                    .collect(Collectors.joining());
    return event.getFormattedMessage() + trace;
  }
}
