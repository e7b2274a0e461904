package dev.imker.store.sqlite;

import dev.imker.store.StoreBrokenException;
import dev.imker.store.StoreException;
import dev.imker.store.StoreFullException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Says what an error of SQLite means for the user and for the store. */
public final class SqliteErrors {
  private SqliteErrors() {}

  public static StoreException explain(Path file, String doing, SQLException error) {
    SQLiteErrorCode code =
        error instanceof SQLiteException sqlite
            ? sqlite.getResultCode()
            : SQLiteErrorCode.UNKNOWN_ERROR;
    String what = "The database " + file + " could not " + doing + ": ";
    if (code == SQLiteErrorCode.SQLITE_NOTADB) {
      return new StoreBrokenException(
          what
              + "the file is not an Imker database, or was overwritten. Restore the pool"
              + " from a backup with 'imker restore', or start a new one in another folder"
              + " with --data DIR.",
          error);
    }
    if (code == SQLiteErrorCode.SQLITE_CANTOPEN) {
      return new StoreException(
          what
              + "this user cannot read or write it, or its folder. Make the user who runs"
              + " the server the owner of the files, or choose another folder with --data"
              + " DIR.",
          error);
    }
    return switch (kind(code)) {
      case FULL ->
          new StoreFullException(
              what + "there is no space left. Free some space on its disk; nothing was lost.",
              error);
      case BROKEN ->
          new StoreBrokenException(
              what
                  + error.getMessage()
                  + " Check the disk, then start again: everything acknowledged is kept.",
              error);
      case REFUSED -> new StoreException(what + error.getMessage(), error);
    };
  }

  private enum Kind {
    FULL,
    BROKEN,
    REFUSED
  }

  private static Kind kind(SQLiteErrorCode code) {
    return switch (code) {
      // The commit record is written last, so a failed write is never half a commit.
      case SQLITE_FULL, SQLITE_IOERR_WRITE -> Kind.FULL;
      default ->
          isBroken(SQLiteErrorCode.getErrorCode(code.code & 0xFF)) ? Kind.BROKEN : Kind.REFUSED;
    };
  }

  private static boolean isBroken(SQLiteErrorCode primary) {
    return switch (primary) {
      // After a failed flush the content of the disk is unknown.
      case SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB -> true;
      default -> false;
    };
  }
}
