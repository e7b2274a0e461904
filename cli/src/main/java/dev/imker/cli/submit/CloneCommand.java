package dev.imker.cli.submit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.follow.Follow;
import dev.imker.cli.follow.FollowOptions;
import dev.imker.cli.options.JobFileSet;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.jobfile.JobFileReader;
import dev.imker.jobfile.JobFileWriter;
import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.files.WithDataSets;
import dev.imker.model.ImkerException;
import dev.imker.model.job.JobSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker clone}: a job or task as a template for another one. */
@Command(
    name = "clone",
    sortOptions = false,
    description =
        "Submit a job or task again, unchanged or with changes, or write it to a job file.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  imker clone 12 --set seed=1..5 --set priority=7",
      "  imker clone 12.3 --edit-file again.yaml",
    })
public final class CloneCommand extends PoolCommand {
  @Parameters(paramLabel = "ID", description = "Job or task: 12, 12.3, a name, last.")
  String id = "";

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "Change a parameter or a field: seed=1..5, priority=7, env.LANG=C.")
  Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--edit-file",
      paramLabel = "FILE",
      description = "Write a job file instead of submitting; - is standard output.")
  @Nullable String file;

  @Mixin FollowOptions following = new FollowOptions();

  @Override
  public int run(ApiClient connection) {
    ApiClient api = following.client(connection, err());
    List<JobSpec> jobs = new ArrayList<>();
    for (SelectedTasks.Part part : SelectedTasks.resolve(api, id).parts()) {
      jobs.addAll(templates(api, part));
    }
    following.check();
    JobSender sender = new JobSender(api);
    if (!settings.isEmpty()) {
      jobs = sender.complete(jobs.stream().map(this::changed).toList());
    }
    if (file != null) {
      write(jobs, file);
      return ExitCodes.OK;
    }
    List<JsonNode> views = jobs.stream().map(sender::send).toList();
    return following.carryOut(new Follow(api, out(), err(), output.json), views);
  }

  private static List<JobSpec> templates(ApiClient api, SelectedTasks.Part part) {
    JobSpec job = spec(api.get("/api/v1/jobs/" + part.job() + "?spec=true").path("spec"));
    if (part.isWholeJob()) {
      return List.of(job);
    }
    List<JobSpec> tasks = new ArrayList<>();
    for (int number = part.first(); number <= part.last(); number++) {
      tasks.add(new TaskTemplateJob(part.job(), job).of(number - 1));
    }
    return tasks;
  }

  private static JobSpec spec(JsonNode node) {
    try {
      return ApiClient.json().treeToValue(node, JobSpec.class);
    } catch (JsonProcessingException e) {
      throw new ImkerException("The job cannot be read: " + e.getOriginalMessage(), e);
    }
  }

  /** With new values; files that these name are read here, as those of a job file are. */
  private JobDraft changed(JobSpec job) {
    byte[] yaml = JobFileWriter.write(job).getBytes(StandardCharsets.UTF_8);
    JobFiles files = new WithDataSets(JobFiles.in(Path.of("")), new RemoteDataSets(server));
    return JobFileReader.read("job", yaml, files, settings).orThrow().getFirst();
  }

  private void write(List<JobSpec> jobs, String target) {
    String text = String.join("---\n", jobs.stream().map(JobFileWriter::write).toList());
    if (target.equals(JobFileSet.STANDARD_INPUT)) {
      out().print(text);
      out().flush();
      return;
    }
    try {
      Files.writeString(Path.of(target), text);
      out().println("written: " + target + "; submit it with: imker submit " + target);
    } catch (IOException e) {
      throw new ImkerException("Cannot write " + target + ": " + e.getMessage(), e);
    }
  }
}
