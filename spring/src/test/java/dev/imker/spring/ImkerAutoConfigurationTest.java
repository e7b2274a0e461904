package dev.imker.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.client.Imker;
import dev.imker.testkit.TestPool;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ImkerAutoConfigurationTest {
  private static final long HERE = ProcessHandle.current().pid();

  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(ImkerAutoConfiguration.class));

  /** Cannot be made in the pool. */
  static class Injected {
    Injected(String something) {
      assertThat(something).isNotEmpty();
    }

    @ImkerTask
    int work() {
      return 1;
    }
  }

  private static Health health(HealthIndicator indicator) {
    return Objects.requireNonNull(indicator.health());
  }

  @Test
  @SuppressWarnings("try") // the pool goes while the application runs
  void methods_run_in_the_pool_and_its_health_is_told(@TempDir Path folder) throws Exception {
    try (TestPool pool = TestPool.start(folder)) {
      application
          .withBean(Pricing.class)
          .withPropertyValues(
              "imker.url=" + pool.server().address(), "imker.token=" + pool.server().adminToken())
          .run(
              context -> {
                Pricing pricing = context.getBean(Pricing.class);
                pricing.setOffset(100);
                Pricing.Quote now = pricing.now(5);
                assertThat(now.price()).as("on an object of its own").isEqualTo(5);
                assertThat(now.process()).isNotEqualTo(HERE);
                assertThat(pricing.later(6).get(1, TimeUnit.MINUTES).price()).isEqualTo(6);
                assertThat(pricing.here(7)).isEqualTo(new Pricing.Quote(107, HERE));
                assertThatThrownBy(() -> pricing.refuse("too cheap"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("too cheap");
                HealthIndicator health = context.getBean(HealthIndicator.class);
                assertThat(health(health).getStatus()).isEqualTo(Status.UP);
                assertThat(health(health).getDetails()).containsKey("slots");
                pool.close();
                assertThat(health(health).getStatus()).isEqualTo(Status.DOWN);
              });
    }
  }

  @Test
  void without_a_pool_methods_run_on_threads_of_the_application() {
    application
        .withBean(Pricing.class)
        .withBean(Injected.class, () -> new Injected("a"))
        .withPropertyValues("imker.local-threads=2")
        .run(
            context -> {
              assertThat(context.getBean(Pricing.class).now(5))
                  .isEqualTo(new Pricing.Quote(5, HERE));
              assertThat(health(context.getBean(HealthIndicator.class)).getStatus())
                  .isEqualTo(Status.UP);
              Injected injected = context.getBean(Injected.class);
              assertThatThrownBy(injected::work)
                  .hasMessageContaining("has no constructor without parameters");
            });
  }

  @Test
  void an_application_with_an_imker_of_its_own_and_without_health() {
    application
        .withClassLoader(new FilteredClassLoader(HealthIndicator.class))
        .withBean("own", Imker.class, () -> Imker.local(1))
        .run(
            context -> {
              assertThat(context).hasSingleBean(Imker.class);
              assertThat(context).doesNotHaveBean("imkerHealthIndicator");
            });
  }
}
