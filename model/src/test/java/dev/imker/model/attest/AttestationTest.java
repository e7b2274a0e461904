package dev.imker.model.attest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.ResultFile;
import dev.imker.model.TaskId;
import dev.imker.model.attest.Statement.Part;
import dev.imker.model.job.InputFile;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AttestationTest {
  private static final KeyPair KEY = newKey();

  private static KeyPair newKey() {
    try {
      return KeyPairGenerator.getInstance(Ed25519.ALGORITHM).generateKeyPair();
    } catch (java.security.GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static BlobId blob(String content) {
    return BlobId.of(content.getBytes(StandardCharsets.UTF_8));
  }

  private static Statement statement(int task, List<InputFile> given) {
    return statement(
        task,
        1,
        List.of("a"),
        given,
        0,
        200,
        "out",
        List.of(new ResultFile("x", blob("x"), 1, false)));
  }

  private static Statement statement(
      int task,
      int attempt,
      List<String> params,
      List<InputFile> given,
      int exitCode,
      long endedMillis,
      String stdout,
      List<ResultFile> results) {
    return new Statement(
        new Lease(TaskId.of(7, task), new LeaseToken(5, -9)),
        attempt,
        new AgentId("agent"),
        blob("order").sha256(),
        params,
        Statement.hashOf(given),
        AttemptOutcome.SUCCEEDED,
        exitCode,
        100,
        endedMillis,
        blob(stdout).sha256(),
        blob("").sha256(),
        results);
  }

  private static List<Attestation> sign(List<Statement> statements, List<InputFile> given) {
    return Attestation.sign(
            statements.stream().map(one -> new Attestation.Signable(one, given)).toList(),
            text -> Ed25519.sign(KEY.getPrivate(), text))
        .stream()
        .map(Attestation::decode)
        .toList();
  }

  @Test
  void each_of_many_that_leave_together_is_proved_on_its_own() {
    byte[] key = KEY.getPublic().getEncoded();
    byte[] other = newKey().getPublic().getEncoded();
    for (int count : List.of(1, 2, 3, 4, 5, 8, 13, 64, 100)) {
      List<Statement> all =
          IntStream.range(0, count).mapToObj(i -> statement(i, List.of())).toList();
      List<Attestation> signed = sign(all, List.of());
      for (int i = 0; i < count; i++) {
        assertThat(signed.get(i).proves(all.get(i), key)).as("%d of %d", i, count).isTrue();
        assertThat(signed.get(i).proves(all.get(i), other)).isFalse();
        assertThat(signed.get(i).proves(statement(count + i, List.of()), key)).isFalse();
        assertThat(signed.get((i + 1) % count).proves(all.get(i), key)).isEqualTo(count == 1);
      }
    }
  }

  @Test
  void whatever_is_changed_is_noticed_and_named() {
    List<InputFile> given = List.of(new InputFile("in", blob("in"), 2, true));
    Statement said = statement(1, given);
    Attestation signed = sign(List.of(statement(0, given), said), given).get(1);
    assertThat(signed.differing(said)).isEmpty();
    assertThat(signed.inputs()).isEqualTo(Statement.hashOf(signed.files()));
    List<ResultFile> files = said.results();
    List<ResultFile> forged = List.of(new ResultFile("x", blob("y"), 1, false));
    List<ResultFile> runnable = List.of(new ResultFile("x", blob("x"), 1, true));
    requireNoticed(signed, statement(2, given), Part.LEASE);
    requireNoticed(signed, statement(1, 2, List.of("a"), given, 0, 200, "out", files), Part.LEASE);
    requireNoticed(signed, statement(1, 1, List.of("b"), given, 0, 200, "out", files), Part.ORDER);
    requireNoticed(signed, statement(1, List.of()), Part.ORDER);
    requireNoticed(signed, statement(1, 1, List.of("a"), given, 1, 200, "out", files), Part.END);
    requireNoticed(signed, statement(1, 1, List.of("a"), given, 0, 201, "out", files), Part.END);
    requireNoticed(signed, statement(1, 1, List.of("a"), given, 0, 200, "up", files), Part.OUTPUT);
    requireNoticed(
        signed, statement(1, 1, List.of("a"), given, 0, 200, "out", forged), Part.RESULTS);
    requireNoticed(
        signed, statement(1, 1, List.of("a"), given, 0, 200, "out", runnable), Part.RESULTS);
    requireNoticed(
        signed, statement(1, 1, List.of("a"), given, 0, 200, "out", List.of()), Part.RESULTS);
  }

  private static void requireNoticed(Attestation signed, Statement changed, Part part) {
    assertThat(signed.proves(changed, KEY.getPublic().getEncoded())).isFalse();
    assertThat(signed.differing(changed)).containsExactly(part);
  }

  @Test
  void every_single_bit_of_the_proof_counts() {
    List<Statement> all = List.of(statement(0, List.of()), statement(1, List.of()));
    byte[] encoded =
        Attestation.sign(
                all.stream().map(one -> new Attestation.Signable(one, List.of())).toList(),
                text -> Ed25519.sign(KEY.getPrivate(), text))
            .getFirst();
    int hints = 1 + Integer.BYTES * Part.values().length;
    for (int bit = 8 * hints; bit < 8 * encoded.length; bit++) {
      byte[] changed = encoded.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      boolean proved;
      try {
        proved = Attestation.decode(changed).proves(all.getFirst(), KEY.getPublic().getEncoded());
      } catch (IllegalArgumentException e) {
        proved = false;
      }
      assertThat(proved).as("bit %d", bit).isFalse();
    }
  }

  @Test
  void what_is_cut_off_or_too_long_is_refused_and_long_lists_are_left_out() {
    List<InputFile> many = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      many.add(new InputFile("file-" + i, blob("" + i), 1, false));
    }
    Statement statement = statement(0, many);
    byte[] encoded =
        Attestation.sign(
                List.of(new Attestation.Signable(statement, many)),
                text -> Ed25519.sign(KEY.getPrivate(), text))
            .getFirst();
    assertThat(encoded).hasSizeLessThan(300);
    assertThat(Attestation.decode(encoded).files()).isEmpty();
    assertThat(Attestation.decode(encoded).proves(statement, KEY.getPublic().getEncoded()))
        .isTrue();
    for (int length = 0; length < 90; length++) {
      byte[] cut = Arrays.copyOf(encoded, length);
      assertThatIllegalArgumentException().isThrownBy(() -> Attestation.decode(cut));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Attestation.decode(Arrays.copyOf(encoded, Attestation.MAX_BYTES + 1)));
  }
}
