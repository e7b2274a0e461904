package dev.imker.store;

import dev.imker.store.postgres.PostgresStore;

class PostgresSharedTest extends SharedContract {
  private final String url = PostgresDatabases.fresh();

  @Override
  PoolStore open() {
    return PostgresStore.open(url);
  }
}
