package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Gathers a blob in a temporary file, so that hash and size are known before it is stored. */
final class FileUpload extends BlobUpload {
  /** Turns a file into a blob; may move the file. */
  interface Keeper {
    /**
     * @param open the file, for what has to be flushed
     */
    void keep(BlobId blob, Path file, FileChannel open) throws IOException;
  }

  private final Path temporary;
  private final Keeper keeper;
  private final FileChannel channel;

  FileUpload(Path folder, @Nullable BlobId expected, Keeper keeper) throws IOException {
    super(expected);
    this.temporary = Files.createTempFile(folder, "upload-", null);
    this.keeper = keeper;
    this.channel = FileChannel.open(temporary, StandardOpenOption.WRITE);
  }

  @Override
  protected void put(byte[] bytes, int from, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, from, length);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  @Override
  protected void keep(BlobId actual, long size) throws IOException {
    keeper.keep(actual, temporary, channel);
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(temporary);
  }
}
