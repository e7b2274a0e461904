package dev.imker.client.internal.pool;

import dev.imker.client.internal.shipping.Shipping;
import dev.imker.client.internal.shipping.StaticFields;
import dev.imker.model.ImkerException;
import dev.imker.tasks.values.ValueException;
import java.util.concurrent.RejectedExecutionException;

/** Whether the code of calls can be sent, and what should be known of it. */
final class CallCode {
  private static final System.Logger LOG = System.getLogger("dev.imker.client");

  private final Shipping shipping;
  private final StaticFields statics = new StaticFields();

  CallCode(Shipping shipping) {
    this.shipping = shipping;
  }

  /**
   * @throws RejectedExecutionException if it cannot be sent, with the reason
   */
  void requireTravels(Object call) {
    try {
      shipping.require(code(call));
      if (call instanceof Record record) {
        shipping.requireNamedBy(record);
      }
      warn(call);
    } catch (ImkerException | ValueException e) {
      throw new RejectedExecutionException(e.getMessage(), e);
    }
  }

  private void warn(Object call) {
    Object code =
        call instanceof RemoteFuture.Application(Object function, var _) ? function : call;
    for (String field : statics.of(code)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Calls read the static field {0}. On other machines it has its initial value,"
              + " not the one it has here: pass values as arguments.",
          field);
    }
  }

  private static Class<?> code(Object call) {
    Object code =
        call instanceof RemoteFuture.Application(Object function, var _) ? function : call;
    Class<?> type = code.getClass();
    if (!type.isHidden()) {
      return type;
    }
    // A lambda's class is hidden inside the one it was written in.
    return type.getNestHost();
  }
}
