package dev.imker.model;

/** A result file of a task; the path is relative to its work folder. */
public record ResultFile(String path, BlobId blob, long size, boolean executable) {}
