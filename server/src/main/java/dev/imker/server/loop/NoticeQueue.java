package dev.imker.server.loop;

import dev.imker.core.message.Outbox;
import dev.imker.model.JobId;
import dev.imker.model.account.Notice;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.NoticeQueued;
import dev.imker.model.job.Notices;
import dev.imker.server.live.LiveJob;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts notices into the outbox, in the transaction in which their job settles. A settled job may be
 * told as settled once more; what is on disk says whether this time it is news.
 */
final class NoticeQueue {
  private static final Logger LOG = LoggerFactory.getLogger(NoticeQueue.class);

  /** What fits into an index of PostgreSQL, with the other columns of it. */
  private static final int MAX_ADDRESS_BYTES = 2_000;

  private NoticeQueue() {}

  static void fill(Collection<JobChanged> settled, PoolState pool, Outbox out) {
    Set<JobId> done = new HashSet<>();
    for (JobChanged change : settled) {
      LiveJob job = pool.job(change.job());
      Notices notices = job == null ? Notices.NOBODY : job.spec().notices();
      if (!notices.equals(Notices.NOBODY) && done.add(change.job()) && isNews(change, pool)) {
        notices.mail().forEach(to -> queue(change, Notice.Channel.MAIL, to, out));
        notices.webHooks().forEach(to -> queue(change, Notice.Channel.WEB_HOOK, to, out));
      }
    }
  }

  private static boolean isNews(JobChanged change, PoolState pool) {
    return !pool.isToldSettled(change.job());
  }

  private static void queue(JobChanged change, Notice.Channel channel, String to, Outbox out) {
    // Jobs of earlier versions may have longer ones: none may keep its job from settling.
    if (to.getBytes(StandardCharsets.UTF_8).length <= MAX_ADDRESS_BYTES) {
      out.change(new NoticeQueued(change.job(), change.settledMillis(), channel, to));
    } else {
      LOG.warn("Job {} finished, but an address for its notices is too long", change.job());
    }
  }
}
