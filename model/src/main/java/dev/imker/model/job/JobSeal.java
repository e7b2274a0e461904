package dev.imker.model.job;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a developer signs: everything of a stage that decides what its tasks do, as one text. The
 * signature (Ed25519, Base64) travels as a variable of the stage's environment. Values of sweep
 * parameters are not part of it; the verifier accepts only plain words for them.
 */
public final class JobSeal {
  /** The variable that holds the signature. */
  public static final String VARIABLE = "IMKER_SIGNATURE";

  private static final String VERSION = "imker job 3";

  private JobSeal() {}

  public static String text(JobKind kind, Stage stage) {
    return text(
        kind,
        stage.command(),
        stage.payload(),
        stage.paramNames(),
        stage.env(),
        stage.inputs(),
        stage.outputs(),
        stage.rules());
  }

  public static String text(TaskTemplate template) {
    return text(
        template.kind(),
        template.command(),
        template.payload(),
        template.paramNames(),
        template.env(),
        template.inputs(),
        template.outputs(),
        template.rules());
  }

  private static String text(
      JobKind kind,
      List<String> command,
      String payload,
      List<String> paramNames,
      Map<String, String> env,
      List<InputFile> inputs,
      List<String> outputs,
      TaskRules rules) {
    List<String> words = new ArrayList<>(List.of(VERSION, kind.name(), payload));
    add(words, "command", command);
    add(words, "parameters", paramNames);
    List<String> variables = new ArrayList<>();
    new TreeMap<>(env)
        .forEach(
            (key, value) -> {
              if (!key.equals(VARIABLE)) {
                variables.add(key + "=" + value);
              }
            });
    add(words, "environment", variables);
    List<String> files = new ArrayList<>();
    inputs.stream()
        .sorted(Comparator.comparing(InputFile::path).thenComparing(InputFile::os))
        .forEach(
            file ->
                files.add(
                    file.blob()
                        + (file.executable() ? " x " : " - ")
                        + file.os()
                        + " "
                        + file.path()
                        + (file.param().isEmpty() ? "" : "\nfor " + file.param())));
    add(words, "inputs", files);
    add(words, "outputs", outputs);
    add(
        words,
        "process",
        List.of(rules.stdin(), rules.folder(), rules.network() ? "network" : "no network"));
    add(words, "checkpoints", rules.checkpoints());
    StringBuilder text = new StringBuilder();
    // The length prefix makes the encoding unambiguous.
    words.forEach(word -> text.append(word.length()).append(':').append(word).append('\n'));
    return text.toString();
  }

  private static void add(List<String> words, String what, List<String> list) {
    words.add(what + " " + list.size());
    words.addAll(list);
  }
}
