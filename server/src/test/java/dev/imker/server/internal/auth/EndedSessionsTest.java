package dev.imker.server.internal.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.store.PoolStore;
import dev.imker.store.sqlite.SqliteStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndedSessionsTest {
  @TempDir Path folder;

  @Test
  void ended_sessions_are_forgotten_once_their_cookies_are_no_longer_good() {
    try (PoolStore store = SqliteStore.open(folder)) {
      EndedSessions sessions = new EndedSessions(store, 0);
      sessions.end("first", 0, 100);
      sessions.end("second", 50, 150);
      assertThat(new EndedSessions(store, 60).hasEnded("first")).isTrue();
      sessions.end("third", 100, 200);
      assertThat(sessions.hasEnded("first")).isFalse();
      assertThat(sessions.hasEnded("second")).isTrue();
      assertThat(store.settings("logged-out/")).hasSize(2);
      assertThat(new EndedSessions(store, 150).hasEnded("second")).isFalse();
      assertThat(store.settings("logged-out/")).hasSize(1);
    }
  }
}
