package dev.imker.server.internal.rest.jobs;

import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSeal;
import dev.imker.model.job.Stage;
import dev.imker.model.validation.JobLimits;
import dev.imker.server.commands.Await;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.internal.rest.request.RecordReader;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code PATCH /api/v1/jobs/ID}: changes what may be changed while tasks are queued or run, of the
 * whole job or of the tasks {@code from..to}; or the content of inputs.
 */
public record LimitRoutes(JobCommands commands, JobViews views, JobIntake intake) {
  private static final int MAX_BYTES = 4 << 20;
  private static final Set<String> FIELDS =
      Stream.concat(JobChange.FIELDS.stream(), Stream.of("from", "to", "inputs"))
          .collect(Collectors.toUnmodifiableSet());

  private static final int MAX_NAMES = 10;

  public List<Endpoint> endpoints() {
    return List.of(
        new Endpoint(HttpMethod.PATCH, "/api/v1/jobs/{id}", Access.WORK, true, this::change));
  }

  private void change(Exchange exchange) throws IOException, InterruptedException {
    JobId id = JobRoutes.jobId(exchange);
    JobView job = views.require(id);
    JsonFields body = JsonFields.of(exchange.json(MAX_BYTES), "", FIELDS);
    if (body.has("inputs")) {
      exchange.json(200, new JobRoutes.Changed(renew(exchange, id, body), views.require(id)));
      return;
    }
    JobChange change = JobChange.read(body);
    int changed;
    if (body.has("from") || body.has("to")) {
      int from = (int) body.number("from", 1, 1, job.tasks());
      int to = (int) body.number("to", job.tasks(), from, job.tasks());
      changed = Await.answer(commands.limitTasks(id, change.of(from, to)));
    } else {
      changed = Await.answer(change.unless(job.priority()).apply(commands, id));
    }
    exchange.json(200, new JobRoutes.Changed(changed, views.require(id)));
  }

  /** Other contents for inputs that the job has; attempts that start from now on get them. */
  private int renew(Exchange exchange, JobId id, JsonFields body) throws InterruptedException {
    Map<String, InputFile> fresh = new LinkedHashMap<>();
    body.list(
            "inputs",
            JobLimits.MAX_FILES,
            (node, path) -> RecordReader.read(node, path, InputFile.class))
        .forEach(input -> fresh.put(input.path(), input));
    Map<String, Set<BlobId>> known = new TreeMap<>();
    for (Stage stage : Objects.requireNonNull(views.requireWithSpec(id).spec()).stages()) {
      if (stage.env().containsKey(JobSeal.VARIABLE)) {
        throw ApiException.invalid(
            "inputs",
            "Job %s is signed, and the signature covers its inputs. Submit it again with --sign."
                .formatted(id));
      }
      stage
          .inputs()
          .forEach(
              input -> known.computeIfAbsent(input.path(), _ -> new HashSet<>()).add(input.blob()));
    }
    for (String path : fresh.keySet()) {
      if (!known.containsKey(path)) {
        throw ApiException.invalid(
            "inputs",
            "Job %s has no input '%s'; %s"
                .formatted(
                    id,
                    path,
                    known.isEmpty() ? "it has none." : "it has " + shown(known.keySet()) + "."));
      }
      if (Objects.requireNonNull(known.get(path)).size() > 1) {
        throw ApiException.invalid(
            "inputs",
            "Job %s has different files named '%s', for different systems or stages, so it is unclear which one to replace. Submit the job again instead."
                .formatted(id, path));
      }
    }
    intake.requireBlobs(exchange.identity(), List.copyOf(fresh.values()));
    return Await.answer(commands.change(id, stage -> renewed(stage, fresh)));
  }

  private static String shown(Set<String> names) {
    String first = String.join(", ", names.stream().limit(MAX_NAMES).toList());
    return names.size() > MAX_NAMES ? first + " and others" : first;
  }

  private static Stage renewed(Stage stage, Map<String, InputFile> fresh) {
    List<InputFile> inputs = new ArrayList<>();
    for (InputFile old : stage.inputs()) {
      InputFile next = fresh.getOrDefault(old.path(), old);
      inputs.add(
          new InputFile(
              old.path(), next.blob(), next.size(), next.executable(), old.os(), old.param()));
    }
    return stage.withFiles(inputs, stage.outputs());
  }
}
