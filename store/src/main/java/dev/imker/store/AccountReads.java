package dev.imker.store;

import dev.imker.model.BlobId;
import dev.imker.model.account.Account;
import dev.imker.model.account.ApiToken;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** Queries of accounts and of the owners of files; usable from any thread. */
public interface AccountReads {
  List<Account> accounts();

  /** All tokens by account and title, including expired ones. */
  List<ApiToken> tokens();

  /** Bytes of all files that count towards a user's storage. */
  long storageBytes(String user);

  /** Which of these files count towards a user's storage. */
  Set<BlobId> owned(String user, Collection<BlobId> blobs);

  /**
   * Passes on every file that has counted for a user since before the given time, with the user's
   * name.
   */
  void forEachOwnedBefore(long beforeMillis, BiConsumer<String, BlobId> action);
}
