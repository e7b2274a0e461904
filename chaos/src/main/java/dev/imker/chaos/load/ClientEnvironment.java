package dev.imker.chaos.load;

import dev.imker.client.context.PoolContext;
import java.net.URI;
import java.util.stream.Collectors;

/** The environment of processes that use the pool. */
final class ClientEnvironment {
  private ClientEnvironment() {}

  /** With what a client of the pool needs to know. */
  static ProcessBuilder of(PoolContext context, ProcessBuilder builder) {
    builder.environment().keySet().removeIf(key -> key.startsWith("IMKER_"));
    builder.environment().put("IMKER_URL", urls(context));
    builder.environment().put("IMKER_TOKEN", context.token());
    if (!context.fingerprint().isEmpty()) {
      builder.environment().put("IMKER_FINGERPRINT", context.fingerprint());
    }
    return builder;
  }

  private static String urls(PoolContext context) {
    return context.urls().stream().map(URI::toString).collect(Collectors.joining(","));
  }
}
