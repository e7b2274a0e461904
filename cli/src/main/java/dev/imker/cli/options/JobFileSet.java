package dev.imker.cli.options;

import dev.imker.jobfile.JobFileReader;
import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.draft.Reading;
import dev.imker.jobfile.files.DataSets;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.files.WithDataSets;
import dev.imker.jobfile.findings.Finding;
import dev.imker.jobfile.tsv.TsvReader;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The jobs of several files, and all that is wrong in them. */
public record JobFileSet(List<JobDraft> jobs, List<Finding> findings) {
  /** Stands for a lone dash, which the parser of the command line does not take. */
  public static final String STANDARD_INPUT = "<stdin>";

  /**
   * @param settings values in place of those of the files
   * @param table whether all files are in the ten-field format, whatever their names
   */
  public static JobFileSet read(
      List<String> names, Map<String, String> settings, boolean table, DataSets dataSets) {
    List<JobDraft> jobs = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    for (String name : names) {
      Reading reading = read(name, settings, table, dataSets);
      jobs.addAll(reading.jobs());
      findings.addAll(reading.findings());
    }
    return new JobFileSet(jobs, findings);
  }

  /** What stands in a text, with files of the present folder. */
  public static JobFileSet of(String name, byte[] text, DataSets dataSets) {
    Reading reading =
        JobFileReader.read(
            name, text, new WithDataSets(JobFiles.in(Path.of("")), dataSets), Map.of());
    return new JobFileSet(reading.jobs(), reading.findings());
  }

  private static Reading read(
      String name, Map<String, String> settings, boolean table, DataSets dataSets) {
    Path file = Path.of(name);
    Path folder = name.equals(STANDARD_INPUT) ? Path.of("") : file.toAbsolutePath().getParent();
    JobFiles files = new WithDataSets(JobFiles.in(folder == null ? Path.of("") : folder), dataSets);
    byte[] content = content(name);
    return table || name.toLowerCase(Locale.ROOT).endsWith(".tsv")
        ? TsvReader.read(name, content, files)
        : JobFileReader.read(name, content, files, settings);
  }

  private static byte[] content(String name) {
    try {
      if (name.equals(STANDARD_INPUT)) {
        return System.in.readAllBytes();
      }
      if (!Files.isRegularFile(Path.of(name))) {
        throw new ImkerException(name + ": there is no such file.");
      }
      return Files.readAllBytes(Path.of(name));
    } catch (IOException e) {
      throw new ImkerException(name + " cannot be read: " + e.getMessage(), e);
    }
  }

  public boolean isValid() {
    return findings.stream().noneMatch(Finding::isError);
  }

  public void printFindings(PrintWriter err) {
    findings.forEach(err::println);
    long errors = findings.stream().filter(Finding::isError).count();
    if (errors > 0) {
      err.println(
          errors == 1
              ? "1 mistake; nothing was submitted."
              : errors + " mistakes; nothing was submitted.");
    }
    err.flush();
  }
}
