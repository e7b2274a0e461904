package dev.imker.charts.code;

import dev.imker.charts.ChartException;
import dev.imker.tasks.charts.Candles;
import dev.imker.tasks.charts.Indicator;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Finds the indicators of a library by reading its class files; nothing of it is loaded. */
public final class IndicatorScan {
  private static final ClassDesc CANDLES = desc(Candles.class);
  private static final ClassDesc ANNOTATION = desc(Indicator.class);
  private static final ClassDesc DOUBLES = ConstantDescs.CD_double.arrayType();
  private static final Set<ClassDesc> RESULTS =
      Set.of(DOUBLES, ConstantDescs.CD_boolean.arrayType());
  private static final Set<ClassDesc> ARGUMENTS =
      Set.of(ConstantDescs.CD_int, ConstantDescs.CD_double, DOUBLES);

  private final String library;

  private IndicatorScan(String library) {
    this.library = library;
  }

  /**
   * An indicator.
   *
   * @param types of the parameters behind the candles
   */
  public record Found(
      String library,
      String name,
      String className,
      String method,
      List<String> parameters,
      List<Class<?>> types) {
    public Found {
      parameters = List.copyOf(parameters);
      types = List.copyOf(types);
    }

    String place() {
      return className + "." + method + " in " + library;
    }
  }

  /**
   * The indicators of a library.
   *
   * @param library its file's name, for messages
   * @throws ChartException if it is no library, or what it declares as an indicator is none
   */
  public static List<Found> of(String library, byte[] jar) {
    return new IndicatorScan(library).all(jar);
  }

  private List<Found> all(byte[] jar) {
    List<Found> found = new ArrayList<>();
    boolean anyEntry = false;
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(jar))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        anyEntry = true;
        if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/")) {
          found.addAll(inClass(entry.getName(), zip.readAllBytes()));
        }
      }
    } catch (IOException e) {
      throw new ChartException("%s cannot be read: %s".formatted(library, e.getMessage()), e);
    }
    if (!anyEntry) {
      throw new ChartException(library + " is no Java library (.jar).");
    }
    return found;
  }

  private List<Found> inClass(String entry, byte[] bytes) {
    try {
      ClassModel model = ClassFile.of().parse(bytes);
      List<Found> found = new ArrayList<>();
      for (MethodModel method : model.methods()) {
        for (Annotation annotation : annotations(method)) {
          found.add(checked(model, method, annotation));
        }
      }
      return found;
    } catch (IllegalArgumentException e) {
      throw new ChartException(
          "%s in %s cannot be read: %s".formatted(entry, library, e.getMessage()), e);
    }
  }

  private static List<Annotation> annotations(MethodModel method) {
    return method
        .findAttribute(Attributes.runtimeVisibleAnnotations())
        .map(visible -> visible.annotations())
        .orElse(List.of())
        .stream()
        .filter(annotation -> annotation.classSymbol().equals(ANNOTATION))
        .toList();
  }

  private Found checked(ClassModel model, MethodModel method, Annotation annotation) {
    String className = model.thisClass().asInternalName().replace('/', '.');
    String place = "%s.%s in %s".formatted(className, method.methodName().stringValue(), library);
    MethodTypeDesc type = method.methodTypeSymbol();
    boolean callable =
        method.flags().has(AccessFlag.PUBLIC)
            && method.flags().has(AccessFlag.STATIC)
            && model.flags().has(AccessFlag.PUBLIC);
    List<ClassDesc> behind =
        type.parameterCount() == 0
            ? List.of()
            : type.parameterList().subList(1, type.parameterCount());
    boolean fits =
        type.parameterCount() > 0
            && type.parameterType(0).equals(CANDLES)
            && ARGUMENTS.containsAll(behind)
            && RESULTS.contains(type.returnType());
    if (!callable || !fits) {
      throw new ChartException(
          "The indicator %s has to be 'public static double[]' (or boolean[]) in a public class, and take Candles, then int, double or double[]."
              .formatted(place));
    }
    List<String> parameters = texts(annotation, "parameters");
    if (parameters.size() != behind.size()) {
      throw new ChartException(
          "The indicator %s takes %d values behind the candles, and @Indicator(parameters) names %d."
              .formatted(place, behind.size(), parameters.size()));
    }
    return new Found(
        library,
        texts(annotation, "name").getFirst(),
        className,
        method.methodName().stringValue(),
        parameters,
        behind.stream().<Class<?>>map(IndicatorScan::type).toList());
  }

  private static Class<?> type(ClassDesc desc) {
    return desc.equals(DOUBLES)
        ? double[].class
        : desc.equals(ConstantDescs.CD_int) ? int.class : double.class;
  }

  private static List<String> texts(Annotation annotation, String name) {
    for (AnnotationElement element : annotation.elements()) {
      if (element.name().equalsString(name)) {
        return switch (element.value()) {
          case AnnotationValue.OfString text -> List.of(text.stringValue());
          case AnnotationValue.OfArray array ->
              array.values().stream()
                  .map(value -> ((AnnotationValue.OfString) value).stringValue())
                  .toList();
          default -> List.of();
        };
      }
    }
    return List.of();
  }

  private static ClassDesc desc(Class<?> type) {
    return ClassDesc.of(type.getName());
  }
}
