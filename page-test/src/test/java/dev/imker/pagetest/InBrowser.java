package dev.imker.pagetest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a {@link Visit} or the {@link PageWorld}. A test after which the browser has
 * complained fails: about an error in a script, or about something that the content security policy
 * forbids.
 */
final class InBrowser implements ExecutionCondition, ParameterResolver, AfterEachCallback {
  private static final ExtensionContext.Namespace HERE =
      ExtensionContext.Namespace.create(InBrowser.class);

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return Files.isExecutable(PageWorld.CHROMIUM)
        ? ConditionEvaluationResult.enabled("there is a browser")
        : ConditionEvaluationResult.disabled("needs a browser: apt-get install chromium");
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Visit.class || type == PageWorld.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    PageWorld world = world(context);
    return parameter.getParameter().getType() == PageWorld.class
        ? world
        : context.getStore(HERE).getOrComputeIfAbsent("visit", _ -> Visit.of(world), Visit.class);
  }

  private static PageWorld world(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(HERE)
        .getOrComputeIfAbsent("world", _ -> new PageWorld(), PageWorld.class);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Visit visit = context.getStore(HERE).get("visit", Visit.class);
    if (visit != null) {
      assertThat(visit.complaints()).as("complaints of the browser").isEmpty();
    }
  }
}
