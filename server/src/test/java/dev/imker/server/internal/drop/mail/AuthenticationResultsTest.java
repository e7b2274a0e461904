package dev.imker.server.internal.drop.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticationResultsTest {
  private static final String SERVER = "mx.example.net";

  private static Optional<String> proven(String results) {
    return AuthenticationResults.parse(SERVER + "; " + results)
        .flatMap(parsed -> parsed.provenDomain(SERVER));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dmarc=pass header.from=example.org",
        "spf=fail smtp.mailfrom=a@b.c; dmarc=pass (p=NONE sp=NONE dis=NONE)"
            + " header.from=example.org",
        "DMARC/1 = Pass (a; dmarc=fail) Header.From=example.org; dkim=none",
        "dmarc=pass reason=\"it said: dmarc=fail; so what\" header.from=\"example.org\"",
      })
  void a_pass_for_a_domain_proves_it(String results) {
    assertThat(proven(results)).contains("example.org");
  }

  /** Whatever a sender chooses is repeated in there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "spf=pass smtp.mailfrom=dmarc=pass@evil.org; dmarc=fail (p=none) header.from=example.org",
        "spf=pass smtp.mailfrom=\"a; dmarc=pass header.from=example.org\"@evil.org; dmarc=fail"
            + " header.from=example.org",
        "spf=pass (helo dmarc=pass header.from=example.org) smtp.helo=x; dmarc=none"
            + " header.from=example.org",
        "spf=pass (a \\) ; dmarc=pass header.from=example.org ) smtp.helo=x",
        "spf=pass (a ; dmarc=pass header.from=example.org; (",
        "spf=pass smtp.mailfrom=\"x; dmarc=pass header.from=example.org",
        "dmarc=pass header.from=example.org; dmarc=fail header.from=example.org",
        "dmarc=fail reason=\"dmarc=pass\" header.from=example.org",
        "dmarc=passed header.from=example.org",
        "dmarc=pass",
        "dmarc=pass header.from=a.org header.from=example.org",
        "xdmarc=pass header.from=example.org",
        "dkim=pass header.d=example.org",
        "",
      })
  void anything_else_proves_nothing(String results) {
    assertThat(proven(results)).isEmpty();
  }

  @Test
  void only_the_word_of_the_chosen_server_counts() {
    String header = "mx.evil.org 1; dmarc=pass header.from=example.org";
    assertThat(AuthenticationResults.parse(header).orElseThrow().provenDomain(SERVER)).isEmpty();
    assertThat(AuthenticationResults.parse(header).orElseThrow().provenDomain("mx.evil.org"))
        .contains("example.org");
    assertThat(AuthenticationResults.parse("(mx.example.net) x; dmarc=pass header.from=a.org"))
        .hasValueSatisfying(parsed -> assertThat(parsed.provenDomain(SERVER)).isEmpty());
  }
}
