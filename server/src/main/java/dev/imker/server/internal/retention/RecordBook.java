package dev.imker.server.internal.retention;

import dev.imker.model.change.RecordChange;
import java.util.List;

/** Writes changes; returns when they are on disk. */
@FunctionalInterface
public interface RecordBook {
  void write(List<? extends RecordChange> changes) throws InterruptedException;
}
