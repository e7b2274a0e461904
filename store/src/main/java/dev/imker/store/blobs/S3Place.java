package dev.imker.store.blobs;

import dev.imker.store.StoreException;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where files are in a store that speaks S3. Who we are there is not part of it: that is taken from
 * where all programs for S3 look for it (environment, credentials file, role of the machine).
 *
 * @param prefix what the names of all objects begin with: empty, or ending with a slash
 * @param endpoint of a store that is not Amazon's
 * @param region empty for the usual one
 * @param pathStyle whether the bucket stands in the path instead of the name of the host
 */
public record S3Place(
    String bucket, String prefix, Optional<URI> endpoint, String region, boolean pathStyle) {
  public static final String SCHEME = "s3://";

  private static final Pattern ADDRESS =
      Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/([^?#]*))?");

  /**
   * Reads {@code s3://bucket/prefix}.
   *
   * @throws StoreException if that is not the address of a bucket
   */
  public static S3Place parse(String address) {
    Matcher parts = ADDRESS.matcher(address);
    if (!parts.matches()) {
      throw new StoreException(
          "\"" + address + "\" is not a bucket address; write s3://bucket/prefix");
    }
    String path = parts.group(2) == null ? "" : parts.group(2);
    String prefix = path.isEmpty() || path.endsWith("/") ? path : path + "/";
    return new S3Place(parts.group(1), prefix, Optional.empty(), "", false);
  }

  /** At a store that is not Amazon's; most of those want the bucket in the path. */
  public S3Place at(URI address) {
    return new S3Place(bucket, prefix, Optional.of(address), region, true);
  }

  public S3Place inRegion(String value) {
    return new S3Place(bucket, prefix, endpoint, value, pathStyle);
  }

  /** With the bucket in the name of the host, or in the path. */
  public S3Place withPathStyle(boolean value) {
    return new S3Place(bucket, prefix, endpoint, region, value);
  }

  @Override
  public String toString() {
    return SCHEME + bucket + "/" + prefix + endpoint.map(address -> " at " + address).orElse("");
  }
}
