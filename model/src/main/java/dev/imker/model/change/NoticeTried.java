package dev.imker.model.change;

import dev.imker.model.account.Notice;

/** The new state of a notice. */
public record NoticeTried(long id, Notice.State state, int tries, long nextMillis, String error)
    implements RecordChange {}
