package dev.imker.store;

class PostgresStoreTest extends PoolStoreContract {
  private final String url = PostgresDatabases.fresh();

  @Override
  PoolStore open() {
    return PostgresDatabases.lead(url);
  }
}
