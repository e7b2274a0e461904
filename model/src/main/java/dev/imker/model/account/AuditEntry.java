package dev.imker.model.account;

/**
 * An action of a user, or a rejected attempt.
 *
 * @param user empty if the caller is unknown
 * @param role the role of the caller at the time; empty if unknown
 * @param action the request, without secrets
 * @param status the HTTP status of the answer
 * @param address where the request came from
 */
public record AuditEntry(
    long atMillis, String user, String role, String action, int status, String address) {}
