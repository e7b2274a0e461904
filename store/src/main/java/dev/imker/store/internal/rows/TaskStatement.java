package dev.imker.store.internal.rows;

/**
 * The statements that write many rows of tasks: one for each row, which is fast on SQLite, and one
 * for all rows together, which is fast on PostgreSQL. Both take the same values.
 */
public enum TaskStatement {
  START(
      """
      INSERT INTO task (id, state, failures, losses, attempts, changed_at,
        token, number, agent, node, leased_at)
      VALUES (:id, {task.RUNNING}, 0, 0, :number, :leased_at, :token, :number, :agent, :node,
        :leased_at)
      ON CONFLICT (id) DO UPDATE SET state = {task.RUNNING}, attempts = excluded.attempts,
        changed_at = excluded.changed_at, token = excluded.token, number = excluded.number,
        agent = excluded.agent, node = excluded.node, leased_at = excluded.leased_at
      WHERE state <> {task.RUNNING}
      """,
      """
      INSERT INTO task (id, state, failures, losses, attempts, changed_at,
        token, number, agent, node, leased_at)
      SELECT r.id, {task.RUNNING}, 0, 0, r.number, r.leased_at,
        r.token, r.number, r.agent, r.node, r.leased_at
      FROM unnest(:id::bigint[], :token::bigint[], :number::integer[], :agent::integer[],
        :node::integer[], :leased_at::bigint[])
        AS r (id, token, number, agent, node, leased_at)
      ON CONFLICT (id) DO UPDATE SET state = {task.RUNNING}, attempts = excluded.attempts,
        changed_at = excluded.changed_at, token = excluded.token, number = excluded.number,
        agent = excluded.agent, node = excluded.node, leased_at = excluded.leased_at
      WHERE task.state <> {task.RUNNING}
      RETURNING id
      """),

  /** Every parameter costs a native call, and a success leaves the counts as they are. */
  SUCCEED(
      """
      UPDATE task SET state = {task.DONE}, outcome = {attempt.SUCCEEDED}, changed_at = :changed_at,
        exit_code = :exit_code, started_at = :started_at, ended_at = :ended_at, report = :report,
        output = :output
      WHERE id = :id AND token = :token
      """,
      """
      UPDATE task SET state = {task.DONE}, outcome = {attempt.SUCCEEDED}, changed_at = r.changed_at,
        exit_code = r.exit_code, started_at = r.started_at, ended_at = r.ended_at, report = r.report,
        output = r.output
      FROM unnest(:changed_at::bigint[], :exit_code::integer[], :started_at::bigint[],
        :ended_at::bigint[], :report::bytea[], :output::bytea[], :id::bigint[], :token::bigint[])
        AS r (changed_at, exit_code, started_at, ended_at, report, output, id, token)
      WHERE task.id = r.id AND task.token = r.token
      RETURNING task.id
      """),

  SETTLE(
      """
      UPDATE task SET state = :state, failures = :failures, losses = :losses,
        changed_at = :changed_at, outcome = :outcome, exit_code = :exit_code,
        started_at = :started_at, ended_at = :ended_at, report = :report, output = :output
      WHERE id = :id AND token = :token
      """,
      """
      UPDATE task SET state = r.state, failures = r.failures, losses = r.losses,
        changed_at = r.changed_at, outcome = r.outcome, exit_code = r.exit_code,
        started_at = r.started_at, ended_at = r.ended_at, report = r.report, output = r.output
      FROM unnest(:state::integer[], :failures::integer[], :losses::integer[],
        :changed_at::bigint[], :outcome::integer[], :exit_code::integer[], :started_at::bigint[],
        :ended_at::bigint[], :report::bytea[], :output::bytea[], :id::bigint[], :token::bigint[])
        AS r (state, failures, losses, changed_at, outcome, exit_code, started_at, ended_at,
          report, output, id, token)
      WHERE task.id = r.id AND task.token = r.token
      RETURNING task.id
      """),

  CHANGE(
      """
      INSERT INTO task (id, state, failures, losses, attempts, changed_at, reason)
      VALUES (:id, :state, :failures, :losses, 0, :changed_at, :reason)
      ON CONFLICT (id) DO UPDATE SET state = excluded.state, failures = excluded.failures,
        losses = excluded.losses, changed_at = excluded.changed_at, reason = excluded.reason
      """,
      """
      INSERT INTO task (id, state, failures, losses, attempts, changed_at, reason)
      SELECT r.id, r.state, r.failures, r.losses, 0, r.changed_at, r.reason
      FROM unnest(:id::bigint[], :state::integer[], :failures::integer[], :losses::integer[],
        :changed_at::bigint[], :reason::text[])
        AS r (id, state, failures, losses, changed_at, reason)
      ON CONFLICT (id) DO UPDATE SET state = excluded.state, failures = excluded.failures,
        losses = excluded.losses, changed_at = excluded.changed_at, reason = excluded.reason
      RETURNING id
      """);

  private final String each;
  private final String all;

  TaskStatement(String each, String all) {
    this.each = Codes.sql(each);
    this.all = Codes.sql(all);
  }

  String each() {
    return each;
  }

  String all() {
    return all;
  }
}
