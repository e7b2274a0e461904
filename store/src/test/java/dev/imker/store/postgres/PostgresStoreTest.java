package dev.imker.store.postgres;

import dev.imker.store.PoolStore;
import dev.imker.store.PoolStoreContract;
import dev.imker.store.PostgresDatabases;

class PostgresStoreTest extends PoolStoreContract {
  private final String url = PostgresDatabases.fresh();

  @Override
  public PoolStore open() {
    return PostgresDatabases.lead(url);
  }
}
