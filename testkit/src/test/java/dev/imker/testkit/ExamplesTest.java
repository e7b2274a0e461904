package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.client.Imker;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs in {@code examples/java} as they stand there. */
class ExamplesTest {
  /** A larger site: {@code -Dimker.pages=10000}. */
  private static final int PAGES = Integer.getInteger("imker.pages", 150);

  @TempDir Path folder;

  private URLClassLoader compiled() throws Exception {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        Stream<Path> sources = Files.list(Path.of("../examples/java"))) {
      List<String> options =
          List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
      assertThat(
              compiler
                  .getTask(
                      null,
                      files,
                      null,
                      options,
                      null,
                      files.getJavaFileObjectsFromPaths(sources.toList()))
                  .call())
          .isTrue();
    }
    return new URLClassLoader(new URL[] {classes.toUri().toURL()}, getClass().getClassLoader());
  }

  @Test
  void the_crawler_finds_every_page_with_a_task_for_each() throws Exception {
    try (URLClassLoader classes = compiled();
        LocalSite site = LocalSite.start(PAGES);
        TestPool pool = TestPool.start(folder);
        Imker imker = pool.connect()) {
      Method crawl = classes.loadClass("Crawler").getMethod("crawl", Imker.class, String.class);
      assertThat(crawl.invoke(null, imker, site.first())).isEqualTo(PAGES);
      assertThat(site.reads()).isGreaterThanOrEqualTo(PAGES);
    }
  }
}
