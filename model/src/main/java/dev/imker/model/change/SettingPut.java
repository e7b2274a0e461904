package dev.imker.model.change;

/** A setting was given a value. */
public record SettingPut(String key, String value) implements Change {}
