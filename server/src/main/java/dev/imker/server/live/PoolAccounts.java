package dev.imker.server.live;

import dev.imker.core.Scheduler;
import dev.imker.core.message.AgentHello;
import dev.imker.model.account.Account;
import dev.imker.model.account.Quota;
import dev.imker.model.change.AccountPut;
import dev.imker.model.change.AccountRemoved;
import dev.imker.model.change.RecordChange;
import java.util.Collection;
import java.util.List;

/** What the scheduler knows of accounts: how many slots they may have, and who needs a sandbox. */
public final class PoolAccounts {
  private final Scheduler scheduler;
  private final Exposure exposure = new Exposure();

  public PoolAccounts(Scheduler scheduler, Collection<Account> accounts) {
    this.scheduler = scheduler;
    accounts.forEach(this::put);
  }

  public void apply(RecordChange change) {
    switch (change) {
      case AccountPut put -> put(put.account());
      case AccountRemoved gone -> {
        scheduler.onQuota(gone.account(), Integer.MAX_VALUE);
        if (exposure.remove(gone.account())) {
          exposureChanged();
        }
      }
      default -> {}
    }
  }

  /** The only users whose tasks the agent may run; empty: everybody. */
  public List<String> exposure(AgentHello hello) {
    return exposure.of(hello);
  }

  public void exposureChanged() {
    scheduler.onExposure(exposure::of);
  }

  private void put(Account account) {
    if (exposure.put(account)) {
      exposureChanged();
    }
    Quota quota = account.quota();
    scheduler.onQuota(
        account.name(),
        quota.limitsSlots() ? Math.clamp(quota.slots(), 0, Integer.MAX_VALUE) : Integer.MAX_VALUE);
  }
}
