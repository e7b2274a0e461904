package dev.imker.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.ImkerException;
import dev.imker.server.members.BlobPlace;
import dev.imker.store.blobs.S3Place;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class BlobOptionsTest {
  @Command
  private static final class Taker {
    @Mixin BlobOptions blobs = new BlobOptions();
  }

  private static BlobPlace place(String... arguments) {
    Taker taker = new Taker();
    new CommandLine(taker).parseArgs(arguments);
    return taker.blobs.place();
  }

  @Test
  void files_are_in_the_database_unless_said_otherwise() {
    assertThat(place()).isEqualTo(BlobPlace.DATABASE);
    assertThat(place("--blobs", "/srv/files"))
        .isEqualTo(new BlobPlace.InFolder(Path.of("/srv/files").toAbsolutePath()));
  }

  @Test
  void buckets_are_amazons_or_at_an_endpoint() {
    assertThat(place("--blobs", "s3://files/pool", "--s3-region", "eu-central-1"))
        .isEqualTo(
            new BlobPlace.InBucket(
                new S3Place("files", "pool/", Optional.empty(), "eu-central-1", false)));
    URI endpoint = URI.create("https://minio:9000");
    assertThat(place("--blobs", "s3://files", "--s3-endpoint", endpoint.toString()))
        .isEqualTo(
            new BlobPlace.InBucket(new S3Place("files", "", Optional.of(endpoint), "", true)));
    assertThat(
            place("--blobs", "s3://files", "--s3-endpoint", "https://s3.lan", "--s3-virtual-hosts"))
        .extracting("place.pathStyle")
        .isEqualTo(false);
  }

  @Test
  void options_of_s3_without_a_bucket_are_refused() {
    assertThatThrownBy(() -> place("--blobs", "/srv/files", "--s3-region", "x"))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("--blobs s3://");
    assertThatThrownBy(() -> place("--s3-endpoint", "http://x")).isInstanceOf(ImkerException.class);
    assertThatThrownBy(() -> place("--blobs", "s3://Wrong_Name"))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("not a bucket address");
  }
}
