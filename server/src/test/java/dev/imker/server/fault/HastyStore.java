package dev.imker.server.fault;

import dev.imker.model.change.Change;
import dev.imker.store.PoolStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says of every commit that it is on disk, and makes it before whatever is asked next. It is there
 * to be found out.
 */
final class HastyStore implements InvocationHandler {
  private final PoolStore store;
  private List<Change> held = List.of();

  private HastyStore(PoolStore store) {
    this.store = store;
  }

  static PoolStore over(PoolStore store) {
    return (PoolStore)
        Proxy.newProxyInstance(
            PoolStore.class.getClassLoader(),
            new Class<?>[] {PoolStore.class},
            new HastyStore(store));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    try {
      if (!method.getName().equals("close")) {
        List<Change> late = held;
        held = List.of();
        store.commit(late);
      }
      if (method.getName().equals("commit")) {
        held = ((List<?>) arguments[0]).stream().map(Change.class::cast).toList();
        return null;
      }
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
