package dev.imker.store.postgres;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.store.PoolStore.Position;
import dev.imker.store.internal.live.Touched;
import dev.imker.store.internal.rows.Rows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What every transaction of a leader touched, one row per turn, without gaps. Each row has a unique
 * mark: after the promotion of a replica that lacked the last commits, the same turn may occur
 * again with different content.
 */
final class ChangeLog {
  /** The channel on which every turn is announced. */
  static final String CHANNEL = "imker_turn";

  /** A follower that was away for longer reads everything. */
  static final int TURNS_KEPT = 20_000;

  private static final int TURNS_PER_CUT = 1_000;

  private static final String APPEND =
      """
      WITH fenced AS (
        UPDATE pool SET turn = turn + 1
        WHERE epoch = :epoch AND turn = :turn AND incarnation = :incarnation
        RETURNING epoch, turn)
      INSERT INTO change_log (epoch, turn, touched)
      SELECT epoch, turn, CAST(:touched AS BYTEA) FROM fenced
      RETURNING turn
      """;
  private static final String BEGIN =
      """
      INSERT INTO change_log (epoch, turn, previous, touched)
      VALUES (:epoch, 0, :previous, CAST(:touched AS BYTEA))
      """;
  private static final String CUT =
      """
      DELETE FROM change_log WHERE (epoch, turn) IN (
        SELECT epoch, turn FROM change_log ORDER BY epoch DESC, turn DESC OFFSET :kept)
      """;
  private static final String SINCE =
      """
      SELECT p.epoch, p.turn, l.epoch, l.turn, CAST(l.mark AS TEXT), l.previous, l.touched
      FROM pool p LEFT JOIN change_log l ON (l.epoch, l.turn) >= (:epoch, :turn)
      ORDER BY l.epoch, l.turn
      """;
  private static final String NEWEST =
      """
      SELECT p.epoch, p.turn, COALESCE(CAST(l.mark AS TEXT), '')
      FROM pool p LEFT JOIN change_log l ON l.epoch = p.epoch AND l.turn = p.turn
      """;

  /**
   * The position of a follower.
   *
   * @param mark of the row there; empty if the leader of that time kept no log
   */
  record Bookmark(Position at, String mark) {}

  /**
   * The changes after a bookmark.
   *
   * @param doubt why they are not certain; then the rest is meaningless
   */
  record News(Bookmark now, Touched touched, int turns, @Nullable String doubt) {}

  private record Row(Position at, String mark, @Nullable Long previous, byte[] touched) {
    boolean follows(Position before) {
      return at.epoch() == before.epoch()
          ? at.turn() == before.turn() + 1
          : at.turn() == 0 && previous != null && previous == before.turn();
    }
  }

  private ChangeLog() {}

  /** Increments the turn and records what it touches; false if the epoch or the turn differs. */
  static boolean append(Connection c, long epoch, long turn, long incarnation, byte[] touched)
      throws SQLException {
    boolean fenced =
        !Rows.list(
                c,
                _ -> true,
                APPEND,
                bind("epoch", epoch),
                bind("turn", turn),
                bind("incarnation", incarnation),
                bind("touched", touched))
            .isEmpty();
    if (fenced && turn % TURNS_PER_CUT == TURNS_PER_CUT - 1) {
      Rows.update(c, CUT, bind("kept", TURNS_KEPT));
    }
    return fenced;
  }

  /**
   * Begins an epoch after the given turn of the previous one. Existing rows of the new epoch are
   * from an earlier pool in this database.
   */
  static void begin(Connection c, long epoch, long previous) throws SQLException {
    Rows.update(c, "DELETE FROM change_log WHERE epoch >= :epoch", bind("epoch", epoch));
    Rows.update(
        c,
        BEGIN,
        bind("epoch", epoch),
        bind("previous", previous),
        bind("touched", Touched.by(List.of()).bytes()));
  }

  static Bookmark newest(Connection c) throws SQLException {
    return Rows.first(
            c,
            row -> new Bookmark(new Position(row.getLong(1), row.getLong(2)), row.getString(3)),
            NEWEST)
        .orElseThrow();
  }

  /** Everything after a bookmark, or why it cannot be determined. */
  static News since(Connection c, Bookmark mark) throws SQLException {
    List<Position> end = new ArrayList<>(1);
    Chain chain = new Chain(mark);
    Rows.forEach(
        c,
        row -> {
          end.add(new Position(row.getLong(1), row.getLong(2)));
          if (row.getObject(3) != null) {
            chain.add(row(row));
          }
        },
        SINCE,
        bind("epoch", mark.at.epoch()),
        bind("turn", mark.at.turn()));
    return chain.end(end.getLast());
  }

  private static Row row(ResultSet row) throws SQLException {
    @Nullable Object previous = row.getObject(6);
    return new Row(
        new Position(row.getLong(3), row.getLong(4)),
        row.getString(5),
        previous == null ? null : row.getLong(6),
        row.getBytes(7));
  }

  /** Consecutive rows after the known one. */
  private static final class Chain {
    private final Bookmark from;
    private final Touched touched = Touched.by(List.of());
    private @Nullable Bookmark last;
    private int turns;
    private @Nullable String doubt;

    Chain(Bookmark from) {
      this.from = from;
    }

    void add(Row row) {
      Bookmark before = last;
      if (doubt != null) {
        return;
      }
      if (before == null) {
        if (!row.at.equals(from.at)) {
          doubt = "the log does not go back to turn " + from.at;
        } else if (!row.mark.equals(from.mark)) {
          doubt = "the database has lost commits that were followed, at turn " + from.at;
        }
      } else if (!row.follows(before.at)) {
        doubt = "turn %s does not follow turn %s in the log".formatted(row.at, before.at);
      } else {
        try {
          touched.addAll(Touched.parse(row.touched));
          turns++;
        } catch (IllegalArgumentException e) {
          doubt = "the record of turn %s is %s".formatted(row.at, e.getMessage());
        }
      }
      last = new Bookmark(row.at, row.mark);
    }

    News end(Position end) {
      Bookmark reached = last;
      if (doubt == null && reached == null) {
        doubt = "the log has nothing from turn %s on".formatted(from.at);
      } else if (doubt == null && reached != null && !reached.at.equals(end)) {
        doubt = "the log ends at turn %s, the pool is at %s".formatted(reached.at, end);
      }
      return new News(reached == null ? from : reached, touched, turns, doubt);
    }
  }
}
