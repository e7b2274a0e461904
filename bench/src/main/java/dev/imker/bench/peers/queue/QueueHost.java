package dev.imker.bench.peers.queue;

import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/** An application that uses one of the libraries: {@code LIBRARY JDBC-URL}, orders by lines. */
public final class QueueHost {
  /** Before every answer, since libraries write to the same output. */
  static final String ANSWER = "= ";

  private QueueHost() {}

  public static void main(String[] args) throws Exception {
    HikariDataSource database = new HikariDataSource();
    database.setJdbcUrl(args[1]);
    database.setMaximumPoolSize(25);
    JobQueue queue = Library.valueOf(args[0]).start(database);
    answer("ready");
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      String[] words = order.split(" ", 2);
      if (words[0].equals("endless")) {
        queue.enqueueEndless(Path.of(words[1]));
        answer("ok");
      } else {
        answer(Long.toString(nanos(queue, database, Integer.parseInt(words[1]))));
      }
    }
    System.exit(0);
  }

  /** From the first insertion until the database knows that all are done. */
  private static long nanos(JobQueue queue, HikariDataSource database, int count) throws Exception {
    Work.expect(count);
    long start = System.nanoTime();
    queue.enqueue(count);
    Work.awaitCalled();
    while (unfinished(database, queue.unfinished()) > 0) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    return System.nanoTime() - start;
  }

  private static long unfinished(HikariDataSource database, String question) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet count = statement.executeQuery(question)) {
      count.next();
      return count.getLong(1);
    }
  }

  private static void answer(String text) {
    System.out.println(ANSWER + text);
    System.out.flush();
  }
}
