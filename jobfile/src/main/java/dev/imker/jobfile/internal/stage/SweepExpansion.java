package dev.imker.jobfile.internal.stage;

import dev.imker.jobfile.files.CsvTable;
import dev.imker.jobfile.files.FileText;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Hints;
import dev.imker.jobfile.findings.Spot;
import dev.imker.jobfile.internal.form.SweepEntry;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.validation.JobLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns a sweep as written into axes: looks up files and tables, and marks axes that vary together.
 * Axes keep the order of the file; the first varies slowest.
 */
final class SweepExpansion {

  private final JobFiles files;
  private final Findings findings;
  private final List<SweepAxis> axes = new ArrayList<>();
  private final Map<String, JobFiles.Found> inputs = new LinkedHashMap<>();
  private final Map<String, String> params = new HashMap<>();
  private final List<Spot> spots = new ArrayList<>();
  private int groups;

  private SweepExpansion(JobFiles files, Findings findings) {
    this.files = files;
    this.findings = findings;
  }

  /**
   * @param inputs files that became values, by their name in the work folder
   * @param params the parameters they belong to; empty for a file that is a value of several
   * @param spots positions of the axes, in their order
   */
  record Expanded(
      List<SweepAxis> axes,
      Map<String, JobFiles.Found> inputs,
      Map<String, String> params,
      List<Spot> spots) {}

  static Expanded expand(List<SweepEntry> sweep, JobFiles files, Findings findings) {
    SweepExpansion expansion = new SweepExpansion(files, findings);
    sweep.forEach(expansion::add);
    return new Expanded(expansion.axes, expansion.inputs, expansion.params, expansion.spots);
  }

  private void add(SweepEntry entry) {
    switch (entry) {
      case SweepEntry.Axis axis -> add(axis, "");
      case SweepEntry.Zip zip -> addZip(zip);
      case SweepEntry.Csv csv -> addTable(csv);
    }
  }

  private void add(SweepEntry.Axis axis, String mark) {
    SweepAxis values =
        switch (axis.source()) {
          case SweepEntry.Source.Fixed fixed -> fixed.axis();
          case SweepEntry.Source.Files found -> files(axis.name(), found, axis.spot());
        };
    if (values != null) {
      put(new SweepAxis(axis.name(), values.values(), values.range(), mark), axis.spot());
    }
  }

  private void put(SweepAxis axis, Spot spot) {
    axes.add(axis);
    spots.add(spot);
  }

  private void addZip(SweepEntry.Zip zip) {
    String mark = "zip" + ++groups;
    zip.axes().forEach(axis -> add(axis, mark));
  }

  // ---------------------------------------------------------------- files

  private @Nullable SweepAxis files(String name, SweepEntry.Source.Files source, Spot spot) {
    List<String> values = new ArrayList<>();
    for (String pattern : source.patterns()) {
      try {
        var found = files.find(pattern);
        if (found.isEmpty()) {
          findings.warning(spot, "The files " + pattern + " were not checked here.", "");
          values.add(pattern);
          continue;
        }
        for (JobFiles.Found file : found.get()) {
          values.add(file.name(""));
          inputs.put(file.name(""), file);
          params.merge(file.name(""), name, (one, other) -> one.equals(other) ? one : "");
        }
        if (found.get().isEmpty()) {
          findings.error(
              spot, "No file matches '" + pattern + "'.", "Patterns are relative to the job file.");
        }
      } catch (IOException e) {
        findings.error(spot, "'%s' cannot be read: %s.".formatted(pattern, e.getMessage()), "");
      }
    }
    return values.isEmpty() ? null : SweepAxis.of("", values);
  }

  private void addTable(SweepEntry.Csv csv) {
    Spot spot = csv.spot();
    try {
      var content = files.read(csv.file());
      if (content.isEmpty()) {
        findings.warning(spot, "The table " + csv.file() + " was not checked here.", "");
        csv.columns().forEach(name -> put(SweepAxis.of(name, List.of("?")), spot));
        return;
      }
      Character separator = csv.separator().isEmpty() ? null : csv.separator().charAt(0);
      addColumns(csv, CsvTable.parse(FileText.decode(content.get()), separator));
    } catch (CsvTable.MalformedException e) {
      findings.error(spot, csv.file() + ": " + e.getMessage() + ".", "");
    } catch (java.nio.charset.CharacterCodingException e) {
      findings.error(spot, csv.file() + " is not UTF-8.", "Save it as UTF-8.");
    } catch (IOException e) {
      findings.error(
          spot,
          "%s cannot be read: %s.".formatted(csv.file(), e.getMessage()),
          "Its name is relative to the job file.");
    }
  }

  private void addColumns(SweepEntry.Csv csv, CsvTable table) {
    Spot spot = csv.spot();
    if (table.rows().isEmpty() || table.rows().size() > JobLimits.MAX_VALUES) {
      findings.error(
          spot,
          "%s has %,d rows below its header; 1 to %,d are allowed."
              .formatted(csv.file(), table.rows().size(), JobLimits.MAX_VALUES),
          "");
      return;
    }
    String mark = "zip" + ++groups;
    for (String name : csv.columns().isEmpty() ? table.header() : csv.columns()) {
      int column = table.header().indexOf(name);
      if (column < 0) {
        findings.error(
            spot,
            "%s has no column '%s'.".formatted(csv.file(), name),
            Hints.suggest(name, table.header()));
      } else {
        put(
            SweepAxis.of(name, table.rows().stream().map(row -> row.cells().get(column)).toList())
                .zippedAs(mark),
            spot);
      }
    }
  }
}
