package dev.imker.testbase;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.slf4j.LoggerFactory;

/**
 * Fails a test class that left a warning or an error of Imker's own code in the log which nobody
 * expects: neither the class ({@link ExpectedLogs}) nor its module ({@code expected-logs.txt} in
 * the test resources: one regular expression a line, for what happens whenever a plug is pulled).
 * Registered for all tests by the service loader.
 *
 * <p>A line belongs to the class whose tests started the thread that wrote it, directly or through
 * other threads: what the pool of an earlier class says while it dies never fails its successor.
 * Threads of the common pool belong to nobody.
 */
public final class LogWatcher implements BeforeAllCallback, AfterAllCallback {
  private static final String MODULE_LIST = "/expected-logs.txt";
  private static final int MAX_SHOWN = 10;

  /** What a machine with other work causes now and then, in whichever test. */
  private static final Pattern BUSY_MACHINE =
      Pattern.compile("The server was suspended for \\d+ ms|did not stop in time");

  private static final Namespace OURS = Namespace.create(LogWatcher.class);
  private static final InheritableThreadLocal<@Nullable Recorder> STARTED_BY =
      new InheritableThreadLocal<>();

  @Override
  public void beforeAll(ExtensionContext context) {
    if (isOutermost(context)
        && LoggerFactory.getILoggerFactory() instanceof LoggerContext logback) {
      Recorder fresh = new Recorder();
      fresh.setContext(logback);
      fresh.start();
      logback.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(fresh);
      context.getStore(OURS).put(Recorder.class, fresh);
      STARTED_BY.set(fresh);
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Recorder watched = context.getStore(OURS).remove(Recorder.class, Recorder.class);
    if (!isOutermost(context) || watched == null) {
      return;
    }
    STARTED_BY.set(watched.outer);
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.detachAppender(watched);
    Class<?> tests = context.getRequiredTestClass();
    List<String> unexpected = unexpected(watched.lines, expectedBy(tests));
    if (!unexpected.isEmpty()) {
      String shown =
          String.join("\n  ", unexpected.subList(0, Math.min(MAX_SHOWN, unexpected.size())));
      throw new AssertionError(
          tests.getSimpleName()
              + " left "
              + unexpected.size()
              + " unexpected warnings or errors in the log:\n  "
              + shown
              + "\n"
              + "Either something is wrong, or a test provokes it: then say so with"
              + " @ExpectedLogs.");
    }
  }

  /** The lines that match none of the patterns. */
  static List<String> unexpected(Iterable<String> lines, List<Pattern> expected) {
    List<String> found = new ArrayList<>();
    for (String line : lines) {
      if (expected.stream().noneMatch(pattern -> pattern.matcher(line).find())) {
        found.add(line);
      }
    }
    return found;
  }

  private static boolean isOutermost(ExtensionContext context) {
    return context.getParent().filter(parent -> parent.getTestClass().isPresent()).isEmpty();
  }

  private static List<Pattern> expectedBy(Class<?> tests) {
    List<Pattern> patterns = new ArrayList<>();
    patterns.add(BUSY_MACHINE);
    ExpectedLogs own = tests.getAnnotation(ExpectedLogs.class);
    if (own != null) {
      for (String pattern : own.value()) {
        patterns.add(Pattern.compile(pattern));
      }
    }
    try (InputStream list = tests.getResourceAsStream(MODULE_LIST)) {
      if (list != null) {
        new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(Pattern::compile)
            .forEach(patterns::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return patterns;
  }

  private static final class Recorder extends AppenderBase<ILoggingEvent> {
    private final Set<String> lines = ConcurrentHashMap.newKeySet();
    private final @Nullable Recorder outer = STARTED_BY.get();

    @Override
    protected void append(ILoggingEvent event) {
      if (event.getLevel().isGreaterOrEqual(Level.WARN)
          && event.getLoggerName().startsWith("dev.imker")
          && STARTED_BY.get() == this) {
        lines.add(
            event.getLevel() + " " + event.getLoggerName() + " " + event.getFormattedMessage());
      }
    }
  }
}
