package dev.imker.store.blobs;

import dev.imker.store.StoreException;
import java.io.IOException;
import java.security.cert.CertificateException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What errors of a store that speaks S3 mean, and what can be done. Never contains secrets. */
final class S3Errors {
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int MOVED = 301;
  private static final int FIRST_OF_SERVER = 500;

  private S3Errors() {}

  static StoreException explain(S3Place place, String doing, SdkException error) {
    String what = "Imker cannot %s the store %s: ".formatted(doing, place);
    if (error instanceof S3Exception refused) {
      return new StoreException(what + refusal(place, refused), error);
    }
    if (error instanceof SdkClientException && isWithoutCredentials(error)) {
      return new StoreException(
          what
              + "no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the"
              + " environment of the server, or write them to ~/.aws/credentials.",
          error);
    }
    return new StoreException(
        what + "it does not answer (" + root(error) + "). Check the address.", error);
  }

  private static String refusal(S3Place place, S3Exception refused) {
    String code = refused.awsErrorDetails() == null ? "" : refused.awsErrorDetails().errorCode();
    int status = refused.statusCode();
    if (status == FORBIDDEN) {
      return "access denied ("
          + (code == null || code.isEmpty() ? "403" : code)
          + "). Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or ~/.aws/credentials),"
          + " and that they permit reading, writing and deleting in this bucket.";
    }
    if ("NoSuchBucket".equals(code)) {
      return "there is no bucket " + place.bucket() + ". Create it, or use another one.";
    }
    if (status == NOT_FOUND) {
      return "there is no such object.";
    }
    if (status == MOVED || "AuthorizationHeaderMalformed".equals(code)) {
      return "the bucket is in another region. Set it with --s3-region.";
    }
    return (status >= FIRST_OF_SERVER ? "it reports an internal error" : "it refuses")
        + " ("
        + status
        + " "
        + code
        + ").";
  }

  private static boolean isWithoutCredentials(Throwable error) {
    return String.valueOf(error.getMessage()).contains("Unable to load credentials");
  }

  private static String root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }

  /** Whether the store does not answer or has a temporary problem. */
  static boolean isAway(SdkException error) {
    if (error instanceof S3Exception refused) {
      return refused.statusCode() >= FIRST_OF_SERVER;
    }
    return !isWithoutCredentials(error)
        && isCausedBy(error, IOException.class)
        && !isCausedBy(error, CertificateException.class);
  }

  private static boolean isCausedBy(Throwable failure, Class<? extends Exception> kind) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (kind.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  static boolean isMissing(StoreException error) {
    return error.getCause() instanceof S3Exception refused && refused.statusCode() == NOT_FOUND;
  }
}
