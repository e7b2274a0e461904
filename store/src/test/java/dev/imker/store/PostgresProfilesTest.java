package dev.imker.store;

class PostgresProfilesTest extends ProfilesContract {
  private final String url = PostgresDatabases.fresh();

  @Override
  PoolStore open() {
    return PostgresDatabases.lead(url);
  }
}
