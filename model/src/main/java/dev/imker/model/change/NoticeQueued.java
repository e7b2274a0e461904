package dev.imker.model.change;

import dev.imker.model.JobId;
import dev.imker.model.account.Notice;

/** Somebody is to be told that a job settled. The same one twice is one. */
public record NoticeQueued(JobId job, long settledMillis, Notice.Channel channel, String address)
    implements RecordChange {}
