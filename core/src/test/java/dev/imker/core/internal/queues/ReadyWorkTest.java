package dev.imker.core.internal.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.profile.PoolProfile;
import dev.imker.model.ProjectId;
import org.junit.jupiter.api.Test;

class ReadyWorkTest {
  @Test
  void a_user_who_reaches_a_quota_does_not_throw_away_the_lists_of_all() {
    ReadyWork ready = new ReadyWork(new PoolProfile());
    ready.project(new ProjectId("ada", "p"));
    ready.project(new ProjectId("bob", "p"));
    long before = ready.version();
    ready.quota("ada", 0);
    ready.quota("ada", 1);
    assertThat(ready.hasChangesSince(before)).isTrue();
  }
}
