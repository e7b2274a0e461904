package dev.imker.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which pool an application uses.
 *
 * @param url such as {@code http://localhost:7070}; by default the pool of the command line
 * @param token of the user
 * @param localThreads if positive, calls run on this number of threads of the application, without
 *     a pool
 * @param project of the calls of {@link ImkerTask}
 */
@ConfigurationProperties("imker")
public record ImkerProperties(
    @Nullable String url,
    @Nullable String token,
    @DefaultValue("0") int localThreads,
    @DefaultValue("default") String project) {}
