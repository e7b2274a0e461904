package dev.imker.store.internal.rows;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;

/** Describes errors of files; the messages of many exceptions are just the name of the file. */
public final class FileErrors {
  private FileErrors() {}

  public static String reason(IOException error) {
    return switch (error) {
      case AccessDeniedException denied -> "no permission for " + denied.getFile();
      case FileAlreadyExistsException there -> there.getFile() + " is in the way";
      case FileSystemException e when e.getReason() != null -> e.getReason() + ": " + e.getFile();
      default -> String.valueOf(error.getMessage());
    };
  }
}
