package dev.imker.wire;

import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;

/** Leases as represented in messages. */
public final class WireLeases {
  private WireLeases() {}

  public static Lease of(dev.imker.wire.proto.Lease message) {
    return new Lease(
        TaskId.of(message.getJob(), message.getIndex()),
        new LeaseToken(message.getToken(), message.getIncarnation()));
  }

  public static dev.imker.wire.proto.Lease of(Lease lease) {
    return dev.imker.wire.proto.Lease.newBuilder()
        .setJob(lease.task().job().value())
        .setIndex(lease.task().index())
        .setToken(lease.token().value())
        .setIncarnation(lease.token().incarnation())
        .build();
  }
}
