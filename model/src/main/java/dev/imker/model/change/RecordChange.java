package dev.imker.model.change;

/** A change of what is kept beside the work itself: accounts, notes, files of users. */
public sealed interface RecordChange extends Change
    permits AccountPut,
        AccountRemoved,
        Audited,
        AuditPruned,
        BlobsDisowned,
        BlobsOwned,
        BoardPut,
        BoardRemoved,
        DropItemPut,
        JobRemoved,
        NoticeQueued,
        NoticeTried,
        RemovedTasksDeleted,
        SharedEntryPut,
        SharedEntryRemoved,
        SharedThingPut,
        SharedThingRemoved,
        TaskImported,
        TokenPut,
        TokenRemoved {}
