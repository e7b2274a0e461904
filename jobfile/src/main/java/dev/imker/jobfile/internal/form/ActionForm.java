package dev.imker.jobfile.internal.form;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The additional fields of an action file compared with a job file. */
public final class ActionForm {
  private static final String FACT = "\\([^()]+\\)";
  private static final String FACT_RULE = "Write a fact of the domain, in quotes: '(in ?f ?p)'.";

  /** Whether to replan after an action has failed permanently. */
  public static final Field<Boolean> STRATEGY =
      new Field<>("strategy", Kinds.choice(strategies()), "replan, or give-up (default).");

  public static final Field<Integer> MAX_REPLANS =
      new Field<>("max-replans", Kinds.whole(1, 100), "How often; 5 by default.");

  public static final Field<Map<String, String>> MAKES =
      new Field<>(
          "makes",
          Kinds.mapOf(Kinds.text(), FACT, FACT_RULE),
          "Results that represent effects: '(in ?f ?p)': bill.txt.");

  public static final Field<Map<String, String>> USES =
      new Field<>(
          "uses",
          Kinds.mapOf(Kinds.text(), FACT, FACT_RULE),
          "Folders for the files of conditions: '(in ?f ?p)': bills.");

  public static final Field<Long> DURATION =
      new Field<>("duration", Kinds.duration(), "Approximate duration of the action.");

  /** What is read separately from the fields of a job. */
  public static final Form FILE = new Form(List.of(STRATEGY, MAX_REPLANS), Set.of());

  /** What is read separately from the fields of a stage. */
  public static final Form ACTION = new Form(List.of(MAKES, USES, DURATION), Set.of());

  private ActionForm() {}

  private static Map<String, Boolean> strategies() {
    Map<String, Boolean> words = new LinkedHashMap<>();
    words.put("replan", true);
    words.put("give-up", false);
    return words;
  }
}
