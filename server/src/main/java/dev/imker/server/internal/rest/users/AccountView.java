package dev.imker.server.internal.rest.users;

import dev.imker.model.account.Account;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.store.AccountReads;

public record AccountView(
    String user,
    String role,
    boolean disabled,
    boolean hasPassword,
    QuotaView quota,
    long storageBytes,
    String created) {
  static AccountView of(Account account, AccountReads reads) {
    return new AccountView(
        account.name(),
        account.role().name(),
        account.disabled(),
        account.hasPassword(),
        QuotaView.of(account.quota()),
        reads.storageBytes(account.name()),
        Times.iso(account.createdMillis()));
  }
}
