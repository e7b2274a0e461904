package dev.imker.server.internal.rest.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.jobfile.ActionFileReader;
import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.draft.LocalInput;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.findings.Finding;
import dev.imker.model.job.InputFile;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Pddl;
import dev.imker.planner.pddl.PddlException;
import dev.imker.server.http.ApiException;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.plan.PlanOrder;
import dev.imker.server.plan.PlannedStages;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** An order whose actions are bound to commands by the text of an action file. */
final class BoundPlan {
  private static final String BINDINGS = "bindings";
  private static final String FILE = "actions.yaml";
  private static final int MAX_ACTIONS = 10_000;

  private BoundPlan() {}

  static PlanOrder read(JsonNode body) {
    JsonFields fields = JsonFields.of(body, "", Set.of("domain", "problem", BINDINGS, "plan"));
    String domain = fields.text("domain");
    ActionFileReader.Actions actions =
        ActionFileReader.read(
            FILE,
            fields.text(BINDINGS).getBytes(StandardCharsets.UTF_8),
            JobFiles.unknown(),
            PlannedStages.parameters(domain(domain)));
    String mistakes =
        actions.findings().stream()
            .filter(Finding::isError)
            .map(Finding::toString)
            .collect(Collectors.joining("\n"));
    if (!mistakes.isEmpty()) {
      throw ApiException.invalid(BINDINGS, mistakes);
    }
    JobDraft draft = Objects.requireNonNull(actions.job());
    return new PlanOrder(
        domain,
        fields.text("problem"),
        draft.complete(BoundPlan::refuse),
        actions.bindings(),
        actions.replan(),
        actions.maxReplans(),
        fields.texts("plan", MAX_ACTIONS));
  }

  private static Domain domain(String text) {
    try {
      return Pddl.domain(text);
    } catch (PddlException e) {
      throw ApiException.invalid("domain", "The domain, " + e.getMessage() + ".");
    }
  }

  private static InputFile refuse(LocalInput input) {
    throw ApiException.invalid(
        BINDINGS,
        "%s: files of a computer cannot be sent along here; 'imker plan --bind' does that."
            .formatted(input.source()));
  }
}
