package dev.imker.model.change;

import dev.imker.model.BlobId;
import org.jspecify.annotations.Nullable;

/** What a task wrote to one stream: inline if small, otherwise a blob. */
public record CapturedOutput(long size, byte[] inline, @Nullable BlobId blob) {
  public static final CapturedOutput NONE = new CapturedOutput(0, new byte[0], null);

  public String sha256() {
    return (blob == null ? BlobId.of(inline) : blob).sha256();
  }
}
