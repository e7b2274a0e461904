package dev.imker.model.change;

/** A small durable setting got a value. */
public record SettingPut(String key, String value) implements Change {}
