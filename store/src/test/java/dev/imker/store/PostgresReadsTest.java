package dev.imker.store;

class PostgresReadsTest extends ReadsContract {
  private final String url = PostgresDatabases.fresh();

  @Override
  public PoolStore open() {
    return PostgresDatabases.lead(url);
  }
}
