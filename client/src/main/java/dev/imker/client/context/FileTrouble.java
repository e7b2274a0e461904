package dev.imker.client.context;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Describes errors of files; the messages of many exceptions are just the name of the file. */
public final class FileTrouble {
  private FileTrouble() {}

  public static String inWords(IOException error) {
    return switch (error) {
      case NoSuchFileException missing -> "there is no file " + missing.getFile();
      case AccessDeniedException denied -> "no permission for " + denied.getFile();
      case FileAlreadyExistsException there -> there.getFile() + " is in the way";
      case NotDirectoryException file -> file.getFile() + " is not a folder";
      case DirectoryNotEmptyException full -> full.getFile() + " is not empty";
      case FileSystemException e when e.getReason() != null ->
          e.getReason() + " (" + e.getFile() + ")";
      default -> String.valueOf(error.getMessage());
    };
  }
}
