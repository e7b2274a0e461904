package dev.imker.model.account;

/**
 * Somebody did something, or was refused.
 *
 * @param user empty if the caller was not known
 * @param role what the caller was at the time; empty if not known
 * @param action what was asked for, without secrets
 * @param status how it was answered, as in HTTP
 * @param address where the request came from
 */
public record AuditEntry(
    long atMillis, String user, String role, String action, int status, String address) {}
