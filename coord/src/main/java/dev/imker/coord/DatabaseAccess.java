package dev.imker.coord;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** The way to the database that leadership is kept in. */
@FunctionalInterface
public interface DatabaseAccess {
  /**
   * Connects to whichever host of the database can write.
   *
   * @param application name under which the connection is seen in pg_stat_activity
   * @param answerWithin how long any one answer may take; zero for ever
   */
  Connection connect(String application, Duration answerWithin) throws SQLException;
}
