package dev.imker.model.change;

import dev.imker.model.account.DropItem;

/** What is known of a file in a drop folder, in place of what was known before. */
public record DropItemPut(DropItem item) implements RecordChange {}
