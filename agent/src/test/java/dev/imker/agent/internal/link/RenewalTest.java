package dev.imker.agent.internal.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.agent.internal.policy.UpdateTerms;
import dev.imker.wire.proto.Welcome;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RenewalTest {
  private static final String BUILD = "a".repeat(64);

  private static Welcome offer(String commit) {
    return Welcome.newBuilder().setAgentBuild(BUILD).setAgentCommit(commit).build();
  }

  private static boolean wanted(String offered, String own) {
    return Renewal.isWanted(offer(offered), UpdateTerms.FOLLOW, own);
  }

  @Test
  void a_jar_of_the_same_release_is_not_fetched() {
    assertThat(wanted("c0ffee", "c0ffee")).isFalse();
    assertThat(wanted("c0ffee", "decaf")).isTrue();
  }

  @Test
  void what_is_no_release_is_told_apart_by_its_jar_alone() {
    assertThat(wanted("", "")).isTrue();
    assertThat(wanted("", "c0ffee")).isTrue();
    assertThat(wanted("c0ffee", "")).isTrue();
  }

  @Test
  void the_owner_decides_about_updates() {
    UpdateTerms never = new UpdateTerms(false, "", Optional.empty());
    assertThat(Renewal.isWanted(offer("c0ffee"), never, "decaf")).isFalse();
    UpdateTerms pinned = new UpdateTerms(true, BUILD, Optional.empty());
    assertThat(Renewal.isWanted(offer("c0ffee"), pinned, "c0ffee")).isTrue();
  }

  @Test
  void a_server_without_a_jar_offers_nothing() {
    assertThat(Renewal.isWanted(Welcome.getDefaultInstance(), UpdateTerms.FOLLOW, "")).isFalse();
  }
}
