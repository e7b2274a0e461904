package dev.imker.model.change;

import dev.imker.model.JobId;
import dev.imker.model.account.Notice;

/** A notice about a settled job is to be sent. Queuing the same notice twice has no effect. */
public record NoticeQueued(JobId job, long settledMillis, Notice.Channel channel, String address)
    implements RecordChange {}
