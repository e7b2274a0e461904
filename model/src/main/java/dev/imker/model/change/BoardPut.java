package dev.imker.model.change;

import dev.imker.model.account.BoardItem;

/** Named data was put on the blackboard and replaces earlier data of that name. */
public record BoardPut(BoardItem item) implements RecordChange {}
