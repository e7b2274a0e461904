package dev.imker.model;

/** A file that came out of a task; the path is relative to its work folder. */
public record ResultFile(String path, BlobId blob, long size, boolean executable) {}
