package dev.imker.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.jobfile.files.JobFiles;
import dev.imker.model.job.ActionBinding;
import dev.imker.model.job.Stage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActionFileReaderTest {
  @TempDir Path folder;

  private ActionFileReader.Actions read(String text) {
    return ActionFileReader.read(
        "a.yaml",
        text.getBytes(StandardCharsets.UTF_8),
        JobFiles.in(folder),
        Map.of("fly", List.of("p", "to")));
  }

  @Test
  void an_action_is_a_stage_with_its_own_parameters() {
    ActionFileReader.Actions actions =
        read(
            """
            name: trip
            strategy: replan
            env: {LANG: C}
            actions:
              fly:
                command: fly ${p} ${to}
                undo: repair ${p}
                makes: {'(at ?p ?to)': ticket.txt}
                uses: {'(open ?to)': .}
                duration: 2m
            """);
    assertThat(actions.findings()).isEmpty();
    assertThat(actions.replan()).isTrue();
    assertThat(actions.maxReplans()).isEqualTo(5);
    assertThat(actions.bindings())
        .containsExactly(
            new ActionBinding(
                "fly",
                "undo-fly",
                Map.of("(at ?p ?to)", "ticket.txt"),
                Map.of("(open ?to)", "."),
                120));
    List<Stage> stages = Objects.requireNonNull(actions.job()).spec().stages();
    assertThat(stages).extracting(Stage::name).containsExactly("fly", "undo-fly");
    assertThat(stages).extracting(Stage::paramNames).containsOnly(List.of("p", "to"));
    assertThat(stages.get(1).command()).containsExactly("repair ${p}");
    assertThat(stages.get(1).env()).containsEntry("LANG", "C");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'actions: {fly: {comand: x}}' | a.yaml:1:17: actions.fly.comand: Unknown field"
            + " 'comand'. Did you mean command?",
        "'actions: {fly: {command: \"go ${q}\"}}' | a.yaml:1:26: actions.fly.command: ",
        "'actions: {fly: {command: x, after: y}}' | a.yaml:1:29: actions.fly.after:"
            + " 'after' is derived from the plan. Remove it.",
        "'actions: {fly: {command: x, makes: {at: f}}}' | a.yaml:1:37: actions.fly.makes.at: 'at'"
            + " is not a valid name. Write a fact of the domain, in quotes: '(in ?f ?p)'.",
        "'actions: {fli: {command: x}}' | a.yaml:1:11: actions.fli: The domain has no action"
            + " 'fli'.",
        "'actions: {fly: go}' | a.yaml:1:16: actions.fly: This must be 'field: value'"
            + " lines, but is 'go'.",
        "'strategy: hope' | a.yaml:1:11: strategy: ",
        "'[]' | a.yaml:1:1: This must be one document with the field 'actions'.",
      })
  void mistakes_are_located(String text, String message) {
    ActionFileReader.Actions actions = read(text);
    assertThat(actions.job()).isNull();
    assertThat(actions.findings().toString()).contains(message.strip());
  }
}
