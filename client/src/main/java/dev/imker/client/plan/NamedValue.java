package dev.imker.client.plan;

/** A value of the textual form: a type that actions name in their parameters, a name, a content. */
public record NamedValue(String type, String name, Object content) {}
