package dev.imker.chaos.simulated;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.MethodModel;

/** Loads Imker anew with one method of it made to answer true, whatever it is asked. */
final class MutantClasses extends ClassLoader {
  private final String className;
  private final String method;
  private boolean changed;

  MutantClasses(String className, String method) {
    super(MutantClasses.class.getClassLoader());
    this.className = className;
    this.method = method;
  }

  boolean hasChanged() {
    return changed;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("dev.imker.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      byte[] used = name.equals(className) ? mutate(bytes) : bytes;
      return defineClass(name, used, 0, used.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private byte[] mutate(byte[] bytes) {
    ClassFile file = ClassFile.of();
    return file.transformClass(
        file.parse(bytes),
        ClassTransform.ofStateful(
            () ->
                (builder, element) -> {
                  if (element instanceof MethodModel model
                      && model.methodName().equalsString(method)) {
                    changed = true;
                    builder.withMethodBody(
                        model.methodName(),
                        model.methodType(),
                        model.flags().flagsMask(),
                        code -> code.iconst_1().ireturn());
                  } else {
                    builder.with(element);
                  }
                }));
  }
}
