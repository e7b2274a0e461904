package dev.imker.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.connection.JoinToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptJoinTest {
  private static final String OLD = "a".repeat(64);
  private static final String NEW = "b".repeat(64);

  @TempDir Path folder;

  private static JoinToken token(String fingerprint) {
    return new JoinToken(List.of("https://pool:7070"), "secret", fingerprint);
  }

  private String found(JoinToken given) {
    return new KeptJoin(folder).find(given.encode(), Map.of()).orElseThrow().fingerprint();
  }

  @Test
  void a_token_with_an_authority_that_was_replaced_is_good_still() throws IOException {
    KeptJoin kept = new KeptJoin(folder);
    assertThat(kept.find(null, Map.of())).isEmpty();
    kept.keep(token(OLD));
    assertThat(kept.find(null, Map.of())).contains(token(OLD));
    assertThat(found(token(OLD))).isEqualTo(OLD);
    Files.writeString(folder.resolve("join"), token(NEW).encode() + "\n" + OLD + "\n");
    assertThat(found(token(OLD))).as("led over").isEqualTo(NEW);
    assertThat(found(token("c".repeat(64)))).as("another pool").isEqualTo("c".repeat(64));
    kept.keep(token(NEW));
    assertThat(found(token(OLD))).as("after the next start").isEqualTo(NEW);
  }
}
