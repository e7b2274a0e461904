package dev.imker.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSeal;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class SigningKeyTest {
  @TempDir Path folder;

  private static boolean fits(String open, String text, String signed) throws Exception {
    PublicKey key =
        KeyFactory.getInstance("Ed25519")
            .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(open)));
    Signature signature = Signature.getInstance("Ed25519");
    signature.initVerify(key);
    signature.update(text.getBytes(StandardCharsets.UTF_8));
    return signature.verify(Base64.getDecoder().decode(signed.strip()));
  }

  @Test
  void every_stage_of_a_job_is_signed() throws Exception {
    String open = SigningKey.create(folder.resolve("key"));
    JobSpec job =
        JobSpec.of("j", "p", JobKind.COMMAND, Stage.of(List.of("first"), List.of()))
            .withStages(
                List.of(
                    Stage.of(List.of("first"), List.of()), Stage.of(List.of("next"), List.of())));
    JobSpec sealed = SigningKey.read(folder.resolve("key")).seal(job);
    for (Stage stage : sealed.stages()) {
      String signed = Objects.requireNonNull(stage.env().get(JobSeal.VARIABLE));
      assertThat(fits(open, JobSeal.text(JobKind.COMMAND, stage), signed)).isTrue();
    }
  }

  @Test
  void a_release_is_signed_beside_its_jar() throws Exception {
    String open = SigningKey.create(folder.resolve("key"));
    Path jar = Files.writeString(folder.resolve("imker.jar"), "a jar");
    int exit =
        new CommandLine(new SignReleaseCommand())
            .execute(jar.toString(), "--key", folder.resolve("key").toString());
    assertThat(exit).isZero();
    String text = "imker agent build " + sha256("a jar");
    assertThat(fits(open, text, Files.readString(folder.resolve("imker.jar.sig")))).isTrue();
  }

  private static String sha256(String text) throws Exception {
    return java.util.HexFormat.of()
        .formatHex(
            java.security.MessageDigest.getInstance("SHA-256")
                .digest(text.getBytes(StandardCharsets.UTF_8)));
  }
}
