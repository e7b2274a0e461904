package dev.imker.server.members;

import dev.imker.store.blobs.BlobStore;
import dev.imker.store.blobs.ObjectBlobs;
import dev.imker.store.blobs.PostgresBlobs;
import dev.imker.store.blobs.S3Place;
import dev.imker.store.blobs.TieredBlobs;
import java.nio.file.Path;

/** Where the servers of a pool keep files. */
public sealed interface BlobPlace {
  /** In the database that they share. */
  BlobPlace DATABASE = new InDatabase();

  String title();

  /**
   * Opens what is kept there.
   *
   * @param database that the servers share
   * @param own folder of this server alone
   */
  BlobStore open(String database, Path own);

  record InDatabase() implements BlobPlace {
    @Override
    public String title() {
      return "in the database";
    }

    @Override
    public BlobStore open(String database, Path own) {
      return PostgresBlobs.open(database);
    }
  }

  /** In a folder that all of them see. */
  record InFolder(Path folder) implements BlobPlace {
    @Override
    public String title() {
      return folder.toString();
    }

    @Override
    public BlobStore open(String database, Path own) {
      return TieredBlobs.openShared(folder, database);
    }
  }

  /** In a store that speaks S3. */
  record InBucket(S3Place place) implements BlobPlace {
    @Override
    public String title() {
      return place.toString();
    }

    @Override
    public BlobStore open(String database, Path own) {
      return ObjectBlobs.open(database, place, own.resolve("uploads"));
    }
  }
}
