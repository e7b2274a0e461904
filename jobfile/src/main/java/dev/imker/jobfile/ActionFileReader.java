package dev.imker.jobfile;

import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.files.FileText;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.findings.Finding;
import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Hints;
import dev.imker.jobfile.findings.Place;
import dev.imker.jobfile.findings.Spot;
import dev.imker.jobfile.internal.form.ActionForm;
import dev.imker.jobfile.internal.form.Filled;
import dev.imker.jobfile.internal.form.Form;
import dev.imker.jobfile.internal.form.Tree;
import dev.imker.jobfile.internal.form.TreeReader;
import dev.imker.model.job.ActionBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads files that bind the actions of a planning domain to commands: job files with {@code
 * actions} in place of stages. Each action becomes a stage with the parameters of the action, so an
 * action may have all fields of a stage.
 */
public final class ActionFileReader {
  private static final int DEFAULT_REPLANS = 5;
  private static final String ACTIONS = "actions";
  private static final String UNDO = "undo";
  private static final Set<String> PLANNED_FIELDS = Set.of("name", "sweep", "after", "after-any");
  private static final Pattern STAGE = Pattern.compile("stages\\[(\\d+)]");

  /**
   * The content of a file.
   *
   * @param job a stage for every action and every undo, with the names of parameters in place of
   *     objects; null if there are errors
   */
  public record Actions(
      @Nullable JobDraft job,
      List<ActionBinding> bindings,
      boolean replan,
      int maxReplans,
      List<Finding> findings) {
    public Actions {
      bindings = List.copyOf(bindings);
      findings = List.copyOf(findings);
    }
  }

  private final Map<String, List<String>> parameters;
  private final Findings findings;
  private final List<Tree> stages = new ArrayList<>();
  private final List<String> places = new ArrayList<>();
  private final List<ActionBinding> bindings = new ArrayList<>();

  private ActionFileReader(Map<String, List<String>> parameters, Findings findings) {
    this.parameters = parameters;
    this.findings = findings;
  }

  /**
   * @param parameters of each action of the domain, without question marks
   */
  public static Actions read(
      String fileName, byte[] content, JobFiles files, Map<String, List<String>> parameters) {
    Findings findings = new Findings(fileName);
    String text = FileText.decode(content, findings);
    List<Tree> documents = text == null ? List.of() : TreeReader.read(text, findings);
    if (documents.size() == 1 && documents.getFirst() instanceof Tree.Entries document) {
      return new ActionFileReader(parameters, findings).read(document, files);
    }
    if (!findings.hasErrors()) {
      findings.error(
          new Spot(Place.START, ""),
          "This must be one document with the field 'actions'.",
          "Write actions:, followed by one entry per action of the domain.");
    }
    return new Actions(null, List.of(), false, 0, findings.inOrder());
  }

  private Actions read(Tree.Entries document, JobFiles files) {
    Filled own = part(document, ActionForm.FILE, "");
    readActions(document);
    JobDraft job = null;
    if (!findings.hasErrors()) {
      Tree.Entries jobTree =
          with(
              without(
                  document, name -> name.equals(ACTIONS) || ActionForm.FILE.names().contains(name)),
              "stages",
              new Tree.Items(stages, document.place()));
      Findings inJob = new Findings(findings.file());
      job = JobFileReader.job(jobTree, files, inJob);
      inJob.inOrder().forEach(finding -> findings.add(inWordsOfActions(finding)));
    }
    return new Actions(
        findings.hasErrors() ? null : job,
        bindings,
        own.get(ActionForm.STRATEGY, false),
        own.get(ActionForm.MAX_REPLANS, DEFAULT_REPLANS),
        findings.inOrder());
  }

  private void readActions(Tree.Entries document) {
    if (!(document.get(ACTIONS) instanceof Tree.Entries actions)) {
      findings.error(
          new Spot(document.place(), ACTIONS),
          "'actions' is missing, or is not a mapping.",
          "Name each action of the domain with its command: " + names() + ".");
      return;
    }
    for (Tree.Entry entry : actions.entries()) {
      readAction(entry);
    }
    for (String name : parameters.keySet()) {
      if (actions.get(name) == null) {
        findings.error(
            new Spot(actions.place(), ACTIONS),
            "The action '" + name + "' of the domain is not bound to a command.",
            "Add " + name + ": with a command.");
      }
    }
  }

  private void readAction(Tree.Entry entry) {
    String at = ACTIONS + "." + entry.name();
    List<String> names = parameters.get(entry.name());
    if (names == null) {
      findings.error(
          new Spot(entry.key().place(), at),
          "The domain has no action '" + Hints.shorten(entry.name()) + "'.",
          Hints.suggest(entry.name(), parameters.keySet()));
    } else if (!(entry.value() instanceof Tree.Entries action)) {
      findings.error(
          new Spot(entry.value().place(), at),
          "This must be 'field: value' lines, but is " + entry.value().inWords() + ".",
          "Write at least command: with the command to run.");
    } else {
      Filled own = part(action, ActionForm.ACTION, at);
      for (Tree.Entry field : action.entries()) {
        if (PLANNED_FIELDS.contains(field.name())) {
          findings.error(
              new Spot(field.key().place(), at + "." + field.name()),
              "'" + field.name() + "' is derived from the plan.",
              "Remove it.");
        }
      }
      Tree.Entries plain =
          with(
              without(
                  action, name -> name.equals(UNDO) || ActionForm.ACTION.names().contains(name)),
              "sweep",
              sweep(names, action.place()));
      add(plain, entry.name(), at);
      Tree undo = action.get(UNDO);
      if (undo != null) {
        Tree.Entries undoing = with(without(plain, "command"::equals), "command", undo);
        add(undoing, undoName(entry.name()), at + ".undo");
      }
      bindings.add(
          new ActionBinding(
              entry.name(),
              undo == null ? "" : undoName(entry.name()),
              own.get(ActionForm.MAKES, Map.of()),
              own.get(ActionForm.USES, Map.of()),
              own.get(ActionForm.DURATION, 0L) / 1000.0));
    }
  }

  private static String undoName(String action) {
    return "undo-" + action;
  }

  private void add(Tree.Entries stage, String name, String at) {
    stages.add(with(stage, "name", new Tree.Text(name, false, stage.place())));
    places.add(at);
  }

  /** One value for each parameter, a stand-in for the objects of a plan. */
  private static Tree sweep(List<String> names, Place place) {
    Tree.Entries sweep = new Tree.Entries(List.of(), place);
    for (String name : names) {
      Tree value = new Tree.Items(List.of(new Tree.Text(name, false, place)), place);
      sweep = with(sweep, name, value);
    }
    return sweep;
  }

  private Filled part(Tree.Entries tree, Form form, String at) {
    Filled filled = form.read(without(tree, name -> !form.names().contains(name)), at, findings);
    if (filled == null) {
      throw new IllegalStateException("a mapping is always read");
    }
    return filled;
  }

  private static Tree.Entries without(Tree.Entries tree, Predicate<String> left) {
    return new Tree.Entries(
        tree.entries().stream().filter(entry -> !left.test(entry.name())).toList(), tree.place());
  }

  private static Tree.Entries with(Tree.Entries tree, String name, Tree value) {
    List<Tree.Entry> entries = new ArrayList<>(tree.entries());
    entries.add(new Tree.Entry(new Tree.Text(name, true, value.place()), value));
    return new Tree.Entries(entries, tree.place());
  }

  private Finding inWordsOfActions(Finding finding) {
    Matcher stage = STAGE.matcher(finding.field());
    String field =
        stage.lookingAt()
            ? places.get(Integer.parseInt(stage.group(1))) + finding.field().substring(stage.end())
            : finding.field();
    return new Finding(
        finding.severity(),
        finding.file(),
        finding.line(),
        finding.column(),
        field,
        finding.message(),
        finding.fix());
  }

  private String names() {
    return String.join(", ", parameters.keySet());
  }
}
