package dev.imker.store.internal.write;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.account.Account;
import dev.imker.model.account.ApiToken;
import dev.imker.model.account.AuditEntry;
import dev.imker.model.account.BoardItem;
import dev.imker.model.change.AccountPut;
import dev.imker.model.change.AccountRemoved;
import dev.imker.model.change.AuditPruned;
import dev.imker.model.change.Audited;
import dev.imker.model.change.BlobsDisowned;
import dev.imker.model.change.BlobsOwned;
import dev.imker.model.change.BoardPut;
import dev.imker.model.change.BoardRemoved;
import dev.imker.model.change.DropItemPut;
import dev.imker.model.change.JobRemoved;
import dev.imker.model.change.NoticeQueued;
import dev.imker.model.change.NoticeTried;
import dev.imker.model.change.RecordChange;
import dev.imker.model.change.RemovedTasksDeleted;
import dev.imker.model.change.SharedEntryPut;
import dev.imker.model.change.SharedEntryRemoved;
import dev.imker.model.change.SharedThingPut;
import dev.imker.model.change.SharedThingRemoved;
import dev.imker.model.change.TaskImported;
import dev.imker.model.change.TokenPut;
import dev.imker.model.change.TokenRemoved;
import dev.imker.model.text.SafeText;
import dev.imker.store.internal.read.SqlDrops;
import dev.imker.store.internal.rows.Bind;
import dev.imker.store.internal.rows.Codes;
import dev.imker.store.internal.rows.Names;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.TaskKey;
import java.sql.Connection;
import java.sql.SQLException;

/** Writes records other than the work itself. */
final class RecordWriter {
  private static final String PUT_ACCOUNT =
      """
      INSERT INTO account (name, role, password_hash, disabled, stamp, quota_tasks, quota_bytes,
        quota_slots, created_at)
      VALUES (:name, :role, :password_hash, :disabled, :stamp, :quota_tasks, :quota_bytes, :quota_slots, :created_at)
      ON CONFLICT (name) DO UPDATE SET role = excluded.role,
        password_hash = excluded.password_hash, disabled = excluded.disabled,
        stamp = excluded.stamp, quota_tasks = excluded.quota_tasks,
        quota_bytes = excluded.quota_bytes, quota_slots = excluded.quota_slots
      """;
  private static final String PUT_TOKEN =
      "INSERT INTO api_token (hash, account, title, created_at, expires_at) VALUES (:hash,"
          + " :account, :title, :created_at, :expires_at)";
  private static final int MAX_AUDIT_CHARS = 400;
  private static final String ADD_AUDIT =
      "INSERT INTO audit (at, user_name, role, action, status, address) VALUES (:at, :user_name,"
          + " :role, :action, :status, :address)";
  private static final String PUT_BOARD =
      """
      INSERT INTO board_item (project, name, description, blob, size, posted_by, posted_at,
        expires_at)
      VALUES (:project, :name, :description, :blob, :size, :posted_by, :posted_at, :expires_at)
      ON CONFLICT (project, name) DO UPDATE SET description = excluded.description,
        blob = excluded.blob, size = excluded.size, posted_by = excluded.posted_by,
        posted_at = excluded.posted_at, expires_at = excluded.expires_at
      """;
  private static final String ADD_NOTICE =
      Codes.sql(
          """
          INSERT INTO notice (job, settled_at, channel, address, state, tries, next_at, error)
          VALUES (:job, :settled_at, :channel, :address, {notice.WAITING}, 0, :next_at, '')
          ON CONFLICT (job, settled_at, channel, address) DO NOTHING
          """);
  private static final String TRY_NOTICE =
      "UPDATE notice SET state = :state, tries = :tries, next_at = :next_at, error = :error WHERE"
          + " id = :id";

  private final Connection connection;
  private final Names names;
  private final UsageLedger usage;
  private final BlobLedger blobs;
  private final ImportWriter imports;
  private final SharedWriter shared;

  RecordWriter(Connection connection, Names names, UsageLedger usage, BlobLedger blobs)
      throws SQLException {
    this.connection = connection;
    this.names = names;
    this.usage = usage;
    this.blobs = blobs;
    imports = new ImportWriter(connection, names, usage, blobs);
    shared = new SharedWriter(connection);
  }

  void write(RecordChange change) throws SQLException {
    switch (change) {
      case AccountPut put -> put(put.account());
      case AccountRemoved gone -> remove(gone.account());
      case TokenPut put -> put(put.token());
      case TokenRemoved gone ->
          update("DELETE FROM api_token WHERE hash = :hash", bind("hash", gone.hash()));
      case Audited audited -> add(audited.entry());
      case AuditPruned pruned ->
          update("DELETE FROM audit WHERE at < :at", bind("at", pruned.beforeMillis()));
      case BlobsOwned owned -> blobs.own(owned);
      case BlobsDisowned gone -> blobs.disown(gone);
      case BoardPut put -> put(put.item());
      case BoardRemoved gone ->
          update(
              "DELETE FROM board_item WHERE project = :project AND name = :name",
              bind("project", names.project(gone.project())),
              bind("name", gone.name()));
      case DropItemPut put -> SqlDrops.put(connection, put.item());
      case JobRemoved gone -> remove(gone);
      case RemovedTasksDeleted gone -> delete(gone);
      case NoticeQueued queued ->
          update(
              ADD_NOTICE,
              bind("job", queued.job().value()),
              bind("settled_at", queued.settledMillis()),
              bind("channel", queued.channel().ordinal()),
              bind("address", queued.address()),
              bind("next_at", queued.settledMillis()));
      case NoticeTried tried ->
          update(
              TRY_NOTICE,
              bind("state", tried.state().ordinal()),
              bind("tries", tried.tries()),
              bind("next_at", tried.nextMillis()),
              bind("error", tried.error()),
              bind("id", tried.id()));
      case TaskImported task -> imports.write(task);
      case SharedThingPut put -> shared.put(put.thing());
      case SharedThingRemoved gone -> shared.remove(gone.key());
      case SharedEntryPut put -> shared.put(put.entry());
      case SharedEntryRemoved gone -> shared.remove(gone.entry());
    }
  }

  void flush() throws SQLException {
    shared.flush();
  }

  void discard() throws SQLException {
    shared.discard();
  }

  private void update(String sql, Bind... binds) throws SQLException {
    Rows.update(connection, sql, binds);
  }

  private void put(Account account) throws SQLException {
    update(
        PUT_ACCOUNT,
        bind("name", account.name()),
        bind("role", account.role().name()),
        bind("password_hash", account.passwordHash()),
        bind("disabled", account.disabled() ? 1 : 0),
        bind("stamp", account.stamp()),
        bind("quota_tasks", account.quota().tasks()),
        bind("quota_bytes", account.quota().storageBytes()),
        bind("quota_slots", account.quota().slots()),
        bind("created_at", account.createdMillis()));
  }

  private void remove(String account) throws SQLException {
    update("DELETE FROM api_token WHERE account = :account", bind("account", account));
    // Another user may get the name later.
    String prefix = account + "/";
    update(
        "DELETE FROM job_secret WHERE SUBSTR(name, 1, LENGTH(:prefix)) = :prefix",
        bind("prefix", prefix));
    update("DELETE FROM account WHERE name = :name", bind("name", account));
  }

  private void put(ApiToken token) throws SQLException {
    update(
        PUT_TOKEN,
        bind("hash", token.hash()),
        bind("account", token.account()),
        bind("title", token.title()),
        bind("created_at", token.createdMillis()),
        bind("expires_at", token.expiresMillis()));
  }

  /** Much of the record is untrusted: it must fit into an index in any case. */
  private static String audited(String text) {
    String line = SafeText.line(text, MAX_AUDIT_CHARS);
    if (line.length() <= MAX_AUDIT_CHARS) {
      return line;
    }
    boolean splits = Character.isHighSurrogate(line.charAt(MAX_AUDIT_CHARS - 1));
    return line.substring(0, splits ? MAX_AUDIT_CHARS - 1 : MAX_AUDIT_CHARS);
  }

  private void add(AuditEntry entry) throws SQLException {
    update(
        ADD_AUDIT,
        bind("at", entry.atMillis()),
        bind("user_name", audited(entry.user())),
        bind("role", audited(entry.role())),
        bind("action", audited(entry.action())),
        bind("status", entry.status()),
        bind("address", audited(entry.address())));
  }

  private void put(BoardItem item) throws SQLException {
    blobs.own(names.user(item.project().user()), item.blob(), item.size(), item.postedMillis());
    update(
        PUT_BOARD,
        bind("project", names.project(item.project())),
        bind("name", item.name()),
        bind("description", item.description()),
        bind("blob", item.blob().sha256()),
        bind("size", item.size()),
        bind("posted_by", item.postedBy()),
        bind("posted_at", item.postedMillis()),
        bind("expires_at", item.expiresMillis()));
  }

  private void remove(JobRemoved gone) throws SQLException {
    JobId job = gone.job();
    if (gone.tasksLater() > 0) {
      update(
          "INSERT INTO removed_job (id, task_count) VALUES (:id, :task_count)",
          bind("id", job.value()),
          bind("task_count", gone.tasksLater()));
    } else {
      deleteTasks(TaskKey.first(job), TaskKey.last(job));
    }
    update("DELETE FROM notice WHERE job = :job", bind("job", job.value()));
    update("DELETE FROM checkpoint WHERE task LIKE :task", bind("task", job + ".%"));
    update("DELETE FROM job WHERE id = :id", bind("id", job.value()));
    update("DELETE FROM job_spec WHERE job = :job", bind("job", job.value()));
    update(
        "UPDATE pool SET last_job = :last_job WHERE last_job < :last_job",
        bind("last_job", job.value()));
    usage.removed(job);
  }

  private void delete(RemovedTasksDeleted gone) throws SQLException {
    deleteTasks(
        TaskKey.of(new TaskId(gone.job(), gone.fromIndex())),
        TaskKey.of(new TaskId(gone.job(), gone.toIndexExclusive() - 1)));
    if (gone.last()) {
      update("DELETE FROM removed_job WHERE id = :id", bind("id", gone.job().value()));
    }
  }

  private void deleteTasks(long first, long last) throws SQLException {
    update(
        "DELETE FROM task WHERE id BETWEEN :first AND :last",
        bind("first", first),
        bind("last", last));
    update(
        "DELETE FROM attempt WHERE task BETWEEN :first AND :last",
        bind("first", first),
        bind("last", last));
    update(
        "DELETE FROM copy_lease WHERE task BETWEEN :first AND :last",
        bind("first", first),
        bind("last", last));
    update(
        "DELETE FROM granted WHERE task BETWEEN :first AND :last",
        bind("first", first),
        bind("last", last));
  }
}
