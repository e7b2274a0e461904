package dev.imker.model.change;

/**
 * What a strategy has learnt about a subject; replaces the earlier record.
 *
 * @param subject the strategy's name for it, such as a node
 * @param memoryJson with a version; opaque to the store
 */
public record StrategyRemembered(String strategy, String subject, String memoryJson)
    implements Change {}
