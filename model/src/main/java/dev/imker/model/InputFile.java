package dev.imker.model;

/**
 * A file laid into the work folder before the task starts; the path is relative to it.
 *
 * @param os the operating system this variant of the file is for; empty means every one
 */
public record InputFile(String path, BlobId blob, long size, boolean executable, String os) {
  public InputFile(String path, BlobId blob, long size, boolean executable) {
    this(path, blob, size, executable, "");
  }
}
