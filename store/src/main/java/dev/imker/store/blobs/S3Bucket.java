package dev.imker.store.blobs;

import dev.imker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/** Objects in a bucket. The library retries temporary failures a few times. */
final class S3Bucket implements AutoCloseable {
  /** Larger files are sent in parts. */
  private static final long PART_BYTES = 16L << 20;

  private static final int MAX_PARTS = 10_000;
  private static final int TRIES = 6;
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);
  private static final String USUAL_REGION = "us-east-1";
  private static final String CONTENT = "application/octet-stream";

  private final S3Place place;
  private final S3Client client;
  private final long partBytes;

  /** As whoever the environment, a file or the machine says that we are. */
  S3Bucket(S3Place place) {
    this(place, PART_BYTES, DefaultCredentialsProvider.builder().build());
  }

  /** Sends anything larger than a part in parts. */
  S3Bucket(S3Place place, long partBytes, AwsCredentialsProvider who) {
    this.place = place;
    this.partBytes = partBytes;
    this.client = client(place, who);
  }

  private static S3Client client(S3Place place, AwsCredentialsProvider who) {
    S3ClientBuilder builder =
        S3Client.builder()
            .credentialsProvider(who)
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(CONNECT_WITHIN)
                    .socketTimeout(ANSWER_WITHIN))
            .overrideConfiguration(
                all ->
                    all.retryStrategy(
                        AwsRetryStrategy.standardRetryStrategy().toBuilder()
                            .maxAttempts(TRIES)
                            .build()))
            .forcePathStyle(place.pathStyle())
            // Newer checksums are not understood by every store; sizes and hashes are checked here.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
    place.endpoint().ifPresent(builder::endpointOverride);
    if (!place.region().isEmpty()) {
      builder.region(Region.of(place.region()));
    } else if (place.endpoint().isPresent()) {
      builder.region(Region.of(USUAL_REGION));
    }
    return asked(place, "use", builder::build);
  }

  /** Checks whether objects can be written, read and deleted; the message says what is wrong. */
  void probe() {
    String name = place.prefix() + "probe-" + UUID.randomUUID();
    asked("write to", () -> put(name, RequestBody.fromString(name)));
    try (InputStream in = open(name, 0)) {
      if (in.readAllBytes().length != name.length()) {
        throw new StoreException("The store " + place + " does not return what was stored in it.");
      }
    } catch (IOException e) {
      throw new StoreException("The store " + place + " cannot be read: " + e.getMessage(), e);
    }
    delete(name);
  }

  private long put(String name, RequestBody body) {
    client.putObject(request -> request.bucket(place.bucket()).key(name), body);
    return body.optionalContentLength().orElse(0L);
  }

  /** Writes a file atomically. */
  void put(String name, Path file, long size) {
    asked(
        "write to",
        () ->
            size <= partBytes
                ? put(name, RequestBody.fromFile(file))
                : putInParts(name, file, size));
  }

  private long putInParts(String name, Path file, long size) {
    String upload =
        client.createMultipartUpload(u -> u.bucket(place.bucket()).key(name)).uploadId();
    boolean complete = false;
    try {
      List<CompletedPart> parts = new ArrayList<>();
      long step = Math.max(partBytes, size / MAX_PARTS + 1);
      for (long from = 0; from < size; from += step) {
        parts.add(putPart(name, upload, parts.size() + 1, file, from, Math.min(step, size - from)));
      }
      client.completeMultipartUpload(
          u ->
              u.bucket(place.bucket())
                  .key(name)
                  .uploadId(upload)
                  .multipartUpload(all -> all.parts(parts)));
      complete = true;
      return size;
    } finally {
      if (!complete) {
        client.abortMultipartUpload(u -> u.bucket(place.bucket()).key(name).uploadId(upload));
      }
    }
  }

  private CompletedPart putPart(
      String name, String upload, int number, Path file, long from, long size) {
    String tag =
        client
            .uploadPart(
                part -> part.bucket(place.bucket()).key(name).uploadId(upload).partNumber(number),
                RequestBody.fromContentProvider(() -> part(file, from, size), size, CONTENT))
            .eTag();
    return CompletedPart.builder().partNumber(number).eTag(tag).build();
  }

  private static InputStream part(Path file, long from, long size) {
    try {
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ).position(from);
      return new LimitedInput(Channels.newInputStream(channel), size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Content of an object from an offset within it on. */
  InputStream open(String name, long offset) {
    return asked(
        "read",
        () ->
            client.getObject(
                request -> {
                  request.bucket(place.bucket()).key(name);
                  if (offset > 0) {
                    request.range("bytes=" + offset + "-");
                  }
                }));
  }

  /** Removes an object if it exists. */
  void delete(String name) {
    var _ =
        asked("delete from", () -> client.deleteObject(o -> o.bucket(place.bucket()).key(name)));
  }

  private <T> T asked(String doing, Supplier<T> request) {
    return asked(place, doing, request);
  }

  private static <T> T asked(S3Place place, String doing, Supplier<T> request) {
    try {
      return request.get();
    } catch (SdkException e) {
      throw S3Errors.explain(place, doing, e);
    } catch (UncheckedIOException e) {
      throw new StoreException(
          "Files could not be prepared for " + place + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
