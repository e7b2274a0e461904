package dev.imker.store;

import dev.imker.model.JobId;
import dev.imker.model.account.Notice;
import java.util.List;

/** Queries of messages about jobs; usable from any thread. */
public interface NoticeReads {
  /** Waiting notices that are due, the oldest first. */
  List<Notice> due(long nowMillis, int limit);

  /** Notices that were being sent, as far as is known. */
  List<Notice> sending();

  List<Notice> of(JobId job);
}
