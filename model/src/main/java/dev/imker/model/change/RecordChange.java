package dev.imker.model.change;

/** A change of records other than the work itself: accounts, notices, files of users. */
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
