package dev.imker.model.change;

import dev.imker.model.account.Notice;

/** How far a notice is now. */
public record NoticeTried(long id, Notice.State state, int tries, long nextMillis, String error)
    implements RecordChange {}
