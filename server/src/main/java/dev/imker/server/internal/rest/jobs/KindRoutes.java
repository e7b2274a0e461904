package dev.imker.server.internal.rest.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.InputException;
import dev.imker.model.JobId;
import dev.imker.model.ResultFile;
import dev.imker.model.TaskState;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageIndex;
import dev.imker.model.kind.TaskKind;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.http.Json;
import dev.imker.server.internal.kinds.TaskKinds;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.store.AttemptRecord;
import dev.imker.store.Reads;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code /api/v1/kinds}: kinds of jobs that were added to the server. */
public record KindRoutes(TaskKinds kinds, Reads reads) {
  private static final int MAX_BYTES = 10 << 20;
  private static final int MAX_TASKS = 1_000;

  public record FieldView(
      String name, String type, boolean required, String fallback, String description) {}

  public record KindView(String name, String description, List<FieldView> fields) {}

  public record Kinds(List<KindView> kinds) {}

  /** The job that a kind makes of values, as it would stand in a job file. */
  public record Expanded(String kind, JsonNode job) {}

  /** A result that people want to see. */
  public record ViewedFile(String title, String form, String task, String file, long size) {}

  /**
   * @param kind empty if the job is of none, or of one that the server does not know any more
   */
  public record Views(String kind, List<ViewedFile> files) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/kinds", Access.LOOK, exchange -> exchange.json(200, list())),
        Endpoint.post("/api/v1/kinds/{name}", Access.WORK, this::expand),
        Endpoint.get("/api/v1/jobs/{id}/views", Access.LOOK, this::views));
  }

  private Kinds list() {
    return new Kinds(
        kinds.all().stream()
            .map(
                kind ->
                    new KindView(
                        kind.name(),
                        kind.description(),
                        kind.fields().stream()
                            .map(
                                field ->
                                    new FieldView(
                                        field.name(),
                                        field.type().name(),
                                        field.required(),
                                        field.fallback(),
                                        field.description()))
                            .toList()))
            .toList());
  }

  private void expand(Exchange exchange) throws IOException {
    String name = exchange.param("name");
    TaskKind kind =
        kinds
            .find(name)
            .orElseThrow(
                () ->
                    ApiException.notFound(
                        "There is no kind '%s'; 'imker kinds' lists all.".formatted(name)));
    JsonFields body = JsonFields.of(exchange.json(MAX_BYTES), "", Set.of("values"));
    try {
      JsonNode job = Json.MAPPER.valueToTree(TaskKinds.job(kind, body.map("values")));
      exchange.json(200, new Expanded(name, job));
    } catch (InputException e) {
      throw ApiException.invalid("values", String.valueOf(e.getMessage()));
    }
  }

  private void views(Exchange exchange) throws IOException {
    JobId job = JobRoutes.jobId(exchange);
    JobSpec spec = reads.spec(job).orElseThrow(() -> JobViews.unknown(job));
    String name = spec.stages().getFirst().env().getOrDefault(TaskKinds.VARIABLE, "");
    List<ViewedFile> files = new ArrayList<>();
    kinds.find(name).ifPresent(kind -> kind.views().forEach(view -> add(view, job, spec, files)));
    exchange.json(200, new Views(kinds.find(name).isPresent() ? name : "", files));
  }

  private void add(TaskKind.View view, JobId job, JobSpec spec, List<ViewedFile> files) {
    StageIndex stages = StageIndex.of(spec);
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + view.files());
    for (int i = 0; i < spec.stages().size(); i++) {
      Stage stage = spec.stages().get(i);
      if (!stage.name().equals(view.stage())) {
        continue;
      }
      int count = Math.min(MAX_TASKS, stages.endOf(i) - stages.firstOf(i));
      TaskQuery done = new TaskQuery(job, Set.of(TaskState.DONE), stages.firstOf(i), count, false);
      for (TaskRecord task : reads.tasks(done)) {
        AttemptRecord last = task.last();
        boolean inside = task.id().index() < stages.endOf(i);
        for (ResultFile file :
            last == null || last.report() == null || !inside
                ? List.<ResultFile>of()
                : last.report().results()) {
          if (matcher.matches(Path.of(file.path()))) {
            files.add(
                new ViewedFile(
                    view.title(),
                    view.form().name(),
                    task.id().toString(),
                    file.path(),
                    file.size()));
          }
        }
      }
    }
  }
}
