package dev.imker.sim.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Reads configurations, according to the extension of the file. */
public final class SimFiles {
  private SimFiles() {}

  /**
   * @throws SimException if the file is missing or invalid
   */
  public static SimConfig read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new SimException("there is no file " + file);
    }
    String fileName = String.valueOf(file.getFileName());
    int dot = fileName.lastIndexOf('.');
    String name = dot < 0 ? fileName : fileName.substring(0, dot);
    String ending = dot < 0 ? "" : fileName.substring(dot + 1).toLowerCase(Locale.ROOT);
    return switch (ending) {
      case "xml" -> XmlConfig.read(file, name);
      case "yaml", "yml" -> YamlConfig.read(file, name);
      default ->
          throw new SimException(
              file + ": a simulation is described in a file that ends in .xml or .yaml");
    };
  }
}
