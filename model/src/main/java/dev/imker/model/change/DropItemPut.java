package dev.imker.model.change;

import dev.imker.model.account.DropItem;

/** The record of a file in a drop folder; replaces the earlier one. */
public record DropItemPut(DropItem item) implements RecordChange {}
