package dev.imker.model.change;

import dev.imker.model.account.BoardItem;

/** Named data is on the blackboard, in place of what had its name before. */
public record BoardPut(BoardItem item) implements RecordChange {}
