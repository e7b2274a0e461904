package dev.imker.planner.actions;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipException;

/**
 * Finds action annotations in class files by name, without loading any class. The annotations are
 * {@code Action}, {@code Params}, {@code Preconditions}, {@code Effects} and {@code
 * NegativeEffects} of the packages {@value #TYPED} (values are classes) and {@value #RELATIONAL}
 * (values are texts); which of the two an annotation is from does not matter, its values do.
 */
public final class ActionScanner {
  static final String TYPED = "dev.imker.tasks";
  static final String RELATIONAL = "dev.imker.tasks.relational";

  private static final Set<String> PACKAGES = Set.of(TYPED, RELATIONAL);
  private static final byte[] TRACE = "Ldev/imker/tasks/".getBytes(StandardCharsets.UTF_8);
  private static final int MAX_CLASS_BYTES = 16 << 20;

  private ActionScanner() {}

  /**
   * All actions of a jar, in the order of its entries.
   *
   * @throws IOException if the file cannot be read or is not a jar
   */
  public static ScanReport scanJar(Path jar) throws IOException {
    List<ScannedAction> actions = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      Enumeration<JarEntry> entries = file.entries();
      while (entries.hasMoreElements()) {
        JarEntry entry = entries.nextElement();
        if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/")) {
          scanEntry(file, entry, actions, problems);
        }
      }
    }
    return new ScanReport(actions, problems);
  }

  private static void scanEntry(
      JarFile file, JarEntry entry, List<ScannedAction> actions, List<String> problems)
      throws IOException {
    try (InputStream in = file.getInputStream(entry)) {
      byte[] bytes = in.readNBytes(MAX_CLASS_BYTES + 1);
      if (bytes.length > MAX_CLASS_BYTES) {
        problems.add(entry.getName() + " is too large for a class file");
      } else if (contains(bytes, TRACE)) {
        scanClass(bytes).ifPresent(actions::add);
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException | ZipException fault) {
      problems.add(entry.getName() + ": " + fault.getMessage());
    }
  }

  /**
   * The action a class file declares, if it declares one.
   *
   * @throws IllegalArgumentException if the class file or its annotations cannot be understood
   */
  public static Optional<ScannedAction> scanClass(byte[] classFile) {
    ClassModel model = ClassFile.of().parse(classFile);
    Map<String, List<AnnotationValue>> found = new HashMap<>();
    for (Annotation annotation : annotations(model)) {
      String name = className(annotation.classSymbol().descriptorString());
      int dot = name.lastIndexOf('.');
      if (dot > 0 && PACKAGES.contains(name.substring(0, dot))) {
        found.put(name.substring(dot + 1), values(annotation));
      }
    }
    if (!found.containsKey("Action")) {
      return Optional.empty();
    }
    String className = model.thisClass().asInternalName().replace('/', '.');
    String superclassName =
        model.superclass().map(entry -> entry.asInternalName().replace('/', '.')).orElse("");
    return Optional.of(new ScannedAction(className, superclassName, description(className, found)));
  }

  private static List<Annotation> annotations(ClassModel model) {
    List<Annotation> annotations = new ArrayList<>();
    model
        .findAttribute(Attributes.runtimeVisibleAnnotations())
        .ifPresent(attribute -> annotations.addAll(attribute.annotations()));
    model
        .findAttribute(Attributes.runtimeInvisibleAnnotations())
        .ifPresent(attribute -> annotations.addAll(attribute.annotations()));
    return annotations;
  }

  private static List<AnnotationValue> values(Annotation annotation) {
    for (AnnotationElement element : annotation.elements()) {
      if (element.name().stringValue().equals("value")) {
        return element.value() instanceof AnnotationValue.OfArray array
            ? array.values()
            : List.of(element.value());
      }
    }
    return List.of();
  }

  private static ActionDescription description(
      String className, Map<String, List<AnnotationValue>> found) {
    return ActionDescription.relational(
        className,
        texts(found, "Params"),
        texts(found, "Preconditions"),
        texts(found, "Effects"),
        texts(found, "NegativeEffects"));
  }

  private static List<String> texts(Map<String, List<AnnotationValue>> found, String annotation) {
    return found.getOrDefault(annotation, List.of()).stream().map(ActionScanner::text).toList();
  }

  /** A class stands for the statement that a value of it is known. */
  private static String text(AnnotationValue value) {
    return switch (value) {
      case AnnotationValue.OfClass type -> className(type.className().stringValue());
      case AnnotationValue.OfString text -> text.stringValue();
      default -> throw new IllegalArgumentException("expected classes or texts in an annotation");
    };
  }

  private static String className(String descriptor) {
    if (!descriptor.startsWith("L")) {
      throw new IllegalArgumentException("expected a class but found " + descriptor);
    }
    return descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
  }

  private static boolean contains(byte[] bytes, byte[] wanted) {
    for (int start = 0; start <= bytes.length - wanted.length; start++) {
      int matched = 0;
      while (matched < wanted.length && bytes[start + matched] == wanted[matched]) {
        matched++;
      }
      if (matched == wanted.length) {
        return true;
      }
    }
    return false;
  }
}
