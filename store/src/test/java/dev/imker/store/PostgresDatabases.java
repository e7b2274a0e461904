package dev.imker.store;

import dev.imker.store.postgres.PostgresStore;
import dev.imker.testdb.TestPostgres;
import java.util.concurrent.atomic.AtomicInteger;

/** Databases with the present schema, copied from one that was made once. */
public final class PostgresDatabases {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private PostgresDatabases() {}

  private static final class Template {
    static final String URL = make();

    private static String make() {
      String url = TestPostgres.freshDatabase();
      PostgresStore.open(url).close();
      return url;
    }
  }

  /** The address of a database with an empty pool. */
  public static String fresh() {
    String name = "pool" + NUMBER.incrementAndGet();
    String template = nameOf(Template.URL);
    TestPostgres.execute(
        Template.URL.replace("/" + template, "/postgres"),
        "CREATE DATABASE " + name + " TEMPLATE " + template);
    return Template.URL.replace("/" + template, "/" + name);
  }

  /** Opens a pool as its only server would. */
  public static PoolStore lead(String url) {
    PostgresStore store = PostgresStore.open(url);
    store.beginEpoch();
    return store;
  }

  private static String nameOf(String url) {
    return url.substring(url.lastIndexOf('/') + 1, url.indexOf('?'));
  }
}
