package dev.imker.store;

class PostgresRecordsTest extends RecordsContract {
  private final String url = PostgresDatabases.fresh();

  @Override
  PoolStore open() {
    return PostgresDatabases.lead(url);
  }
}
