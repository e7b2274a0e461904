package dev.imker.model.change;

/** A change of durable state. All changes of one turn of the loop go into one transaction. */
public sealed interface Change
    permits JobAdded,
        JobChanged,
        JobPhased,
        SpecChanged,
        TaskChanged,
        TasksChanged,
        AttemptStarted,
        AttemptEnded,
        AttemptStopped,
        NodeSeen,
        NodeProfiled,
        ProjectProfiled,
        NodeAvailable,
        StrategyRemembered,
        RecordChange,
        SettingPut {}
