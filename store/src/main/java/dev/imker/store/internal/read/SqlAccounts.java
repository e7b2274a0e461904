package dev.imker.store.internal.read;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.BlobId;
import dev.imker.model.account.Account;
import dev.imker.model.account.AccountRole;
import dev.imker.model.account.ApiToken;
import dev.imker.model.account.Quota;
import dev.imker.store.AccountReads;
import dev.imker.store.internal.rows.ReadConnections;
import dev.imker.store.internal.rows.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** Accounts and owners of files, as SQL that SQLite and PostgreSQL both understand. */
public record SqlAccounts(ReadConnections connections) implements AccountReads {
  private static final String SELECT_ACCOUNTS =
      """
      SELECT name, role, password_hash, disabled, stamp, quota_tasks, quota_bytes, quota_slots,
        created_at
      FROM account ORDER BY name
      """;
  private static final String SELECT_TOKENS =
      "SELECT hash, account, title, created_at, expires_at FROM api_token ORDER BY account, title";
  private static final String SELECT_BYTES =
      "SELECT s.bytes FROM storage_sum s JOIN pool_user u ON u.id = s.pool_user WHERE u.name ="
          + " :user";
  private static final String SELECT_OWNED =
      """
      SELECT 1 FROM blob_owner
      WHERE pool_user = (SELECT id FROM pool_user WHERE name = :user) AND blob = :blob
      """;
  private static final String SELECT_OLD =
      """
      SELECT u.name, b.blob FROM blob_owner b JOIN pool_user u ON u.id = b.pool_user WHERE b.at < :before
      """;

  @Override
  public List<Account> accounts() {
    return connections.read(c -> Rows.list(c, SqlAccounts::account, SELECT_ACCOUNTS));
  }

  private static Account account(ResultSet row) throws SQLException {
    return new Account(
        row.getString(1),
        AccountRole.valueOf(row.getString(2)),
        row.getString(3),
        row.getInt(4) == 1,
        row.getLong(5),
        new Quota(row.getLong(6), row.getLong(7), row.getLong(8)),
        row.getLong(9));
  }

  @Override
  public List<ApiToken> tokens() {
    return connections.read(
        c ->
            Rows.list(
                c,
                row ->
                    new ApiToken(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        row.getLong(4),
                        row.getLong(5)),
                SELECT_TOKENS));
  }

  @Override
  public long storageBytes(String user) {
    return connections
        .read(c -> Rows.first(c, row -> row.getLong(1), SELECT_BYTES, bind("user", user)))
        .orElse(0L);
  }

  @Override
  public Set<BlobId> owned(String user, Collection<BlobId> blobs) {
    return connections.read(
        c -> {
          Set<BlobId> owned = new HashSet<>();
          for (BlobId blob : blobs) {
            if (Rows.first(
                    c, row -> 1, SELECT_OWNED, bind("user", user), bind("blob", blob.sha256()))
                .isPresent()) {
              owned.add(blob);
            }
          }
          return owned;
        });
  }

  @Override
  public void forEachOwnedBefore(long beforeMillis, BiConsumer<String, BlobId> action) {
    connections.read(
        c -> {
          Rows.forEach(
              c,
              row -> action.accept(row.getString(1), new BlobId(row.getString(2))),
              SELECT_OLD,
              bind("before", beforeMillis));
          return true;
        });
  }
}
