package dev.imker.jobfile;

import dev.imker.jobfile.findings.Finding;
import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Place;
import dev.imker.jobfile.internal.form.NeedsKind;
import dev.imker.jobfile.internal.form.Tree;
import dev.imker.model.InputException;
import dev.imker.model.job.Requirements;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Reads needs from elsewhere than a file, such as options of a command. */
public final class NeedsReader {
  private NeedsReader() {}

  /**
   * @param fields as in a job file: texts, lists and mappings of texts
   * @throws InputException that begins with the name of the field that is wrong
   */
  public static Requirements read(Map<String, ?> fields) {
    if (fields.isEmpty()) {
      return Requirements.ANY;
    }
    Findings findings = new Findings("");
    Requirements needs = new NeedsKind().read(tree(fields), "", findings);
    if (findings.hasErrors() || needs == null) {
      Finding first = findings.errors().getFirst();
      throw new InputException("%s: %s %s".formatted(first.field(), first.message(), first.fix()));
    }
    return needs;
  }

  /** A description; empty if any machine is suitable. */
  public static String inWords(Requirements needs) {
    return Explanation.inWords(needs);
  }

  private static Tree tree(Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        List<Tree.Entry> entries = new ArrayList<>();
        map.forEach((name, one) -> entries.add(new Tree.Entry(text(name), tree(one))));
        yield new Tree.Entries(entries, Place.START);
      }
      case Collection<?> list ->
          new Tree.Items(list.stream().map(NeedsReader::tree).toList(), Place.START);
      default -> text(value);
    };
  }

  private static Tree.Text text(Object value) {
    return new Tree.Text(value.toString(), true, Place.START);
  }
}
