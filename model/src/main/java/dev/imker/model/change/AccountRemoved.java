package dev.imker.model.change;

/** An account is gone, and its tokens with it. Its work stays. */
public record AccountRemoved(String account) implements RecordChange {}
