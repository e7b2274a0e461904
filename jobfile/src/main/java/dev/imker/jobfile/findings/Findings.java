package dev.imker.jobfile.findings;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects all mistakes of a file, so that they can be reported together. */
public final class Findings {
  private static final int MAX = 200;

  private final String file;
  private final List<Finding> all = new ArrayList<>();

  public Findings(String file) {
    this.file = file;
  }

  public String file() {
    return file;
  }

  public void error(Spot spot, String message, String fix) {
    add(Finding.Severity.ERROR, spot, message, fix);
  }

  public void warning(Spot spot, String message, String fix) {
    add(Finding.Severity.WARNING, spot, message, fix);
  }

  public void add(Finding finding) {
    if (all.size() < MAX && !all.contains(finding)) {
      all.add(finding);
    }
  }

  private void add(Finding.Severity severity, Spot spot, String message, String fix) {
    add(
        new Finding(
            severity,
            file,
            spot.place().line(),
            spot.place().column(),
            spot.field(),
            message,
            fix));
  }

  /** The number of findings, up to the maximum kept. */
  public int count() {
    return all.size();
  }

  public List<Finding> errors() {
    return all.stream().filter(Finding::isError).toList();
  }

  public boolean hasErrors() {
    return all.stream().anyMatch(Finding::isError);
  }

  /** In the order of the file. */
  public List<Finding> inOrder() {
    return all.stream()
        .sorted(Comparator.comparingInt(Finding::line).thenComparingInt(Finding::column))
        .toList();
  }
}
