package dev.imker.coord;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Access to the database that stores leadership. */
@FunctionalInterface
public interface DatabaseAccess {
  /**
   * Connects to whichever host of the database can write.
   *
   * @param application name under which the connection is seen in pg_stat_activity
   * @param answerWithin maximum time for a single answer; zero: no limit
   */
  Connection connect(String application, Duration answerWithin) throws SQLException;
}
