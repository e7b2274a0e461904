package dev.imker.jobfile.tsv;

import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.draft.Reading;
import dev.imker.jobfile.files.FileText;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Place;
import dev.imker.jobfile.findings.Spot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads the ten-field format: one task per line, fields separated by tabs.
 *
 * <pre>
 * jobType platform command resultFiles maintainoutput files mailnotification periodicUpload
 *   userIdentifier preUserIdentifiers
 * </pre>
 *
 * <p>Each jobType ({@code user_project}) makes one job. Lines that differ in nothing but command
 * and identifier become tasks of one stage; a line that others wait for is a stage of its own.
 * Blank lines, lines that begin with {@code #}, and a heading are left out.
 */
public final class TsvReader {
  private static final int MAX_LINES = 1_000_000;

  private TsvReader() {}

  public static Reading read(String fileName, byte[] content, JobFiles files) {
    Findings findings = new Findings(fileName);
    String text = FileText.decode(content, findings);
    List<TsvLine> lines = text == null ? List.of() : lines(text, findings);
    if (lines.isEmpty() && !findings.hasErrors()) {
      findings.error(new Spot(Place.START, ""), "There is no task in this file.", "");
    }
    Map<String, List<TsvLine>> projects = new LinkedHashMap<>();
    for (TsvLine line : lines) {
      projects.computeIfAbsent(line.get("jobType"), type -> new ArrayList<>()).add(line);
    }
    Map<String, TsvLine> byIdentifier = identifiers(lines, findings);
    Set<TsvLine> awaited = awaited(lines, byIdentifier);
    List<TsvJob> jobs = new ArrayList<>();
    projects.forEach(
        (type, own) -> jobs.add(new TsvJob(type, own, byIdentifier, awaited, files, findings)));
    jobs.forEach(TsvJob::plan);
    Map<TsvJob, JobDraft> drafts = new LinkedHashMap<>();
    for (TsvJob job : jobs) {
      JobDraft draft = job.build(jobs);
      if (draft != null) {
        drafts.put(job, draft);
      }
    }
    List<JobDraft> ordered = ordered(drafts, findings);
    return new Reading(findings.hasErrors() ? List.of() : ordered, findings.inOrder());
  }

  private static Set<TsvLine> awaited(List<TsvLine> lines, Map<String, TsvLine> byIdentifier) {
    Set<TsvLine> awaited = new HashSet<>();
    for (TsvLine line : lines) {
      for (String before : line.list("preUserIdentifiers")) {
        TsvLine other = byIdentifier.get(before);
        if (other != null) {
          awaited.add(other);
        }
      }
    }
    return awaited;
  }

  /** Jobs on which others depend are submitted first. */
  private static List<JobDraft> ordered(Map<TsvJob, JobDraft> drafts, Findings findings) {
    Map<TsvJob, JobDraft> left = new LinkedHashMap<>(drafts);
    List<JobDraft> ordered = new ArrayList<>();
    while (!left.isEmpty() && !findings.hasErrors()) {
      List<TsvJob> free =
          left.keySet().stream()
              .filter(job -> job.before().stream().noneMatch(left::containsKey))
              .toList();
      if (free.isEmpty()) {
        findings.error(
            new Spot(Place.START, "preUserIdentifiers"),
            "Tasks of these jobTypes depend on each other: "
                + left.keySet().stream().map(TsvJob::type).collect(Collectors.joining(", "))
                + ".",
            "Use one jobType for them.");
      }
      for (TsvJob job : free) {
        JobDraft draft = left.remove(job);
        if (draft != null) {
          ordered.add(draft);
        }
      }
    }
    return ordered;
  }

  private static List<TsvLine> lines(String text, Findings findings) {
    List<TsvLine> lines = new ArrayList<>();
    int number = 0;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      number++;
      if (line.isBlank() || line.startsWith("#") || line.startsWith("jobType\t")) {
        continue;
      }
      List<String> fields = new ArrayList<>(List.of(line.split("\t", -1)));
      Spot spot = new Spot(new Place(number, 1), "");
      if (fields.size() > TsvLine.NAMES.size() || fields.size() < 3) {
        findings.error(
            spot,
            "The line has %d fields; it needs ten, separated by tabs.".formatted(fields.size()),
            "They are " + String.join(", ", TsvLine.NAMES) + ".");
        continue;
      }
      while (fields.size() < TsvLine.NAMES.size()) {
        fields.add("");
      }
      lines.add(new TsvLine(number, List.copyOf(fields)));
      if (lines.size() > MAX_LINES) {
        findings.error(
            spot, "There are more than %,d lines.".formatted(MAX_LINES), "Split the file.");
        return lines;
      }
    }
    return lines;
  }

  private static Map<String, TsvLine> identifiers(List<TsvLine> lines, Findings findings) {
    Map<String, TsvLine> all = new HashMap<>();
    for (TsvLine line : lines) {
      if (!line.isUnused("userIdentifier")) {
        TsvLine before = all.putIfAbsent(line.get("userIdentifier"), line);
        if (before != null) {
          findings.error(
              line.spot("userIdentifier"),
              "Line %2$d already has the identifier '%1$s'."
                  .formatted(line.get("userIdentifier"), before.line()),
              "Use a different one for each task.");
        }
      }
    }
    return all;
  }
}
