package dev.imker.store;

import dev.imker.model.BlobId;
import dev.imker.model.account.Account;
import dev.imker.model.account.ApiToken;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** Queries of accounts and of whose files are whose; usable from any thread. */
public interface AccountReads {
  List<Account> accounts();

  /** All tokens, by account and title; those that are over too. */
  List<ApiToken> tokens();

  /** Bytes of all files that count for a user. */
  long storageBytes(String user);

  /** Which of these files count for a user. */
  Set<BlobId> owned(String user, Collection<BlobId> blobs);

  /** Tells every file that has counted for somebody since before a moment, with the user's name. */
  void forEachOwnedBefore(long beforeMillis, BiConsumer<String, BlobId> action);
}
