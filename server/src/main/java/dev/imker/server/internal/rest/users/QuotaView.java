package dev.imker.server.internal.rest.users;

import dev.imker.model.account.Quota;
import org.jspecify.annotations.Nullable;

/** A quota for callers; null is no limit. */
public record QuotaView(@Nullable Long tasks, @Nullable Long storageBytes, @Nullable Long slots) {
  static QuotaView of(Quota quota) {
    return new QuotaView(limit(quota.tasks()), limit(quota.storageBytes()), limit(quota.slots()));
  }

  private static @Nullable Long limit(long value) {
    return value == Quota.UNLIMITED ? null : value;
  }
}
