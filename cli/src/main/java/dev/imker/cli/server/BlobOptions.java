package dev.imker.cli.server;

import dev.imker.model.ImkerException;
import dev.imker.server.members.BlobPlace;
import dev.imker.store.blobs.S3Place;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Where files of a shared pool are. Who we are to a store that speaks S3 is no option: whatever
 * stands on a command line can be read by everybody on the machine.
 */
final class BlobOptions {
  @Option(
      names = "--blobs",
      paramLabel = "PLACE",
      description =
          "With --db: where files are stored, a folder shared by all servers or"
              + " s3://BUCKET/PREFIX with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or"
              + " ~/.aws/credentials (default: the database).")
  @Nullable String place;

  @Option(
      names = "--s3-endpoint",
      paramLabel = "URL",
      description = "Address of an S3-compatible store other than Amazon's.")
  @Nullable URI endpoint;

  @Option(
      names = "--s3-region",
      paramLabel = "NAME",
      description = "Region of the bucket (default: $AWS_REGION, ~/.aws/config).")
  @Nullable String region;

  @Option(
      names = "--s3-virtual-hosts",
      description = "With --s3-endpoint: put the bucket into the host name, not the path.")
  boolean virtualHosts;

  /** Whether anything was said. */
  boolean isSet() {
    return place != null || endpoint != null || region != null || virtualHosts;
  }

  BlobPlace place() {
    if (place != null && place.startsWith(S3Place.SCHEME)) {
      return new BlobPlace.InBucket(bucket(S3Place.parse(place)));
    }
    if (endpoint != null || region != null || virtualHosts) {
      throw new ImkerException("Options starting with --s3 need --blobs s3://BUCKET/PREFIX.");
    }
    return place == null
        ? BlobPlace.DATABASE
        : new BlobPlace.InFolder(Path.of(place).toAbsolutePath().normalize());
  }

  private S3Place bucket(S3Place named) {
    S3Place at = endpoint == null ? named : named.at(endpoint).withPathStyle(!virtualHosts);
    return region == null ? at : at.inRegion(region);
  }
}
