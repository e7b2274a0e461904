package dev.imker.wire.pairing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PairingSideTest {
  private static final String CODE = "1234-5678";
  private static final String CERTIFICATE = "a".repeat(64);

  @Test
  void both_sides_with_the_code_understand_each_other() throws PairingException {
    PairingSide agent = PairingSide.ofAgent("12345678 ", CERTIFICATE);
    PairingSide server = PairingSide.ofServer(CODE, CERTIFICATE);
    exchange(agent, server);
    assertThat(agent.unseal(server.seal("the token"))).isEqualTo("the token");
  }

  @Test
  void another_code_is_noticed_by_both() throws PairingException {
    refused(PairingSide.ofAgent("1234-5679", CERTIFICATE), PairingSide.ofServer(CODE, CERTIFICATE));
  }

  @Test
  void the_right_code_before_another_certificate_is_as_wrong() throws PairingException {
    refused(PairingSide.ofAgent(CODE, "b".repeat(64)), PairingSide.ofServer(CODE, CERTIFICATE));
  }

  @Test
  void what_was_sealed_is_not_changed_on_its_way() throws PairingException {
    PairingSide agent = PairingSide.ofAgent(CODE, CERTIFICATE);
    PairingSide server = PairingSide.ofServer(CODE, CERTIFICATE);
    exchange(agent, server);
    String sealed = server.seal("the token");
    char changed = sealed.charAt(20) == 'A' ? 'B' : 'A';
    String other = sealed.substring(0, 20) + changed + sealed.substring(21);
    assertThatThrownBy(() -> agent.unseal(other)).isInstanceOf(PairingException.class);
    assertThatThrownBy(() -> agent.unseal("AAAA")).isInstanceOf(PairingException.class);
  }

  @Test
  void nonsense_is_refused_in_words() {
    for (String sent : new String[] {"", "1", "1.2.3.4.5.6", "0.0.0.0.0.0", "-1.1.1.1.1.1", "ü"}) {
      PairingSide server = PairingSide.ofServer(CODE, CERTIFICATE);
      server.first();
      assertThatThrownBy(() -> server.second(sent))
          .as(sent)
          .isInstanceOf(PairingException.class)
          .hasMessageContaining("an unexpected message");
    }
  }

  @Test
  void an_exchange_with_oneself_proves_nothing() {
    PairingSide server = PairingSide.ofServer(CODE, CERTIFICATE);
    String own = server.first();
    assertThatThrownBy(() -> server.second(own)).isInstanceOf(PairingException.class);
  }

  @Test
  void codes_are_eight_digits_however_typed() {
    assertThat(PairingSide.isCode(PairingSide.randomCode())).isTrue();
    assertThat(PairingSide.isCode(" 1234 5678\n")).isTrue();
    assertThat(PairingSide.isCode("1234-567")).isFalse();
    assertThat(PairingSide.isCode("abcd-efgh")).isFalse();
  }

  private static void exchange(PairingSide agent, PairingSide server) throws PairingException {
    String ofAgent = agent.first();
    String ofServer = server.first();
    String secondOfServer = server.second(ofAgent);
    String secondOfAgent = agent.second(ofServer);
    String proofOfAgent = agent.proof(secondOfServer);
    String proofOfServer = server.proof(secondOfAgent);
    server.check(proofOfAgent);
    agent.check(proofOfServer);
  }

  private static void refused(PairingSide agent, PairingSide server) throws PairingException {
    String ofAgent = agent.first();
    String ofServer = server.first();
    String secondOfServer = server.second(ofAgent);
    String secondOfAgent = agent.second(ofServer);
    String proofOfAgent = agent.proof(secondOfServer);
    String proofOfServer = server.proof(secondOfAgent);
    assertThatThrownBy(() -> server.check(proofOfAgent)).isInstanceOf(PairingException.class);
    assertThatThrownBy(() -> agent.check(proofOfServer)).isInstanceOf(PairingException.class);
  }
}
