package dev.imker.client.internal.shipping;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.shipped.Buzzing;
import dev.imker.shipped.Quiet;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShippingTest {
  @Test
  void a_class_with_native_methods_is_refused_however_often() {
    Shipping shipping = new Shipping(List.of());
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> shipping.require(Buzzing.class))
          .isInstanceOf(NotShippableException.class)
          .hasMessageContaining("native methods");
    }
    shipping.require(Quiet.class);
    assertThat(shipping.library().jars()).hasSize(1);
  }

  /** As Spring Boot packs it: own classes in a folder, those of others as jars. */
  @Test
  void jars_and_folders_inside_a_jar_are_sent_with_their_resources(@TempDir Path folder)
      throws Exception {
    String name = Quiet.class.getName().replace('.', '/') + ".class";
    byte[] code;
    try (InputStream in = Quiet.class.getResourceAsStream("Quiet.class")) {
      code = Objects.requireNonNull(in).readAllBytes();
    }
    Map<String, byte[]> own = Map.of(name, code, "words.txt", "in ädern".getBytes(UTF_8));
    byte[] inner = Shipping.jar(new TreeMap<>(own));
    Map<String, byte[]> boot = new TreeMap<>(Map.of("BOOT-INF/lib/quiet.jar", inner));
    own.forEach((path, content) -> boot.put("BOOT-INF/classes/" + path, content));
    Path fat = Files.write(folder.resolve("app one.jar"), Shipping.jar(boot));
    String at = fat.toUri().getRawPath();
    for (String place :
        List.of(
            "jar:nested:" + at + "/!BOOT-INF/classes/!/",
            "jar:nested:" + at + "/!BOOT-INF/lib/quiet.jar!/",
            "jar:file:" + at + "!/BOOT-INF/classes!/",
            "jar:file:" + at + "!/BOOT-INF/lib/quiet.jar!/")) {
      Shipping shipping = new Shipping(List.of());
      shipping.require(new Nested(place, name, code).loadClass(Quiet.class.getName()));
      assertThat(shipping.library().jars().values()).as(place).containsExactly(inner);
    }
  }

  /** Has one class, from a place of which only the name is real. */
  private static final class Nested extends ClassLoader {
    private final String place;
    private final String file;
    private final byte[] code;

    Nested(String place, String file, byte[] code) {
      super(ClassLoader.getPlatformClassLoader());
      this.place = place;
      this.file = file;
      this.code = code;
    }

    @Override
    protected Class<?> findClass(String name) {
      return defineClass(name, code, 0, code.length);
    }

    @Override
    protected @Nullable URL findResource(String name) {
      try {
        return name.equals(file) ? URL.of(URI.create(place + name), new Fixed(code)) : null;
      } catch (MalformedURLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static final class Fixed extends URLStreamHandler {
    private final byte[] content;

    Fixed(byte[] content) {
      this.content = content;
    }

    @Override
    protected URLConnection openConnection(URL url) {
      return new URLConnection(url) {
        @Override
        public void connect() {}

        @Override
        public InputStream getInputStream() {
          return new ByteArrayInputStream(content);
        }
      };
    }
  }
}
