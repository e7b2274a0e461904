package dev.imker.server;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends figures once a minute and at the end to a collector of OpenTelemetry. Headers and further
 * attributes come from OTEL_EXPORTER_OTLP_HEADERS and OTEL_RESOURCE_ATTRIBUTES.
 */
final class OtlpMeters {
  private static final String SERVICE = "service.name";

  private OtlpMeters() {}

  static MeterRegistry to(URI collector) {
    OtlpConfig config =
        new OtlpConfig() {
          @Override
          public @Nullable String get(String key) {
            return null;
          }

          @Override
          public String url() {
            return collector.toString();
          }

          @Override
          public Map<String, String> resourceAttributes() {
            Map<String, String> all = new LinkedHashMap<>(OtlpConfig.super.resourceAttributes());
            all.compute(
                SERVICE,
                (_, name) -> name == null || name.startsWith("unknown_service") ? "imker" : name);
            return all;
          }
        };
    return new OtlpMeterRegistry(config, Clock.SYSTEM);
  }
}
