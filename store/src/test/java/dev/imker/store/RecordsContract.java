package dev.imker.store;

import static dev.imker.store.Samples.BLOB;
import static dev.imker.store.Samples.NODE;
import static dev.imker.store.Samples.copy;
import static dev.imker.store.Samples.job;
import static dev.imker.store.Samples.settled;
import static dev.imker.store.Samples.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.ProjectId;
import dev.imker.model.ResultFile;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.account.Account;
import dev.imker.model.account.AccountRole;
import dev.imker.model.account.ApiToken;
import dev.imker.model.account.AuditEntry;
import dev.imker.model.account.BoardItem;
import dev.imker.model.account.DropItem;
import dev.imker.model.account.Notice;
import dev.imker.model.account.Quota;
import dev.imker.model.change.AccountPut;
import dev.imker.model.change.AccountRemoved;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.AttemptStopped;
import dev.imker.model.change.AuditPruned;
import dev.imker.model.change.Audited;
import dev.imker.model.change.BlobsDisowned;
import dev.imker.model.change.BlobsOwned;
import dev.imker.model.change.BoardPut;
import dev.imker.model.change.BoardRemoved;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.Change;
import dev.imker.model.change.DropItemPut;
import dev.imker.model.change.JobRemoved;
import dev.imker.model.change.NoticeQueued;
import dev.imker.model.change.NoticeTried;
import dev.imker.model.change.SettingPut;
import dev.imker.model.change.TaskImported;
import dev.imker.model.change.TokenPut;
import dev.imker.model.change.TokenRemoved;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store must do with accounts, use, files of users, notices and notes. */
abstract class RecordsContract {
  private static final TaskId TASK = TaskId.of(1, 0);
  private static final BlobId OTHER_BLOB = new BlobId("fedcba9876543210".repeat(4));
  private static final ProjectId PROJECT = new ProjectId("admin", "default");

  PoolStore store;

  abstract PoolStore open();

  @BeforeEach
  void open_store() {
    store = open();
  }

  @AfterEach
  void close_store() {
    store.close();
  }

  private void reopen() {
    store.close();
    store = open();
  }

  private void commit(Change... changes) {
    store.commit(List.of(changes));
  }

  @Test
  void accounts_and_tokens_come_back_and_go_together() {
    Account eva =
        new Account("eva", AccountRole.USER, "$argon2id$x", true, 7, new Quota(5, 6, 7), 1234);
    ApiToken token = new ApiToken("ab", "eva", "laptop", 1, ApiToken.NEVER);
    commit(new AccountPut(Account.of("eva", AccountRole.ADMIN, 1234)), new TokenPut(token));
    commit(new AccountPut(eva));
    reopen();
    assertThat(store.accounts().accounts()).containsExactly(eva);
    assertThat(store.accounts().tokens()).containsExactly(token);
    assertThatThrownBy(() -> commit(new TokenPut(new ApiToken("cd", "eva", "laptop", 1, 2))))
        .isInstanceOf(StoreException.class);
    commit(new TokenPut(new ApiToken("cd", "eva", "desk", 1, 2)), new TokenRemoved("ab"));
    assertThat(store.accounts().tokens()).extracting(ApiToken::hash).containsExactly("cd");
    commit(new SettingPut("secret/eva/token", "1 x"), new SettingPut("secret/eva2/token", "1 y"));
    commit(new AccountRemoved("eva"));
    assertThat(store.settings("secret/").keySet()).containsExactly("secret/eva2/token");
    assertThat(store.accounts().accounts()).isEmpty();
    assertThat(store.accounts().tokens()).isEmpty();
  }

  @Test
  void audit_takes_whatever_a_stranger_claims_to_be() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    String user =
        random
            .ints(3_500, 0, 0x2_0000)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
    commit(new Audited(new AuditEntry(1, user + "\0", user, user, 401, user)));
    assertThat(store.journal().audit(null, 0, 0, 10)).as("seed " + seed).hasSize(1);
  }

  @Test
  void audit_is_paged_newest_first_and_pruned() {
    for (int i = 1; i <= 5; i++) {
      commit(
          new Audited(
              new AuditEntry(i, i % 2 == 0 ? "eva" : "ann", "USER", "do " + i, 200, "::1")));
    }
    Journal journal = store.journal();
    List<Journal.Entry> first = journal.audit(null, 0, 0, 2);
    assertThat(first).extracting(line -> line.entry().action()).containsExactly("do 5", "do 4");
    assertThat(journal.audit(null, 0, first.getLast().id(), 10)).hasSize(3);
    assertThat(journal.audit("eva", 3, 0, 10))
        .extracting(line -> line.entry().atMillis())
        .containsExactly(4L);
    commit(new AuditPruned(4));
    assertThat(journal.audit(null, 0, 0, 10)).hasSize(2);
  }

  private static AttemptEnded ended(long token, AttemptOutcome outcome, TaskState state, long cpu) {
    AttemptReport report =
        new AttemptReport(
            outcome,
            0,
            1000,
            1500,
            cpu,
            0,
            new CapturedOutput(10, new byte[10], null),
            CapturedOutput.NONE,
            List.of(new ResultFile("r", BLOB, 100, false)),
            "");
    return new AttemptEnded(TASK, new LeaseToken(token), report, state, 0, 0, 86_400_000 + token);
  }

  private Journal.Usage usage() {
    List<Journal.Usage> all = store.journal().usage(null, Set.of(Journal.Grouping.USER), 0);
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  @Test
  void use_is_summed_up_once_for_every_attempt_that_ended() {
    commit(job(1, "a", 1), started(TASK, 11));
    commit(ended(11, AttemptOutcome.FAILED, TaskState.READY, 30));
    reopen();
    commit(started(TASK, 12, 2));
    reopen();
    commit(ended(12, AttemptOutcome.SUCCEEDED, TaskState.DONE, 70));
    commit(ended(12, AttemptOutcome.SUCCEEDED, TaskState.DONE, 70));
    assertThat(usage())
        .isEqualTo(
            new Journal.Usage(
                "admin", "", "", "", "", 2, 1, 100, 30, 1000, 500, 1000, 0, 0, 0, 220));
    assertThat(store.journal().usage("admin", Set.of(Journal.Grouping.NODE), 0))
        .extracting(Journal.Usage::group)
        .containsExactly(NODE.value());
    assertThat(store.journal().usage("admin", Set.of(Journal.Grouping.DAY), 1))
        .extracting(Journal.Usage::group)
        .containsExactly("1970-01-02");
    assertThat(store.journal().usage("admin", Set.of(Journal.Grouping.PROJECT), 2)).isEmpty();
    assertThat(store.journal().usage("eva", Set.of(Journal.Grouping.PROJECT), 0)).isEmpty();
  }

  @Test
  void use_counts_what_was_taken_by_any_combination() {
    String granted = "0 cores=250 gpus=50@0 memory=" + (4L << 30);
    commit(
        job(1, "a", 1),
        new AttemptStarted(TASK, new LeaseToken(11), Samples.AGENT, NODE, 1, granted, 1000));
    reopen();
    commit(ended(11, AttemptOutcome.SUCCEEDED, TaskState.DONE, 30));
    Journal.Usage all =
        store.journal().usage(null, EnumSet.allOf(Journal.Grouping.class), 0).getFirst();
    assertThat(all.coreMillis()).isEqualTo(1250);
    assertThat(all.gpuMillis()).isEqualTo(250);
    assertThat(all.memoryMbSeconds()).isEqualTo(2048);
    assertThat(List.of(all.user(), all.node(), all.day()))
        .containsExactly("admin", NODE.value(), "1970-01-02");
    for (Set<Journal.Grouping> by : combinations()) {
      assertThat(store.journal().usage(null, by, 0))
          .as(by.toString())
          .singleElement()
          .satisfies(line -> assertThat(line.coreMillis()).isEqualTo(1250))
          .satisfies(
              line ->
                  assertThat(line.user().isEmpty()).isEqualTo(!by.contains(Journal.Grouping.USER)));
    }
  }

  private static List<Set<Journal.Grouping>> combinations() {
    Journal.Grouping[] all = Journal.Grouping.values();
    List<Set<Journal.Grouping>> combinations = new ArrayList<>();
    for (int bits = 1; bits < 1 << all.length; bits++) {
      Set<Journal.Grouping> by = EnumSet.noneOf(Journal.Grouping.class);
      for (Journal.Grouping one : all) {
        if ((bits & 1 << one.ordinal()) != 0) {
          by.add(one);
        }
      }
      combinations.add(by);
    }
    return combinations;
  }

  @Test
  void a_failed_transaction_leaves_no_use_and_the_next_one_counts() {
    commit(job(1, "a", 1), started(TASK, 11));
    assertThatThrownBy(
            () ->
                commit(ended(11, AttemptOutcome.SUCCEEDED, TaskState.DONE, 5), job(1, "again", 1)))
        .isInstanceOf(StoreException.class);
    assertThat(store.journal().usage(null, Set.of(Journal.Grouping.USER), 0)).isEmpty();
    assertThat(store.accounts().storageBytes("admin")).isZero();
    commit(ended(11, AttemptOutcome.SUCCEEDED, TaskState.DONE, 5));
    assertThat(usage().attempts()).isEqualTo(1);
    assertThat(store.accounts().storageBytes("admin")).isEqualTo(100);
  }

  @Test
  void a_lost_attempt_counts_the_time_its_lease_took() {
    commit(job(1, "a", 1), started(TASK, 11), copy(TASK, 12, 2));
    AttemptReport lost = AttemptReport.withoutRun(AttemptOutcome.LOST, 9_000, "silent");
    reopen();
    commit(new AttemptEnded(TASK, new LeaseToken(12), lost, TaskState.RUNNING, 0, 1, 9_012));
    assertThat(usage().wallMillis()).isEqualTo(7_000);
    assertThat(usage().wastedWallMillis()).isEqualTo(7_000);
  }

  @Test
  void what_a_stopped_attempt_took_is_known_once_its_agent_tells() {
    commit(job(1, "a", 1), started(TASK, 11), copy(TASK, 12, 2));
    AttemptReport unknown = AttemptReport.withoutRun(AttemptOutcome.STOPPED, 9_000, "cancelled");
    commit(new AttemptEnded(TASK, new LeaseToken(11), unknown, TaskState.CANCELLED, 0, 0, 9_000));
    commit(new AttemptEnded(TASK, new LeaseToken(12), unknown, TaskState.CANCELLED, 0, 0, 9_000));
    reopen();
    AttemptReport costs = Samples.richReport().ofStopped("cancelled");
    commit(
        new AttemptStopped(TASK, new LeaseToken(12), Samples.OTHER_NODE, costs, 9_100),
        new AttemptStopped(TASK, new LeaseToken(11), NODE, costs, 9_100),
        new AttemptStopped(TASK, new LeaseToken(13), NODE, costs, 9_100));
    for (AttemptRecord attempt : store.reads().attempts(TASK)) {
      AttemptReport report = Objects.requireNonNull(attempt.report());
      assertThat(report.outcome()).isEqualTo(AttemptOutcome.STOPPED);
      assertThat(report.error()).isEqualTo("cancelled");
      assertThat(report.cpuMillis()).isEqualTo(costs.cpuMillis());
      assertThat(report.runMillis()).isEqualTo(1_000);
      assertThat(report.results()).isEmpty();
    }
    assertThat(usage().attempts()).isEqualTo(2);
    assertThat(usage().wastedCpuMillis()).isEqualTo(2 * costs.cpuMillis());
    assertThat(usage().cpuMillis()).isEqualTo(2 * costs.cpuMillis());
    assertThat(usage().wastedWallMillis()).isEqualTo(2_000);
    assertThat(store.reads().task(TASK).orElseThrow().state()).isEqualTo(TaskState.CANCELLED);
  }

  @Test
  void files_count_once_for_each_user() {
    commit(
        new BlobsOwned("eva", Map.of(BLOB, 100L), 10),
        new BlobsOwned("eva", Map.of(BLOB, 100L, OTHER_BLOB, 5L), 20),
        new BlobsOwned("ann", Map.of(BLOB, 100L), 10));
    AccountReads reads = store.accounts();
    assertThat(reads.storageBytes("eva")).isEqualTo(105);
    assertThat(reads.storageBytes("ann")).isEqualTo(100);
    assertThat(reads.storageBytes("nobody")).isZero();
    assertThat(reads.owned("ann", List.of(BLOB, OTHER_BLOB))).containsExactly(BLOB);
    commit(new BlobsDisowned("eva", List.of(BLOB, OTHER_BLOB), 20));
    assertThat(reads.storageBytes("eva")).as("brought again at 20").isEqualTo(105);
    commit(new BlobsDisowned("eva", List.of(OTHER_BLOB), 21));
    reopen();
    assertThat(store.accounts().storageBytes("eva")).isEqualTo(100);
    assertThat(store.accounts().owned("eva", List.of(BLOB, OTHER_BLOB))).containsExactly(BLOB);
  }

  @Test
  void inputs_and_results_count_for_the_owner_of_the_job() {
    commit(
        new dev.imker.model.change.JobAdded(
            new JobId(1), "eva", Samples.richSpec(), 15, 1234, "key-1"));
    assertThat(store.accounts().storageBytes("eva")).isEqualTo(12);
    java.util.Set<BlobId> found = new java.util.HashSet<>();
    store.reads().forEachBlob(new JobId(1), (blob, size) -> found.add(blob));
    assertThat(found).containsExactly(BLOB);
  }

  @Test
  void board_items_are_found_by_name_and_description() {
    BoardItem item = new BoardItem(PROJECT, "best", "the 100% Best", BLOB, 12, "1.1", 5, 100);
    commit(new BoardPut(new BoardItem(PROJECT, "best", "old", OTHER_BLOB, 1, "", 1, 2)));
    commit(new BoardPut(item));
    commit(
        new BoardPut(new BoardItem(new ProjectId("eva", "default"), "x", "", BLOB, 1, "", 1, 2)));
    reopen();
    BoardReads board = store.board();
    assertThat(board.item(PROJECT, "best")).contains(item);
    assertThat(board.search(PROJECT, "100% b", "", 10)).containsExactly(item);
    assertThat(board.search(PROJECT, "1%b", "", 10)).isEmpty();
    assertThat(board.search(PROJECT, "", "best", 10)).isEmpty();
    assertThat(board.count(PROJECT)).isEqualTo(1);
    assertThat(board.expired(50, 10)).extracting(BoardItem::name).containsExactly("x");
    commit(new BoardRemoved(PROJECT, "best"));
    assertThat(board.item(PROJECT, "best")).isEmpty();
  }

  @Test
  void a_notice_of_one_settling_is_queued_once() {
    NoticeQueued queued = new NoticeQueued(new JobId(1), 500, Notice.Channel.MAIL, "a@b.c");
    commit(queued, queued, new NoticeQueued(new JobId(1), 600, Notice.Channel.MAIL, "a@b.c"));
    commit(queued);
    List<Notice> due = store.notices().due(550, 10);
    assertThat(due).hasSize(1);
    Notice notice = due.getFirst();
    assertThat(notice.state()).isEqualTo(Notice.State.WAITING);
    commit(new NoticeTried(notice.id(), Notice.State.SENDING, 1, 0, ""));
    reopen();
    assertThat(store.notices().due(550, 10)).isEmpty();
    assertThat(store.notices().sending()).extracting(Notice::id).containsExactly(notice.id());
    commit(new NoticeTried(notice.id(), Notice.State.WAITING, 1, 5000, "refused"));
    assertThat(store.notices().due(4999, 10))
        .extracting(Notice::settledMillis)
        .containsExactly(600L);
    assertThat(store.notices().of(new JobId(1))).hasSize(2);
  }

  @Test
  void a_removed_job_leaves_nothing_and_its_number_is_not_used_again() {
    commit(job(1, "a", 2), job(2, "b", 1), started(TASK, 11));
    commit(ended(11, AttemptOutcome.FAILED, TaskState.READY, 1), started(TASK, 12, 2));
    commit(ended(12, AttemptOutcome.SUCCEEDED, TaskState.DONE, 1));
    commit(settled(1, Map.of(TaskState.DONE, 2)), settled(2, Map.of(TaskState.DONE, 1)));
    assertThat(store.reads().settledBefore(1L << 60, null, 10))
        .extracting(found -> found.id().value())
        .containsExactly(1L, 2L);
    assertThat(store.reads().settledBefore(1L << 60, "eva", 10)).isEmpty();
    commit(new JobRemoved(new JobId(2)), new JobRemoved(new JobId(1)));
    reopen();
    assertThat(store.reads().job(new JobId(1))).isEmpty();
    assertThat(store.reads().attempts(TASK)).isEmpty();
    assertThat(store.lastJobId()).isEqualTo(2);
    assertThat(usage().attempts()).as("what was used stays").isEqualTo(2);
  }

  @Test
  void checkpoints_go_with_their_job() {
    commit(job(1, "a", 2), job(11, "a", 2));
    commit(new SettingPut("checkpoint/1.1", "[]"), new SettingPut("checkpoint/11.1", "[]"));
    commit(settled(1, Map.of(TaskState.CANCELLED, 2)));
    commit(new JobRemoved(new JobId(1), 2)); // its tasks are deleted later
    reopen();
    assertThat(store.settings("checkpoint/")).containsOnlyKeys("checkpoint/11.1");
  }

  @Test
  void an_attempt_of_a_removed_job_may_still_be_stopped() {
    commit(job(1, "a", 2), started(TASK, 11));
    AttemptReport unknown = AttemptReport.withoutRun(AttemptOutcome.STOPPED, 9_000, "cancelled");
    commit(new AttemptEnded(TASK, new LeaseToken(11), unknown, TaskState.CANCELLED, 0, 0, 9_000));
    commit(settled(1, Map.of(TaskState.CANCELLED, 2)));
    commit(new JobRemoved(new JobId(1), 2)); // its tasks are deleted later
    AttemptReport costs = Samples.richReport().ofStopped("cancelled");
    commit(new AttemptStopped(TASK, new LeaseToken(11), NODE, costs, 9_100));
    reopen();
    commit(new AttemptStopped(TASK, new LeaseToken(11), NODE, costs, 9_200));
    assertThat(store.removedJobs()).containsEntry(new JobId(1), 2);
    assertThat(usage().attempts()).isEqualTo(1);
  }

  @Test
  void an_imported_task_is_there_and_counts_for_no_use() {
    AttemptReport report = Samples.richReport();
    commit(job(1, "a", 1), settled(1, Map.of(TaskState.DONE, 1)));
    TaskImported.Attempt lost =
        new TaskImported.Attempt(
            new LeaseToken(5),
            1,
            Samples.AGENT,
            NODE,
            1,
            AttemptReport.withoutRun(AttemptOutcome.LOST, 9, "x"));
    TaskImported.Attempt won =
        new TaskImported.Attempt(new LeaseToken(6), 2, Samples.OTHER_AGENT, NODE, 3, report);
    commit(new TaskImported(TASK, TaskState.DONE, 0, 1, 77, List.of(lost, won), 1));
    reopen();
    TaskRecord task = store.reads().task(TASK).orElseThrow();
    assertThat(task.last())
        .usingRecursiveComparison()
        .isEqualTo(new AttemptRecord(won.token(), 2, won.agent(), NODE, 3, report));
    assertThat(store.reads().attempts(TASK)).hasSize(2);
    assertThat(store.journal().usage(null, Set.of(Journal.Grouping.USER), 0)).isEmpty();
    assertThat(store.accounts().storageBytes("admin")).isPositive();
  }

  @Test
  void settings_are_listed_by_their_beginning() {
    store.putSetting("smtp.host", "a");
    store.putSetting("smtp.port", "25");
    store.putSetting("other", "x");
    assertThat(store.settings("smtp."))
        .containsExactly(Map.entry("smtp.host", "a"), Map.entry("smtp.port", "25"));
  }

  // ---------------------------------------------------------------- drop folders

  private static DropItem dropped(String id, long takenMillis) {
    return new DropItem(
        id,
        "/drop",
        "alpha/a.yaml",
        BLOB,
        DropItem.State.RUNNING,
        false,
        List.of(),
        "",
        takenMillis,
        takenMillis);
  }

  @Test
  void a_file_of_a_drop_folder_is_known_as_it_was_put_last() {
    DropItem running = dropped("one", 5).withJobs(List.of(new JobId(7), new JobId(8)), 6);
    commit(new DropItemPut(dropped("one", 5)), new DropItemPut(running));
    assertThat(store.drops().item("one")).contains(running);
    assertThat(store.drops().item("two")).isEmpty();
    DropItem failed = running.as(DropItem.State.FAILED, "a mistake", 9);
    commit(new DropItemPut(failed));
    assertThat(store.drops().open("/drop")).containsExactly(failed);
    commit(new DropItemPut(failed.asShown(10)));
    assertThat(store.drops().open("/drop")).isEmpty();
    assertThat(store.drops().newest("/drop", 5)).containsExactly(failed.asShown(10));
  }

  @Test
  void open_files_of_a_drop_folder_come_in_the_order_they_were_taken() {
    commit(
        new DropItemPut(dropped("b", 2)),
        new DropItemPut(dropped("a", 3)),
        new DropItemPut(dropped("c", 1)));
    assertThat(store.drops().open("/drop")).extracting(DropItem::id).containsExactly("c", "b", "a");
    assertThat(store.drops().newest("/drop", 1)).extracting(DropItem::id).containsExactly("a");
    assertThat(store.drops().open("/other")).isEmpty();
    List<BlobId> blobs = new java.util.ArrayList<>();
    store.drops().forEachOpenBlob(blobs::add);
    assertThat(blobs).containsExactly(BLOB, BLOB, BLOB);
  }

  @Test
  void settings_are_found_by_how_their_names_begin_whatever_table_keeps_them() {
    Map<String, String> all = new TreeMap<>();
    for (String start :
        List.of(
            "checkpoint/",
            "tasks.limits.",
            "trust/",
            "node-terms/",
            "agent-key/",
            "join-token/",
            "logged-out/",
            "secret/",
            "import/",
            "dataset.",
            "drop.folder.",
            "library/",
            "retention.user.",
            "option.")) {
      for (String rest : List.of("eva/a", "Eva/a", "eva/b", "ev%_")) {
        all.put(start + rest, start + " of " + rest);
        store.putSetting(start + rest, start + " of " + rest);
      }
      assertThat(store.settings(start)).hasSize(4);
      assertThat(store.settings(start + "eva/")).containsOnlyKeys(start + "eva/a", start + "eva/b");
      assertThat(store.settings(start + "ev%")).containsOnlyKeys(start + "ev%_");
      assertThat(store.settingOnce(start + "eva/a", "other")).isEqualTo(start + " of eva/a");
      store.commit(List.of(new SettingPut(start + "eva/b", "")));
      all.remove(start + "eva/b");
      assertThat(store.settings(start)).hasSize(3);
      assertThat(store.setting(start + "eva/b")).isEmpty();
    }
    all.forEach((key, value) -> assertThat(store.setting(key)).hasValue(value));
  }
}
