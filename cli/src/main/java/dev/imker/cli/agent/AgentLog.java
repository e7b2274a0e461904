package dev.imker.cli.agent;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.spi.FilterReply;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;

/** A log file that is begun anew when it is full; the last ones are kept beside it. */
final class AgentLog {
  private static final long FULL_BYTES = 5L << 20;
  private static final int KEPT = 4;

  private AgentLog() {}

  /** From now on what the agent does is also written to the file. */
  static void begin(Path file) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
    appender.setContext(context);
    appender.setFile(file.toString());

    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%d{yyyy-MM-dd HH:mm:ss.SSS} %-5level %logger{0} %msg%n");
    encoder.start();
    appender.setEncoder(encoder);

    FixedWindowRollingPolicy rolling = new FixedWindowRollingPolicy();
    rolling.setContext(context);
    rolling.setParent(appender);
    rolling.setFileNamePattern(file + ".%i");
    rolling.setMinIndex(1);
    rolling.setMaxIndex(KEPT);
    rolling.start();
    appender.setRollingPolicy(rolling);

    SizeBasedTriggeringPolicy<ILoggingEvent> full = new SizeBasedTriggeringPolicy<>();
    full.setContext(context);
    full.setMaxFileSize(new FileSize(FULL_BYTES));
    full.start();
    appender.setTriggeringPolicy(full);
    appender.start();

    Logger own = context.getLogger("dev.imker");
    own.setLevel(Level.INFO);
    own.addAppender(appender);
    // What is only for the file stays off the terminal.
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.iteratorForAppenders()
        .forEachRemaining(terminal -> terminal.addFilter(new AtLeastWarnings()));
  }

  private static final class AtLeastWarnings extends Filter<ILoggingEvent> {
    @Override
    public FilterReply decide(ILoggingEvent event) {
      return event.getLevel().isGreaterOrEqual(Level.WARN) ? FilterReply.NEUTRAL : FilterReply.DENY;
    }
  }
}
