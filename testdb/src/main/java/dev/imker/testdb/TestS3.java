package dev.imker.testdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Properties;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobApiMetadata;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStoreContext;

/**
 * A store that speaks S3, over a folder. It checks signatures, so that only those who know {@link
 * #KEY} and {@link #SECRET} are let in.
 */
public final class TestS3 implements AutoCloseable {
  public static final String KEY = "imker";
  public static final String SECRET = "bees-and-honey";

  private final BlobStoreContext context;
  private final S3Proxy server;

  private TestS3(BlobStoreContext context, S3Proxy server) {
    this.context = context;
    this.server = server;
  }

  /** Starts a store with one bucket. */
  public static TestS3 start(Path folder, String bucket) {
    Properties properties = new Properties();
    properties.setProperty("jclouds.filesystem.basedir", folder.toString());
    BlobStoreContext context =
        ContextBuilder.newBuilder(new FilesystemNio2BlobApiMetadata())
            .credentials("nobody", "nothing")
            .overrides(properties)
            .build(BlobStoreContext.class);
    context.getBlobStore().createContainerInLocation(null, bucket);
    S3Proxy server =
        S3Proxy.builder()
            .blobStore(context.getBlobStore())
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V4, KEY, SECRET)
            .build();
    TestS3 started = new TestS3(context, server);
    try {
      server.start();
      return started;
    } catch (IOException e) {
      started.close();
      throw new UncheckedIOException(e);
    } catch (Exception e) {
      started.close();
      throw new IllegalStateException("S3 does not start", e);
    }
  }

  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getPort());
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("S3 does not stop", e);
    } finally {
      context.close();
    }
  }
}
