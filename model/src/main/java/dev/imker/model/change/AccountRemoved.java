package dev.imker.model.change;

/** An account and its tokens were removed. Its work stays. */
public record AccountRemoved(String account) implements RecordChange {}
