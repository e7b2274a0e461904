package dev.imker.client.plan;

/**
 * A value of the textual form: its type in the parameters of actions, its name, and its content.
 */
public record NamedValue(String type, String name, Object content) {}
