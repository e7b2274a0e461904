package dev.imker.server.internal.coord;

import dev.imker.store.PoolStore;
import dev.imker.store.postgres.PostgresStore;
import dev.imker.testdb.TestPostgres;

class PostgresCoordinationTest extends StoredCoordinationContract {
  private final String url = TestPostgres.freshDatabase();

  @Override
  PoolStore open() {
    return PostgresStore.open(url);
  }
}
