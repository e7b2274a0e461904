package dev.imker.server.internal.retention;

import dev.imker.model.change.RecordChange;
import java.util.List;

/** Puts changes on disk; returns when they are there. */
@FunctionalInterface
public interface RecordBook {
  void write(List<? extends RecordChange> changes) throws InterruptedException;
}
