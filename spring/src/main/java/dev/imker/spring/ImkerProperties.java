package dev.imker.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which pool an application uses.
 *
 * @param url such as {@code http://localhost:7070}; without one, the pool that the command line
 *     would use
 * @param token of the user
 * @param localThreads with more than none, there is no pool: calls run on so many threads of the
 *     application
 * @param project of the calls of {@link ImkerTask}
 */
@ConfigurationProperties("imker")
public record ImkerProperties(
    @Nullable String url,
    @Nullable String token,
    @DefaultValue("0") int localThreads,
    @DefaultValue("default") String project) {}
