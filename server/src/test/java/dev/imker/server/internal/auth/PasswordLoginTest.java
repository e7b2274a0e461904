package dev.imker.server.internal.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.BlobId;
import dev.imker.model.account.Account;
import dev.imker.model.account.ApiToken;
import dev.imker.store.AccountReads;
import dev.imker.testbase.Attack;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class PasswordLoginTest {
  /** Nobody but the admin. */
  private static final class Empty implements AccountReads {
    @Override
    public List<Account> accounts() {
      return List.of();
    }

    @Override
    public List<ApiToken> tokens() {
      return List.of();
    }

    @Override
    public long storageBytes(String user) {
      return 0;
    }

    @Override
    public Set<BlobId> owned(String user, Collection<BlobId> blobs) {
      return Set.of();
    }

    @Override
    public void forEachOwnedBefore(long beforeMillis, BiConsumer<String, BlobId> action) {}
  }

  @Test
  @Attack("lock a user out with failed logins")
  void failed_logins_lock_out_whoever_fails_and_nobody_else() {
    PasswordLogin login = new PasswordLogin(new Accounts(new Empty(), 0), Clock.systemUTC());
    for (int i = 0; i < 8; i++) {
      login.check("admin", "wrong", "203.0.113.9");
      login.check("admin", "wrong", "2001:db8::" + i);
    }
    assertThat(login.pauseMillis("admin", "203.0.113.9")).isPositive();
    assertThat(login.pauseMillis("admin", "2001:db8::77")).as("the same network").isPositive();
    assertThat(login.pauseMillis("admin", "198.51.100.1")).isZero();
    assertThat(login.pauseMillis("other", "203.0.113.9")).as("the same guesser").isPositive();
  }
}
