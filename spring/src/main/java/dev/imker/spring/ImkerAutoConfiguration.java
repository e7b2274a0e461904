package dev.imker.spring;

import dev.imker.client.Imker;
import dev.imker.client.executor.ExecutorOptions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An {@link Imker} for the application, its health, and {@link ImkerTask}. */
@AutoConfiguration
@EnableConfigurationProperties(ImkerProperties.class)
public class ImkerAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  Imker imker(ImkerProperties properties) {
    if (properties.localThreads() > 0) {
      return Imker.local(properties.localThreads());
    }
    String url = properties.url();
    String token = properties.token();
    return url == null || token == null ? Imker.connect() : Imker.connect(url, token);
  }

  /** Providers, because a post-processor cannot process its own dependencies. */
  @Bean
  static ImkerTaskPostProcessor imkerTaskPostProcessor(
      ObjectProvider<Imker> imker, ObjectProvider<ImkerProperties> properties) {
    return new ImkerTaskPostProcessor(
        () ->
            imker
                .getObject()
                .executor(ExecutorOptions.USUAL.withProject(properties.getObject().project())));
  }

  /** The health indicator of the application. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(HealthIndicator.class)
  static class HealthConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "imkerHealthIndicator")
    HealthIndicator imkerHealthIndicator(Imker imker) {
      return () -> {
        try {
          return Health.up().withDetail("slots", imker.slots()).build();
        } catch (RuntimeException e) {
          return Health.down(e).build();
        }
      };
    }
  }
}
