package dev.imker.agent.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompressionTest {
  @TempDir Path folder;

  private Path file(byte[] content) throws Exception {
    return Files.write(folder.resolve("file"), content);
  }

  private static byte[] noise(int length) {
    byte[] noise = new byte[length];
    new Random(42).nextBytes(noise);
    return noise;
  }

  @Test
  void only_long_files_that_shrink_are_compressed() throws Exception {
    assertThat(Compression.pays(file(new byte[1 << 20]))).isTrue();
    assertThat(Compression.pays(file(new byte[(1 << 20) - 1]))).isFalse();
    assertThat(Compression.pays(file(noise(2 << 20)))).isFalse();
  }

  @Test
  void what_was_compressed_comes_out_as_it_was() throws Exception {
    byte[] content = new byte[3 << 20];
    System.arraycopy(noise(1 << 20), 0, content, 1 << 20, 1 << 20);
    try (var in = Compression.compressed(file(content));
        ZstdInputStream out = new ZstdInputStream(in)) {
      assertThat(out.readAllBytes()).isEqualTo(content);
    }
  }
}
