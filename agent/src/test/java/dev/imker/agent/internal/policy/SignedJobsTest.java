package dev.imker.agent.internal.policy;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.agent.internal.system.StartFailedException;
import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSeal;
import dev.imker.model.job.TaskRules;
import dev.imker.model.job.TaskTemplate;
import dev.imker.testbase.Attack;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a signed job may bring that nobody signed. */
final class SignedJobsTest {
  private final KeyPair key = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
  private final SignedJobs jobs = new SignedJobs(new Signing(true, List.of(key.getPublic())));

  SignedJobsTest() throws Exception {}

  private static TaskTemplate template(Map<String, String> env) {
    return new TaskTemplate(
        new JobId(1),
        0,
        "ann",
        "default",
        "signed",
        JobKind.COMMAND,
        List.of("tool", "${p}"),
        "",
        List.of("p"),
        env,
        List.of(file("tool", false)),
        List.of(),
        TaskRules.USUAL.with(
            draft -> {
              draft.checkpoints = List.of("state/*.bin");
              draft.speculative = false;
            }));
  }

  private TaskTemplate signed() throws Exception {
    Signature signature = Signature.getInstance("Ed25519");
    signature.initSign(key.getPrivate());
    signature.update(JobSeal.text(template(Map.of())).getBytes(StandardCharsets.UTF_8));
    return template(Map.of(JobSeal.VARIABLE, Base64.getEncoder().encodeToString(signature.sign())));
  }

  private static InputFile file(String path, boolean executable) {
    return new InputFile(path, new BlobId("a".repeat(64)), 1, executable, "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-5", "-0.5", "-1e-9", "+3", "a-b", "x=1,2", "data/file.csv", ""})
  void plain_words_and_numbers_pass(String value) throws Exception {
    TaskTemplate template = signed();
    assertThatCode(() -> jobs.check(template, List.of(value), List.of(value), List.of()))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-0o/home/owner/.bashrc",
        "-5f/etc/passwd",
        "-",
        "--",
        "-x",
        "-.x",
        "a b",
        "$(id)",
        "`id`",
        "a;b",
        "a\nb",
        "*",
        "~",
        "a&b",
        "'"
      })
  @Attack("smuggle an option or a command into a signed job through a parameter value")
  void options_and_commands_do_not(String value) throws Exception {
    TaskTemplate template = signed();
    assertThatThrownBy(() -> jobs.check(template, List.of(value), List.of(), List.of()))
        .isInstanceOf(StartFailedException.class)
        .hasMessageContaining("not a plain word");
    assertThatThrownBy(() -> jobs.check(template, List.of("1"), List.of(value), List.of()))
        .isInstanceOf(StartFailedException.class)
        .hasMessageContaining("value of a secret");
  }

  @Test
  void what_an_earlier_attempt_has_saved_passes() throws Exception {
    TaskTemplate template = signed();
    List<InputFile> saved = List.of(file("state/1.bin", false));
    assertThatCode(() -> jobs.check(template, List.of("1"), List.of(), saved))
        .doesNotThrowAnyException();
  }

  @Test
  @Attack("replace a signed file, or add a program, as if it were a checkpoint")
  void other_files_do_not() throws Exception {
    TaskTemplate template = signed();
    for (InputFile other :
        List.of(file("state/1.bin", true), file("tool", false), file("state/1.txt", false))) {
      assertThatThrownBy(() -> jobs.check(template, List.of("1"), List.of(), List.of(other)))
          .isInstanceOf(StartFailedException.class)
          .hasMessageContaining("files that are not signed");
    }
  }
}
