package dev.imker.model;

/** A file laid into the work folder before the task starts; the path is relative to it. */
public record InputFile(String path, BlobId blob, long size, boolean executable) {}
