package dev.imker.spring;

import dev.imker.client.executor.ImkerExecutor;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.util.function.SingletonSupplier;

/** Makes methods of beans annotated with {@link ImkerTask} run in the pool. */
final class ImkerTaskPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
  private static final long serialVersionUID = 1L;

  ImkerTaskPostProcessor(Supplier<ImkerExecutor> executor) {
    this.advisor =
        new DefaultPointcutAdvisor(
            AnnotationMatchingPointcut.forMethodAnnotation(ImkerTask.class),
            new InPool(SingletonSupplier.of(executor)));
    setProxyTargetClass(true);
  }

  private record InPool(SingletonSupplier<ImkerExecutor> executor) implements MethodInterceptor {
    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
      Class<?> type = AopUtils.getTargetClass(Objects.requireNonNull(invocation.getThis()));
      Method method = invocation.getMethod();
      BeanCall call =
          new BeanCall(
              type,
              method.getName(),
              Arrays.asList(method.getParameterTypes()),
              Arrays.asList(invocation.getArguments()));
      call.requireConstructor();
      return CompletableFuture.class.isAssignableFrom(method.getReturnType())
          ? executor.obtain().submit(call)
          : executor.obtain().call(call);
    }
  }
}
