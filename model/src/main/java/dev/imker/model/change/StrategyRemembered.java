package dev.imker.model.change;

/**
 * What a strategy has learnt of a subject, in place of what was kept before.
 *
 * @param subject whatever the strategy calls it by, such as a node
 * @param memoryJson with a version; the store does not look into it
 */
public record StrategyRemembered(String strategy, String subject, String memoryJson)
    implements Change {}
