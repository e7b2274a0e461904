package dev.imker.jobfile.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.jobfile.JobFileReader;
import dev.imker.jobfile.findings.Finding;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every mistake is told with its place and its cure. */
class JobFileErrorsTest {
  @TempDir static Path folder;

  private static List<Finding> findings(String yaml) {
    return JobFileReader.read("job.yaml", yaml, JobFiles.in(folder)).findings();
  }

  private static List<String> lines(String yaml) {
    return findings(yaml).stream().map(Finding::toString).toList();
  }

  @Test
  void all_mistakes_are_told_at_once_in_the_order_of_the_file() {
    assertThat(
            lines(
                """
                comand: echo hello
                priority: 12
                max-runtime: 90
                needs:
                  memory: 2 XB
                  cpus: 4
                speculative: yes
                sweep:
                  n: 1..
                """))
        .containsExactly(
            "job.yaml:1:1: comand: Unknown field 'comand'. Did you mean command?",
            "job.yaml:1:1: command: There is nothing to run. Add a command: a shell"
                + " command line, or a list with a program and its arguments.",
            "job.yaml:2:11: priority: 12 is out of bounds. Give a number from 0 to 9.",
            "job.yaml:3:14: max-runtime: '90' is not a length of time with a unit. Write it as 90s,"
                + " 30m, 2h or 1d.",
            "job.yaml:5:11: needs.memory: '2 XB' is not a size with a unit. Write it as 512 MB or 2"
                + " GB, or auto.",
            "job.yaml:6:3: needs.cpus: Unknown field 'cpus'. Did you mean cores?",
            "job.yaml:7:14: speculative: This must be true or false, but is 'yes'. Write true or"
                + " false.",
            "job.yaml:9:6: sweep.n: '1..' is not a range: its ends must be whole numbers or single"
                + " letters, as in 1..100, 1..100..5 or a..e.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`command: x\\n\\tname: y`                 | 2:1 | indented with a tab",
        "`command: x\\nname: a\\ncommand: y`       | 3:1 | twice, first in line 1",
        "`command: x\\nresults: *.csv`             | 2:11 | must be quoted",
        "`command: 'x`                             | 1:12 | quote is not closed",
        "`command: x: y`                           | 1:11 | quoted",
        "`command: [a`                             | 1:12 | bracket",
        "`command: x\\npriority: 04`               | 2:11 | octal",
        "`command: x\\npriority: 0x4`              | 2:11 | octal",
        "`command: x\\npriority: '4'`              | 2:11 | Remove the quotes",
        "`command: x\\nnetwork: on`                | 2:10 | true or false",
        "`command:`                                | 1:9 | Give a value",
        "`command: {a: b}`                         | 1:10 | must be a list",
        "`- a\\n- b`                               | 1:1 | must be a mapping",
        "`command: x\\n? [a, b]\\n: c`             | 2:3 | cannot be the name",
        "`command: x\\n<<: {a: b}`                 | 2:1 | Merge keys",
        "`command: !!python/object x`              | 1:10 | tag",
        "`command: echo ${sed}\\nsweep: {seed: 1}` | 1:10 | Did you mean seed?",
        "`command: echo ${a`                       | 1:10 | closing brace",
        "`command: x\\nsweep: {task: 1}`           | 2:9 | already has a meaning",
        "`command: x\\nsweep: {a-b: 1}`            | 2:9 | is not a valid parameter name",
        "`command: x\\nsweep: {a: 1..10..0}`       | 2:12 | never end",
        "`command: x\\nsweep: {a: 0.0..1.0}`       | 2:12 | needs a step",
        "`command: x\\nsweep: {a: []}`             | 2:12 | no values",
        "`command: x\\nsweep: {a: 1..99999, b: 1..99999}` | 2:8 | more than",
        "`command: x\\nsweep: {zip: {a: [1], b: [1, 2]}}` | 2:23 | same number",
        "`command: x\\nsweep: {a: {files: '*.none'}}` | 2:9 | No file matches",
        "`command: echo ${city}\\nsweep: {csv: none.csv}`     | 2:14 | no such file",
        "`command: x\\ninputs: none.txt`           | 2:9 | There is no file",
        "`command: x\\nresults: ../up`             | 2:10 | not allowed",
        "`command: x\\nafter: prep`                | 2:8 | {tasks: prep}",
        "`command: x\\nneeds: {os: linus}`         | 2:13 | Did you mean linux?",
        "`command: x\\nneeds: X.1`                 | 2:8 | platform expression",
        "`command: x\\nimker: 2`                   | 2:8 | from 1 to 1",
        "`command: x\\nname: 12`                   | 2:7 | starting with a letter",
        "`command: x\\nname: last`                 | 2:7 | not a name",
        "`command: x\\nkind: jav`                  | 2:7 | Did you mean java?",
        "`command: x\\nnotify: ann`                | 2:9 | ann@example.org",
        "`command: x\\ntimeout: 5`                 | 2:1 | max-runtime",
        "`command: x\\nstages: []`                 | 2:9 | 1 to 10",
        "`stages: [{name: a, command: x, priority: 3}]` | 1:32 | belongs to the job",
        "`stages: [{name: a, command: x}, {command: y}]` | 1:33 | no name",
        "`command: x\\ncheckpoint: {files: a}\\nspeculative: true` | 3:14 | speculative copies",
        "`command: x\\ninputs: {form: a}`          | 2:9 | Add one of these: from",
        "`command: \"a\\0b\"`                      | 1:10 | NUL",
      })
  void a_mistake_is_told_with_its_place_and_cure(String yaml, String place, String words) {
    List<Finding> findings = findings(yaml.replace("\\n", "\n").replace("\\t", "\t"));
    assertThat(findings)
        .anySatisfy(
            finding -> {
              assertThat(finding.line() + ":" + finding.column()).isEqualTo(place);
              assertThat(finding.toString()).contains(words);
            });
  }

  @Test
  void a_circle_is_shown() {
    assertThat(
            lines(
                """
                stages:
                  - {name: a, command: x, after: c}
                  - {name: b, command: x, after: a}
                  - {name: c, command: x, inputs: [{stage: b}]}
                """))
        .containsExactly(
            "job.yaml:2:34: stages[0].after: These stages depend on each other: a → b → c"
                + " → a. Remove one of the dependencies.");
  }

  @Test
  void tasks_that_are_matched_must_fit() {
    assertThat(
            lines(
                """
                stages:
                  - {name: a, command: x, sweep: {n: 1..2}}
                  - {name: b, command: x, sweep: {m: 1..3}, after: {stage: a, match: each}}
                  - {name: c, command: x, sweep: {m: 1..3}, after: {stage: a, match: params}}
                """))
        .hasSize(2)
        .anyMatch(line -> line.contains("'b' has 3 and 'a' has 2"))
        .anyMatch(line -> line.contains("needs a common parameter"));
  }

  @Test
  void a_laughing_billion_is_refused() {
    StringBuilder yaml = new StringBuilder("a: &a [x, x, x, x, x, x, x, x, x]\n");
    for (char c = 'b'; c <= 'k'; c++) {
      String before = "*" + (char) (c - 1);
      yaml.append(c).append(": &").append(c).append(" [");
      yaml.append((before + ", ").repeat(8)).append(before).append("]\n");
    }
    assertThat(findings(yaml.toString())).isNotEmpty();
    assertThat(lines(yaml.toString()).getFirst()).containsAnyOf("aliases", "Number of");
  }

  @Test
  void endless_nesting_is_refused() {
    assertThat(lines("command: " + "[".repeat(100_000)).getFirst()).contains("nested");
    assertThat(lines("command: &a [*a]").getFirst()).contains("alias");
  }

  @Test
  void other_encodings_are_told() {
    byte[] latin = "command: echo stra\u00dfe".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(
            JobFileReader.read("job.yaml", latin, JobFiles.unknown())
                .findings()
                .getFirst()
                .toString())
        .isEqualTo("job.yaml:1:19: The byte 0xdf is not UTF-8. Save the file as UTF-8.");
    byte[] wide = "command: x".getBytes(StandardCharsets.UTF_16);
    assertThat(
            JobFileReader.read("job.yaml", wide, JobFiles.unknown())
                .findings()
                .getFirst()
                .toString())
        .contains("UTF-16");
    byte[] marked = "\uFEFFcommand: x".getBytes(StandardCharsets.UTF_8);
    assertThat(JobFileReader.read("job.yaml", marked, JobFiles.unknown()).isValid()).isTrue();
  }

  @Test
  void huge_files_are_refused() {
    byte[] huge = new byte[FileText.MAX_BYTES + 1];
    assertThat(
            JobFileReader.read("job.yaml", huge, JobFiles.unknown())
                .findings()
                .getFirst()
                .toString())
        .contains("limit")
        .contains("CSV");
  }

  @Test
  void an_empty_file_is_no_job() {
    assertThat(lines("# nothing\n").getFirst()).contains("no job");
  }
}
